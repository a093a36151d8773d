import { countingIn } from '../counted.ts';
import type { RichText } from '../text-types.ts';

const day = new Intl.DateTimeFormat('fr', { dateStyle: 'long', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat('fr', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const numbers = new Intl.NumberFormat('fr');
const minute = new Intl.DateTimeFormat('fr', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const second = new Intl.DateTimeFormat('fr', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const counted = countingIn('fr');

/** Texts of more than one page, in French. */
export const everyPage = {
  language: 'fr',
  languageName: 'Français',
  imageProblems: {
    heic: 'C’est une image HEIC. Choisissez un PNG ou un JPEG. iPhone : Réglages › Appareil photo › Formats › Le plus compatible.',
    avif: 'C’est une image AVIF. Enregistrez-la en PNG ou JPEG et choisissez ce fichier.',
    webp: 'C’est une image WebP. Enregistrez-la en PNG ou JPEG et choisissez ce fichier.',
    gif: 'C’est un GIF. Enregistrez-le en PNG ou JPEG et choisissez ce fichier.',
    other: 'Ce n’est pas une image PNG ou JPEG. Choisissez un autre fichier.',
    hdr: 'Ce PNG est une image HDR (PQ ou HLG). Enregistrez-la en SDR et choisissez ce fichier.',
    'too-many-pixels': 'Cette image dépasse 40 mégapixels. Réduisez-la ou choisissez-en une autre.',
    damaged: 'Cette image est endommagée. Choisissez un autre fichier.',
  },
  formatNumber: (number: number) => numbers.format(number),
  /** Without the year. */
  formatShortDay: (date: Date) => shortDay.format(date),
  formatDay: (date: Date) => day.format(date),
  formatMinute: (date: Date) => `${minute.format(date)} UTC`,
  formatSecond: (date: Date) => `${second.format(date)} UTC`,
  layout: {
    skip: 'Aller au contenu',
    navigation: 'Navigation principale',
    menu: 'Menu',
    home: 'Accueil',
    applications: 'Mes applications',
    account: 'Compte',
    admin: 'Administration',
    signIn: 'Se connecter',
    signOut: 'Se déconnecter',
    languages: 'Langue',
    siteLinks: 'À propos de ce service',
    reference: 'Référence de l’API',
    contact: 'Contact',
    terms: 'Conditions d’utilisation',
    privacy: 'Confidentialité',
    status: 'État du service',
  },
  copying: {
    copy: 'Copier',
    copied: 'Copié',
    download: 'Télécharger sous forme de fichier',
  },
  form: {
    optional: 'facultatif',
    returned: {
      ended: 'Votre session avait pris fin.',
      check: 'Vérifiez votre saisie et envoyez-la de nouveau.',
      lost: 'Votre envoi n’a pas été enregistré. Saisissez-le de nouveau.',
    },
    problems: (count: number) =>
      counted(count, {
        one: () => 'Un point demande votre attention',
        other: (points) => `${points} points demandent votre attention`,
      }),
  },
  errors: {
    reference: 'Identifiant de la requête',
    sentBy: (app: RichText): RichText => ['La requête venait de ', app, '.'],
    /** For the owner of the application. */
    explanation: 'Pourquoi cette requête a échoué',
    startAgain: 'Recommencer',
    backTo: (host: RichText): RichText => ['Retour à ', host],
    /** Before an error goes to the application's site, while nobody is signed in. */
    destination: {
      text: (app: RichText, host: RichText): RichText => [
        app,
        ' vous a envoyé ici avec une demande à laquelle il est impossible de donner suite. Pour en informer l’application, continuez vers son site : ',
        host,
        '.',
      ],
      warning: 'Vous quittez alors ce service. Ne saisissez nulle part ailleurs le mot de passe que vous utilisez ici.',
      continue: (host: RichText): RichText => ['Continuer vers ', host],
    },
    toStart: 'Aller à la page d’accueil',
    'not-found': {
      title: 'Page introuvable',
      text: 'Il n’y a rien à cette adresse. La page a peut-être été déplacée, ou le lien est incomplet.',
    },
    'stale-form': {
      title: 'Cette page est restée ouverte trop longtemps',
      text: 'Votre envoi ne correspond plus à la session de votre navigateur : rien n’a été modifié. Veuillez rouvrir la page et recommencer.',
    },
    'no-cookies': {
      title: 'Les cookies sont nécessaires',
      text: 'Votre navigateur n’a envoyé aucun cookie : rien n’a été modifié. Autorisez les cookies pour ce site dans les réglages de votre navigateur, puis recommencez. Si vous avez commencé dans un autre navigateur, continuez là-bas.',
    },
    'cross-site': {
      title: 'Demande refusée',
      text: 'Cette demande vient d’un autre site. Pour votre sécurité, rien n’a été modifié.',
    },
    'bad-form': {
      title: 'Ce formulaire est illisible',
      text: 'Les données reçues sont endommagées ou trop volumineuses. Rien n’a été modifié.',
    },
    'bad-authorization': {
      title: 'L’application a fait une erreur',
      text: 'Elle vous a envoyé ici avec une demande à laquelle il est impossible de donner suite. Vous n’y pouvez rien : veuillez le signaler aux personnes qui l’ont créée.',
    },
    'bad-sign-out': {
      title: 'La demande de déconnexion n’est pas valable',
      text: 'L’application vous a envoyé ici avec une demande qui n’est pas valable ; rien n’a changé. Vous pouvez toujours vous déconnecter vous-même.',
    },
    'ended-interaction': {
      title: 'Cette connexion n’est plus valable',
      text: 'Elle a duré trop longtemps, est déjà terminée ou a été commencée dans un autre navigateur. Veuillez revenir à l’application et recommencer.',
    },
    'playground-answer': {
      title: 'Cette réponse n’appartient à aucun essai',
      text: 'Aucune réponse de ce genre n’est attendue dans ce navigateur : elle est déjà arrivée, l’essai a pris fin, ou quelqu’un d’autre l’a commencé. Rien n’en a été fait. Recommencez depuis l’application.',
    },
    'too-many-attempts': {
      title: 'Trop de tentatives',
      text: 'Veuillez patienter quelques minutes avant de réessayer.',
    },
    forbidden: {
      title: 'Accès refusé',
      text: 'Votre compte n’est pas autorisé à faire cela.',
    },
    unavailable: {
      title: 'De retour dans un instant',
      text: 'Le service ne peut pas répondre pour le moment. Veuillez réessayer sous peu.',
    },
    internal: {
      title: 'Une erreur s’est produite',
      text: 'Le problème vient de chez nous et a été consigné. Veuillez réessayer.',
    },
  },
  durations: {
    legend: 'Durée de l’accès',
    keep: 'Comme actuellement',
    choices: {
      hour: { label: 'Pendant une heure' },
      day: { label: 'Pendant 24 heures' },
      month: { label: 'Pendant 30 jours' },
      until_stopped: {
        label: 'Jusqu’à ce que vous y mettiez fin',
        text: 'Il prend aussi fin de lui-même après 30 jours sans utilisation, et au plus tard au bout d’un an.',
      },
    },
  },
  scopes: {
    users: {
      label: 'Gérer votre compte et vos abonnements',
      text: 'Lire les profils et les listes d’abonnés, suivre des comptes ou ne plus les suivre, modifier votre profil et votre nom d’utilisateur, exporter vos données.',
    },
    posts: {
      label: 'Lire les publications et publier en votre nom',
      text: 'Publier et supprimer des publications et des commentaires, envoyer des images, aimer, partager et lire votre fil.',
    },
    email: {
      label: 'Voir votre adresse e-mail',
      text: 'Lire l’adresse e-mail de votre compte. Cela ne permet pas d’envoyer des e-mails.',
    },
    'users:read': {
      label: 'Lire les comptes',
      text: 'Lire les profils et les listes d’abonnés, et exporter ce que contient votre compte. Cela ne permet de rien modifier.',
    },
    'posts:read': {
      label: 'Lire les publications',
      text: 'Lire les publications, les commentaires et les images que vous pouvez voir. Cela ne permet de rien publier.',
    },
    'posts:propose': {
      label: 'Proposer des publications',
      text: 'Proposer ce que vous pourriez publier, commenter, aimer ou partager, et qui suivre. Rien ne se passe avant que vous n’acceptiez.',
    },
    openid: { label: 'Savoir que c’est vous', text: 'Reconnaître votre compte quand vous vous reconnectez avec lui.' },
    profile: { label: 'Voir votre nom', text: 'Lire votre nom, votre nom d’utilisateur et votre photo.' },
    unknown: 'Le service n’a pas de description de cette autorisation.',
  },
};

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
