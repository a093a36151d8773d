import type { RichText } from '../rich-text.ts';

/** Texts of the profile page, in French. */
export const profile = {
  title: 'Profil',
  intro: 'Tout le monde peut voir ces informations, dans les applications et sur votre page publique.',
  about: 'À propos de vous',
  photo: 'Photo',
  photoYours: 'Votre photo',
  photoDrawn: 'Un motif qui vous représente',
  photoField: 'Nouvelle photo',
  photoHint: 'PNG ou JPEG, 10 Mo et 40 mégapixels au plus. Le lieu et la date de prise de vue en sont retirés.',
  photoSubmit: 'Utiliser cette photo',
  photoRemove: 'Retirer la photo',
  photoErrors: {
    missing: 'Choisissez d’abord un fichier.',
    tooLong: 'Le fichier dépasse 10 Mo. Choisissez-en un plus petit.',
    throttled: 'Vous avez envoyé trop d’images. Veuillez réessayer dans une heure.',
    busy: 'Beaucoup d’images sont en cours de traitement. Veuillez réessayer dans un instant.',
    unavailable: 'Les images ne peuvent pas être enregistrées pour le moment. Veuillez réessayer dans un instant.',
    full: 'L’image n’a pas pu être enregistrée. Veuillez réessayer plus tard.',
  },
  fields: {
    displayName: 'Nom affiché',
    first_name: 'Prénom',
    last_name: 'Nom de famille',
    description: 'Présentation',
    country: 'Pays',
    language: 'Langue',
  },
  hints: {
    displayName: '56 caractères au plus.',
    description: '400 caractères au plus.',
    language: 'Un code de langue, par exemple fr ou fr-CA.',
  },
  errors: {
    missing: {
      displayName: 'Saisissez un nom affiché.',
      first_name: 'Saisissez votre prénom.',
      last_name: 'Saisissez votre nom de famille.',
    },
    wrong: {
      displayName: 'Le nom affiché dépasse 56 caractères.',
      first_name: 'Le prénom dépasse 25 caractères.',
      last_name: 'Le nom de famille dépasse 30 caractères.',
      description: 'La présentation dépasse 400 caractères.',
      country: 'Le pays dépasse 100 caractères.',
      language: 'Ce n’est pas un code de langue. Écrivez par exemple fr, en ou pt-BR.',
    },
  },
  submit: 'Enregistrer le profil',
  done: {
    saved: 'Le profil a été enregistré.',
    'photo-changed': 'La photo a été changée.',
    'photo-removed': 'La photo a été retirée.',
  },
};

/** Texts of the username page, in French. */
export const username = {
  title: 'Nom d’utilisateur',
  intro: (name: RichText): RichText => ['Vous êtes ', name, '.'],
  field: 'Nouveau nom d’utilisateur',
  hint: 'De 5 à 32 lettres (a à z), chiffres et tirets bas. Majuscules et minuscules se voient, mais désignent le même nom.',
  submit: 'Changer de nom d’utilisateur',
  check: 'Vérifier s’il est libre',
  changed: 'Le nom d’utilisateur a été changé.',
  free: (name: RichText): RichText => [name, ' est libre.'],
  consequences: 'Ce qu’un changement implique',
  oldAddress: (address: RichText): RichText => [
    'Les liens vers ',
    address,
    ' mènent à votre nouvelle page tant que ce nom vous est réservé.',
  ],
  oldName:
    'Pendant 30 jours, personne d’autre ne peut prendre votre ancien nom, et vous pouvez y revenir. Ensuite, tout le monde peut le prendre.',
  limit: 'Dix anciens noms au plus vous sont réservés à la fois. Au-delà, vous pouvez seulement revenir à l’un d’eux.',
  mentions: 'Ce que d’autres ont écrit à votre ancien nom reste tel qu’ils l’ont écrit.',
  errors: {
    malformed: 'Un nom d’utilisateur se compose de 5 à 32 lettres (a à z), chiffres ou tirets bas.',
    taken: 'Ce nom d’utilisateur est déjà pris.',
    tooMany: (day: string) =>
      `Dix de vos anciens noms vous sont déjà réservés. Vous pourrez en prendre un nouveau à partir du ${day}, ou revenir à un ancien.`,
  },
};
