import { countingIn } from '../counted.ts';
import type { RichText } from '../text-types.ts';

const count = new Intl.NumberFormat('fr');
const counted = countingIn('fr');
const tokensOf = (number: number): string =>
  counted(number, { one: (tokens) => `${tokens} jeton`, other: (tokens) => `${tokens} jetons` });
const callsOf = (number: number): string =>
  counted(number, { one: (calls) => `${calls} appel`, other: (calls) => `${calls} appels` });

/** Texts of the pages of one application, in French. */
export const pages = {
  navigation: 'Pages de cette application',
  overview: 'Vue d’ensemble',
  credentials: 'Identifiants',
  settings: 'Autorisations et URI de redirection',
  profile: 'Présentation',
  playground: 'Essai',
  webhooks: 'Webhooks',
  activity: 'Activité',
  usage: 'Utilisation et limites',
  history: 'Historique',
  danger: 'Zone de danger',
};

/** Summary of an application’s usage. */
export const usageSummary = {
  title: 'En service',
  people: (number: number) =>
    counted(number, {
      zero: 'Personne ne l’a autorisée',
      one: () => 'Une personne l’a autorisée',
      other: (people) => `${people} personnes l’ont autorisée`,
    }),
  lastUsed: (minute: string) => `dernière utilisation le ${minute}`,
  neverUsed: 'jamais utilisée',
  lastUse: 'Dernière utilisation',
  peopleTitle: 'Personnes',
  week: '7 derniers jours',
  weekText: (tokens: number, calls: number) => `${tokensOf(tokens)}, ${callsOf(calls)}`,
  failures: 'Requêtes échouées',
  failuresText: (number: number) => `${count.format(number)} au cours des dernières 24 heures, sans les répétitions`,
  more: 'Jour par jour',
};

/** Links from the overview of an application to the guides, which are in English. */
export const guideLinks = {
  title: 'Guides pour cette application',
  links: {
    'sign-in': 'Connecter des personnes',
    backend: 'Obtenir des jetons pour l’application elle-même',
    devices: 'Se connecter sur des appareils',
    tokens: 'Renouveler et révoquer des jetons',
    'pushed-requests': 'Demandes poussées et clés',
    dpop: 'Lier les jetons à une clé (DPoP)',
    'going-live': 'Vérifier avant la mise en service',
  },
};

export const pause = {
  title: 'Mettre en pause',
  text: 'Elle n’obtient plus de jetons, les siens prennent fin en une seconde, et personne ne peut l’autoriser. Les secrets, les paramètres et ce que les personnes ont autorisé restent ; reprenez quand vous voulez.',
  submit: 'Mettre cette application en pause',
  paused: 'Vous avez mis cette application en pause. Elle n’obtient pas de jetons, et personne ne peut l’autoriser.',
  resume: 'Reprendre',
  donePaused: 'L’application est en pause. Ses jetons ont pris fin.',
  doneResumed: 'L’application fonctionne à nouveau. Elle doit demander de nouveaux jetons.',
  tag: 'En pause',
};

export const removal = {
  breaks: 'Ce qui cesse de fonctionner :',
  people: (number: number) =>
    counted(number, {
      zero: 'Personne ne l’utilise.',
      one: () => 'Une personne sera déconnectée et devra autoriser une autre application.',
      other: (people) => `${people} personnes seront déconnectées et devront autoriser une autre application.`,
    }),
  used: (minute: string, tokens: number, calls: number): string =>
    `Sa dernière utilisation date du ${minute} ; ces 7 derniers jours : ${tokensOf(tokens)}, ${callsOf(calls)}. Tout cela échoue aussitôt.`,
  unused: 'Elle n’a jamais été utilisée.',
  pauseFirst: 'Si vous hésitez, mettez-la d’abord en pause et voyez qui se manifeste.',
};

export const usage = {
  title: 'Utilisation',
  intro: 'Les 30 derniers jours, en UTC. Ce qui vient de se passer apparaît dans les deux secondes.',
  charts: {
    tokens: { title: 'Jetons', text: 'jetons d’accès qu’elle a obtenus' },
    people: { title: 'Personnes', text: 'combien l’avaient autorisée à la fin de la journée' },
    calls: { title: 'Appels', text: 'appels de l’API avec ses jetons' },
    errors: { title: 'Erreurs', text: 'appels auxquels il a été répondu par 4xx ou 5xx' },
  },
  total: (number: number) => `${count.format(number)} en 30 jours`,
  now: (number: number) => `${count.format(number)} actuellement`,
  most: (number: number, day: string) => `maximum le ${day} : ${count.format(number)}`,
  nothing: 'rien pour le moment',
  bar: (day: string, number: number) => `${day} : ${count.format(number)}`,
  table: 'Les mêmes données en tableau',
  day: 'Jour',
  endpoints: {
    title: 'Appels par point de terminaison',
    intro:
      'Appels de l’API des 90 derniers jours, selon la classe de leur statut, en UTC. Les nouveaux appels apparaissent dans les dix secondes.',
    endpoint: 'Point de terminaison',
    succeeded: 'Réussis (2xx, 3xx)',
    rejected: 'Refusés (4xx)',
    failed: 'Échoués (5xx)',
    none: 'Aucun appel de l’API pour le moment',
    download: 'Télécharger en CSV',
  },
  refused: (link: RichText): RichText => [
    'Les demandes de jetons et d’autorisation refusées n’y figurent pas : elles se trouvent sous ',
    link,
    '.',
  ],
};

export const limits = {
  title: 'Limites d’appels',
  intro:
    'Voici combien d’appels sont acceptés ; un appel de trop reçoit 429 avec Retry-After. Chaque réponse indique dans RateLimit ce qu’il reste.',
  /** For more than one process. */
  shares: (processes: number) =>
    `Le service tourne dans ${String(processes)} processus. Chacun autorise une part égale des quatre premières limites, que le tableau et les en-têtes RateLimit d’une réponse indiquent.`,
  off: 'Ce service a désactivé ses limites d’appels.',
  limit: 'Limite',
  calls: 'Appels',
  counted: 'Comptés pour',
  perMinute: (quota: number) => `${count.format(quota)} par minute`,
  perHour: (quota: number) => `${count.format(quota)} par heure`,
  names: {
    'user-reads': 'cette application au nom d’un compte : appels qui ne modifient rien',
    'user-writes': 'cette application au nom d’un compte : appels qui modifient quelque chose',
    'application-reads': 'cette application avec toutes ses personnes : appels qui ne modifient rien',
    'application-writes': 'cette application avec toutes ses personnes : appels qui modifient quelque chose',
    'is-email': 'cette application : GET et POST /auth/is_email',
    'check-username': 'cette application : GET /account/check_username',
    register: 'cette application : POST /auth/register',
  },
};

export const history = {
  title: 'Historique',
  intro:
    'Ce qui est arrivé à cette application, du plus récent au plus ancien. Des entrées s’ajoutent, aucune ne change.',
  none: 'Il n’y a rien à afficher.',
  older: 'Entrées plus anciennes',
  actors: {
    person: 'vous',
    application: 'l’application',
    operator: 'un administrateur',
    service: 'le service',
    unknown: 'par un accès direct à la base de données',
  },
  events: {
    'application.created': 'Créée',
    'application.changed': 'Paramètres enregistrés',
    'application.described': 'Présentation modifiée',
    'application.verified': 'Vérifiée',
    'application.unverified': 'Marque de vérification retirée',
    'application.paused': 'Mise en pause',
    'application.resumed': 'Reprise',
    'application.suspended': 'Suspendue',
    'application.unsuspended': 'Suspension levée',
    'secret.added': 'Secret ajouté',
    'secret.renamed': 'Secret renommé',
    'secret.retired': 'Secret retiré',
    'secret.removed': 'Secret expiré supprimé',
    'code.replayed': 'Un code d’autorisation a été utilisé deux fois ; ce qu’il a donné a pris fin',
    'token.reused': 'Un jeton d’actualisation a été utilisé deux fois ; cette connexion a pris fin',
    'webhook.added': 'Point de réception de webhooks ajouté',
    'webhook.changed': 'Événements des webhooks modifiés',
    'webhook.secret_changed': 'Secret de webhook changé',
    'webhook.switched_off': 'Point de réception désactivé, car aucun message n’est arrivé',
    'webhook.switched_on': 'Point de réception de webhooks activé',
    'webhook.removed': 'Point de réception de webhooks supprimé',
  },
  secret: (name: RichText): RichText => ['secret « ', name, ' »'],
  secretId: (id: string) => `secret numéro ${id}`,
  scopes: (scopes: string) => `autorisations : ${scopes}`,
  settings: (settings: string) => `modifié : ${settings}`,
};

export const profile = {
  title: 'Présentation',
  intro: 'Ce que les personnes voient de votre application quand elles doivent l’autoriser.',
  logo: 'Logo',
  logoText:
    'PNG ou JPEG, 2 Mo au plus. Il est redessiné et réduit, et rien d’autre du fichier n’est conservé. Un carré de 400 pixels donne le meilleur résultat.',
  logoFile: 'Image',
  upload: 'Envoyer',
  removeLogo: 'Retirer le logo',
  links: 'Liens',
  linksText: 'Affichés là où les personnes décident, avec l’hôte vers lequel ils mènent. Utilisez https, ou http.',
  website: 'Site web',
  terms: 'Conditions d’utilisation',
  privacy: 'Politique de confidentialité',
  save: 'Enregistrer les liens',
  saved: 'Les liens ont été enregistrés.',
  logoSaved: 'Le logo a été enregistré.',
  logoRemoved: 'Le logo a été retiré.',
  preview: 'Ce que voient les personnes',
  errors: {
    'bad-address': 'Saisissez une adresse complète comme https://app.example.com/, ou rien.',
    'too-long': 'L’adresse peut avoir 2048 caractères au plus.',
    missing: 'Choisissez une image.',
    'too-large': 'L’image dépasse 2 Mo. Choisissez-en une plus petite.',
    busy: 'Trop d’images sont en cours de traitement. Veuillez réessayer dans un instant.',
  },
};

/** The first request of an application. */
export const quickstart = {
  title: 'Essayez',
  token:
    'Ceci demande un jeton au nom de l’application elle-même. curl demande le secret, pour qu’il ne reste pas dans l’historique de votre shell :',
  authorize: 'Dirigez ici le navigateur des personnes, avec vos propres code_challenge et state :',
  metadata: 'Où tout se trouve :',
};
