const count = new Intl.NumberFormat('fr');

/** Texts about the names of people and applications, and what helps to judge them. */
export const names = {
  /** Of a text that is no name. */
  textUnprintable: 'Ce texte contient un caractère impossible à afficher. Supprimez-le.',
  errors: {
    unprintable: 'Le nom contient un caractère impossible à afficher. Supprimez-le.',
    'mixed-scripts':
      'Le nom mélange des écritures qui se ressemblent, par exemple les alphabets latin et cyrillique. N’en utilisez qu’une.',
    badge: 'Retirez du nom les coches et les autres signes de vérification.',
    reserved: 'Ce nom pourrait être pris pour celui du service ou de ses administrateurs. Choisissez-en un autre.',
    imitates: 'Ce nom ressemble trop à un nom vérifié. Choisissez-en un autre.',
    blocked: 'Ce nom contient un mot que ce service n’autorise pas. Choisissez-en un autre.',
  },
  changeEndsVerification:
    'Votre compte est vérifié sous ses noms actuels. Si vous modifiez l’un d’eux, la marque de compte vérifié est retirée.',
  verification: 'Vérification',
  verified: 'Vérifiée',
  verifiedBy: (service: string) => `Vérifiée par ${service}`,
  notVerifiedBy: (service: string) => `Non vérifiée par ${service}`,
  applicationChangeEndsVerification:
    'Cette application est vérifiée. Si vous modifiez son nom, son logo ou son site, la marque d’application vérifiée est retirée.',
  created: 'Création',
  createdRecently: 'Au cours des 7 derniers jours',
  usedBy: 'Utilisée par',
  fewPeople: 'Moins de 10 personnes',
  minPeople: (people: number) => `Au moins ${count.format(people)} personnes`,
};
