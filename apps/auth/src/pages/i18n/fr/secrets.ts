import { countingIn } from '../counted.ts';
import type { RichText } from '../rich-text.ts';

const counted = countingIn('fr');
const times = (uses: number): string =>
  counted(uses, { zero: '0 fois', one: () => 'une fois', other: (number) => `${number} fois` });

/** Texts of the secrets of an application, in French. */
export const secrets = {
  title: 'Secrets',
  intro:
    'Pour changer de secret sans interruption, ajoutez-en un autre, faites-y passer vos serveurs, puis retirez l’ancien. Les jetons d’accès prennent fin quand un secret est retiré ; vos serveurs en demandent de nouveaux avec l’autre.',
  none: 'Aucun secret ne fonctionne. Ajoutez-en un, sinon l’application ne peut pas demander de jetons.',
  called: (day: string) => `Secret du ${day}`,
  created: (day: string) => `Ajouté le ${day}`,
  neverUsed: 'jamais utilisé',
  used: (uses: number, minute: string) => `utilisé ${times(uses)}, la dernière le ${minute}`,
  ends: (minute: string) => `expire le ${minute}`,
  noEnd: 'sans expiration',
  soon: 'Expire bientôt',
  endsTag: (day: string) => `Un secret expire le ${day}`,
  endingSoon: (name: RichText, minute: string): RichText => [
    'Le secret « ',
    name,
    ` » expire le ${minute}. Ajoutez-en un autre et faites-y passer vos serveurs d’ici là, sinon leurs requêtes seront refusées.`,
  ],
  safe: 'Peut être retiré',
  unusedSince: (day: string) => `Inutilisé depuis le ${day}`,
  neverUsedSince: (day: string) => `Jamais utilisé depuis son ajout le ${day}`,
  usedSince: (uses: number, day: string) => `utilisé ${times(uses)} depuis le ${day}`,
  safeReason: (unused: string, other: RichText, used: string): RichText => [
    `${unused}, alors que « `,
    other,
    ` » sert : ${used}. Un serveur qui demande des jetons moins d’une fois par semaine pourrait encore avoir besoin de celui-ci.`,
  ],
  rename: 'Renommer',
  saveName: 'Enregistrer le nom',
  renamed: 'Le secret porte maintenant un autre nom.',
  renameGone: 'Ce secret a pris fin entre-temps. Son nom reste inchangé.',
  retire: 'Retirer',
  retireText:
    'Les requêtes avec ce secret échouent aussitôt, et tous les jetons d’accès de l’application prennent fin. C’est irréversible.',
  retireNow: 'Retirer ce secret',
  nowLast:
    'C’est désormais le seul secret actif : il n’a donc pas été retiré. Confirmez encore une fois pour le retirer.',
  last: 'C’est le seul secret actif. Si vous le retirez, l’application n’obtient plus de jetons tant que vous n’en ajoutez pas un autre.',
  enough: (most: number) => `${String(most)} secrets sont le maximum. Retirez-en un avant d’en ajouter un autre.`,
  ended: (number: number) =>
    counted(number, {
      zero: 'Aucun secret n’a expiré',
      one: () => 'Un secret a expiré',
      other: (ended) => `${ended} secrets ont expiré`,
    }),
  endedText:
    'Pendant 30 jours après son expiration, « Pourquoi des requêtes ont échoué » nomme un secret qui est encore envoyé.',
  endedOn: (minute: string) => `expiré le ${minute}`,
  manage: 'Gérer les identifiants',
  addTitle: 'Ajouter un secret',
  add: 'Ajouter un secret',
  name: 'Nom du secret',
  nameHint: (called: string) =>
    `Par exemple, le serveur qui l’utilisera. Si le champ reste vide, il s’appelle « ${called} ».`,
  lifetime: 'Il est valable',
  lifetimes: {
    never: 'sans expiration',
    '90-days': 'pendant 90 jours',
    '1-year': 'pendant un an',
    date: 'jusqu’à un jour de votre choix',
  },
  lastDay: 'Dernier jour',
  lastDayHint: 'Il est valable jusqu’à la fin de ce jour, UTC.',
  lastDayOptional: 'pour « jusqu’à un jour de votre choix »',
  errors: {
    nameTooLong: 'Le nom du secret peut avoir 60 caractères au plus.',
    nameUnprintable: 'Le nom du secret contient un caractère impossible à afficher.',
    lifetimeUnknown: 'Choisissez combien de temps le secret est valable.',
    dayMissing: 'Saisissez le dernier jour du secret.',
    dayMalformed: 'Saisissez un jour comme 2027-02-28.',
    dayPast: 'Ce jour est passé. Saisissez un jour à venir.',
    dayTooFar: 'Un secret expire dans les dix ans, ou jamais. Saisissez un jour plus proche.',
  },
};
