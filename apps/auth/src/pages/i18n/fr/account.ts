import { countingIn } from '../counted.ts';
import type { RichText } from '../text-types.ts';

const counted = countingIn('fr');

/** Texts of the profile page, in French. */
const profile = {
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
const username = {
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

/** Texts of the account area, in French. */
export const account = {
  title: 'Compte',
  navigation: 'Compte',
  allPages: 'Toutes les pages du compte',
  overview: 'Vue d’ensemble',
  navigationParts: { you: 'Vous', access: 'Qui a accès', data: 'Vos données' },
  passwordCheck: {
    field: 'Votre mot de passe',
    missing: 'Saisissez votre mot de passe.',
    wrong: 'Ce n’est pas votre mot de passe.',
    none: 'Votre compte n’a pas de mot de passe. Déconnectez-vous et choisissez «\u00a0Mot de passe oublié\u202F?\u00a0» pour en définir un.',
    throttled: 'Trop de tentatives. Veuillez patienter quelques minutes avant de réessayer.',
  },
  profile,
  username,
  followers: {
    title: 'Abonnés',
    count: (followers: number) =>
      counted(followers, {
        zero: 'Aucun compte ne vous suit.',
        one: () => 'Un compte vous suit.',
        other: (accounts) => `${accounts} comptes vous suivent.`,
      }),
    protection: 'Qui peut voir vos publications',
    isProtected: 'Abonnés seulement',
    isOpen: 'Tout le monde',
    openText: 'Tout le monde peut voir vos publications et vos images, et vous suivre.',
    toProtect:
      'Si vous les protégez, seuls vos abonnés les voient, y compris les anciennes. Pour vous suivre, il faut alors vous en demander l’accord. Vos abonnés actuels le restent.',
    protectedText:
      'Seuls vos abonnés voient vos publications et vos images. Pour vous suivre, il faut vous en demander l’accord.',
    toOpen: 'Si vous les ouvrez, tout le monde les voit, y compris les anciennes, et tout le monde peut vous suivre.',
    openAccepts: (requests: number) =>
      counted(requests, {
        one: () => 'Le compte qui attend votre réponse vous suivra alors.',
        other: (accounts) => `Les ${accounts} comptes qui attendent votre réponse vous suivront alors.`,
      }),
    protect: 'Protéger mes publications',
    open: 'Montrer mes publications à tout le monde',
    requests: (requests: number) =>
      requests === 0 ? 'Demandes d’abonnement' : `Demandes d’abonnement (${String(requests)})`,
    noRequests: 'Personne n’attend votre réponse.',
    approve: 'Accepter',
    reject: 'Refuser',
    allText: 'Ou répondez à toutes à la fois, y compris à celles des autres pages.',
    approveAll: (requests: number) => `Tout accepter (${String(requests)})`,
    rejectAll: (requests: number) => `Tout refuser (${String(requests)})`,
    pages: 'Autres demandes',
    newer: 'Plus récentes',
    older: 'Plus anciennes',
    listTitle: 'Vos abonnés',
    remove: 'Retirer',
    removeOpen:
      'Ce compte ne vous suivra plus et n’en est pas informé. Comme vos publications sont publiques, il peut vous suivre à nouveau.',
    removeProtected:
      'Ce compte ne vous suivra plus et n’en est pas informé. Pour vous suivre à nouveau, il lui faut votre accord.',
    removeSubmit: 'Retirer l’abonné',
    gone: 'Cette demande n’existe plus. Rien n’a été modifié.',
    done: {
      protected: 'Seuls vos abonnés voient désormais vos publications.',
      opened: 'Tout le monde peut désormais voir vos publications.',
      approved: 'La demande a été acceptée.',
      rejected: 'La demande a été refusée. Le compte n’en est pas informé.',
      'all-approved': 'Toutes les demandes ont été acceptées.',
      'all-rejected': 'Toutes les demandes ont été refusées.',
      removed: 'L’abonné a été retiré.',
    },
  },
  export: {
    title: 'Exporter vos données',
    intro:
      'Téléchargez tout ce qui est conservé à votre sujet dans un fichier ZIP. Le fichier README décrit chaque fichier.',
    contents: 'Ce qu’il contient',
    contentsList: [
      'votre profil, avec votre adresse e-mail',
      'vos publications, partages, commentaires et mentions « J’aime »',
      'les comptes que vous suivez, ceux qui vous suivent, et vos notifications',
      'vos images',
    ],
    passwordHint: 'Pour que personne d’autre ne prenne vos données depuis un navigateur que vous auriez laissé ouvert.',
    submit: 'Télécharger',
  },
  deletion: {
    title: 'Supprimer le compte',
    intro: 'Retire votre compte et tout ce que vous avez publié.',
    consequences: 'Ce qui se passe aussitôt',
    consequencesList: [
      'Plus personne ne voit votre profil, vos publications, vos commentaires et vos images. Ils ne comptent plus nulle part.',
      'Toutes vos sessions sont fermées, et les applications perdent leur accès.',
      'Les applications que vous avez enregistrées cessent de fonctionner.',
    ],
    regret: 'Si vous changez d’avis',
    regretText:
      'Pendant 14 jours, tout est conservé, y compris votre nom d’utilisateur et votre adresse e-mail. Pendant ce temps, vous pouvez vous connecter et choisir « Garder mon compte » ; un e-mail vous le rappellera. Ensuite, le compte est effacé définitivement, et tout le monde peut prendre le nom d’utilisateur.',
    exportFirst: 'Vous voudrez peut-être d’abord une copie :',
    confirm: (name: RichText): RichText => ['Oui, supprimer le compte ', name],
    confirmMissing: 'Cochez la case pour confirmer la suppression du compte.',
    submit: 'Supprimer le compte',
    keep: 'Garder mon compte',
    doneTitle: 'Votre compte a été supprimé',
    doneText: 'Toutes vos sessions ont été fermées.',
  },
  overviewPage: {
    username: 'Nom d’utilisateur',
    name: 'Nom',
    email: 'Adresse e-mail',
    since: 'Membre depuis le',
    photo: 'Votre photo',
    visibility: 'Publications',
    openPosts: 'Visibles par tout le monde',
    protectedPosts: 'Visibles par les abonnés seulement',
    waiting: (requests: number) =>
      counted(requests, {
        zero: 'Aucune demande d’abonnement n’attend',
        one: () => 'Une demande d’abonnement attend',
        other: (pending) => `${pending} demandes d’abonnement attendent`,
      }),
    edit: 'Modifier le profil',
    connected: (count: number) =>
      counted(count, {
        zero: 'Aucune application',
        one: () => 'Une application',
        other: (applications) => `${applications} applications`,
      }),
    signedIn: (count: number) =>
      counted(count, {
        zero: 'Aucun navigateur',
        one: () => 'Un navigateur',
        other: (browsers) => `${browsers} navigateurs`,
      }),
    applicationsText: 'Voyez quelles applications peuvent utiliser votre compte, et retirez-leur l’accès.',
    sessionsText: 'Voyez où votre compte est ouvert, et déconnectez-vous ailleurs.',
    passwordText: 'Choisissez un nouveau mot de passe.',
    emailText: 'Confirmez votre adresse, ou utilisez-en une autre.',
  },
  applications: {
    title: 'Applications connectées',
    intro:
      'Ces applications peuvent utiliser votre compte. Si vous retirez l’accès à l’une d’elles, elle le perd en une seconde.',
    empty: 'Aucune application ne peut utiliser votre compte.',
    disconnected: 'L’accès a été retiré à l’application.',
    changed: 'Les modifications sont en vigueur : ce qui lui a été retiré est refusé en une seconde.',
    lastUsed: (day: string) => `dernier accès obtenu le ${day}`,
    signIns: (count: string) => `${count} connexions actives`,
    ends: (minute: string) => `Accès jusqu’au ${minute}`,
    endless: 'Accès jusqu’à ce que vous y mettiez fin',
    change: 'Modifier ce qu’elle peut faire, ou pour combien de temps',
    back: 'Toutes les applications connectées',
    kept: 'Elle en a besoin pour fonctionner',
    removable: 'Décochez ce qu’elle ne doit plus pouvoir faire',
    save: 'Enregistrer les modifications',
    endText: 'Met fin à tout son accès en une seconde. Elle devra vous le redemander.',
    madeBy: (owner: RichText): RichText => ['par ', owner],
    builtIn: (service: string) => `fait partie de ${service}`,
    ownClient: 'Le client de ce service',
    selfRegistered: 's’est enregistrée elle-même, non vérifiée',
    documented: (host: RichText): RichText => ['de ', host, ', non vérifiée'],
    since: (day: string) => `Connectée le ${day}`,
    actsAsOwner:
      'Agit en votre nom avec ses propres identifiants, parce que vous avez coché cette option pour votre application.',
    clientId: 'ID client',
    can: 'Ce qu’elle peut faire',
    disconnect: 'Retirer l’accès',
  },
  sessions: {
    title: 'Sessions',
    intro:
      'Tous les navigateurs dans lesquels votre compte est ouvert. Si vous n’en reconnaissez pas un, déconnectez-le et changez de mot de passe.',
    current: 'Ce navigateur',
    ended: 'La session a été fermée.',
    unknownBrowser: 'Navigateur inconnu',
    browserOn: (browser: string, system: string) => `${browser} sur ${system}`,
    signedIn: (minute: string) => `Connexion le ${minute}`,
    lastSeen: (minute: string) => `Dernière utilisation le ${minute}`,
    end: 'Déconnecter',
    addresses: 'Au bout de 7 jours, nous ne gardons que le réseau d’une adresse, par exemple 192.0.2.0/24.',
    everywhere: 'Se déconnecter partout',
    everywhereText:
      'Ferme toutes les sessions, y compris celle-ci, et met fin à l’accès que des applications ont actuellement à votre compte. Une modification de votre adresse e-mail que vous n’avez pas encore confirmée est annulée, elle aussi.',
    everywhereSubmit: 'Se déconnecter partout',
  },
  password: {
    title: 'Mot de passe',
    intro:
      'Un nouveau mot de passe vous déconnecte de tous les autres navigateurs, et les applications doivent vous redemander l’accès.',
    current: 'Mot de passe actuel',
    next: 'Nouveau mot de passe',
    nextHint:
      'Au moins 6 caractères. Les plus longs sont les plus sûrs : quelques mots sans rapport entre eux font un bon mot de passe.',
    submit: 'Changer le mot de passe',
    changed: 'Le mot de passe a été changé.',
    currentMissing: 'Saisissez votre mot de passe actuel.',
    currentWrong: 'Ce n’est pas votre mot de passe actuel.',
    throttled: 'Trop de tentatives. Veuillez patienter quelques minutes avant de réessayer.',
  },
};
