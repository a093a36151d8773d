import { countingIn } from '../counted.ts';
import type { RichText, SettingMessages } from '../text-types.ts';

/** Texts of protocol settings, in French. */
export const settings: SettingMessages = {
  advanced: 'Réglages avancés',
  limitedTo: (seconds) =>
    `Les administrateurs de ce service autorisent au plus ${String(seconds)} secondes. Aucun jeton ne dure plus longtemps, quelle que soit la valeur saisie ici.`,
  texts: {
    strict: {
      label: 'Mode strict (FAPI 2.0)',
      text: 'Pour les applications à haute sécurité. Exige les demandes d’autorisation poussées (PAR), PKCE, DPoP et l’authentification de l’application par clés, et désactive le code d’appareil et response_type=token. Les jetons d’identité sont signés avec ES256. Les jetons d’actualisation ne changent pas, car ils sont liés à votre clé. Tant que l’option est activée, rien de cela ne peut être modifié.',
    },
    grantTypes: {
      label: 'Types d’octroi',
      text: 'Comment l’application peut obtenir des jetons. Désactivez ce qu’elle n’utilise pas.',
    },
    requirePkce: {
      label: 'Exiger PKCE',
      text: 'Recommandé. Refuse les demandes d’autorisation sans code_challenge (S256), pour qu’un code volé soit inutile. Désactivez-le seulement pour les clients qui ne gèrent pas PKCE. Applications confidentielles uniquement ; les autres en ont toujours besoin.',
    },
    requirePushedAuthorizationRequests: {
      label: 'Exiger les demandes d’autorisation poussées (PAR)',
      text: 'Refuse les demandes d’autorisation qui n’ont pas d’abord été envoyées à /oauth/par, pour que personne ne puisse les modifier dans le navigateur.',
    },
    dpopBoundAccessTokens: {
      label: 'Exiger DPoP',
      text: 'N’émet que des jetons liés à une clé de l’application, pour qu’un jeton volé soit inutile.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Algorithme des assertions client',
      text: 'Pour les applications qui s’authentifient avec des clés (private_key_jwt). Avec un autre choix que « N’importe lequel », tous les autres algorithmes sont refusés.',
    },
    acceptEndpointAudience: {
      label: 'Accepter le point d’accès aux jetons comme audience',
      text: 'Pour les applications qui s’authentifient avec des clés (private_key_jwt) et dont la bibliothèque envoie le point d’accès aux jetons comme « aud » (Spring Security, Authlib et d’autres). L’émetteur est plus sûr : une assertion qui lui est destinée ne sert à rien ailleurs. Pas avec « Strict ».',
    },
    accessTokenLifetime: {
      label: 'Durée de vie des jetons d’accès, en secondes',
      text: 'De 60 à 3600. Laissez vide pour la valeur par défaut d’une heure.',
    },
    refreshTokenLifetime: {
      label: 'Durée de vie des jetons d’actualisation inutilisés, en secondes',
      text: 'De 300 à 31536000. Laissez vide pour la valeur par défaut de 30 jours.',
    },
    idTokenSignedResponseAlg: {
      label: 'Signature des jetons d’identité',
      text: 'Ne choisissez ES256 que si tous les clients qui vérifient les jetons d’identité le prennent en charge. Les jetons antérieurs restent valables.',
    },
    postLogoutRedirectUris: {
      label: 'Adresses après la déconnexion',
      text: 'Où les personnes sont envoyées après que votre application les a envoyées à /oauth/logout. Indiquez une URI par ligne, exactement comme votre application l’envoie, sans paramètre state.',
    },
    backchannelLogoutUri: {
      label: 'URI de déconnexion par canal arrière',
      text: 'Quand une session dans laquelle une personne s’est connectée à cette application se termine, un jeton de déconnexion est envoyé ici. Utilisez https et une adresse publique.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Exiger l’identifiant de session dans les jetons de déconnexion',
      text: 'Certaines bibliothèques le demandent. Les jetons de déconnexion contiennent toujours sid.',
    },
  },
  choices: {
    authorization_code: {
      label: 'Code d’autorisation',
      text: 'Les personnes se connectent et l’autorisent dans le navigateur.',
    },
    any: { label: 'N’importe lequel', text: 'ES256, PS256, EdDSA ou, hors mode strict, RS256.' },
    ES256: { label: 'ES256', text: 'ECDSA avec P-256.' },
    PS256: { label: 'PS256', text: 'RSA-PSS avec SHA-256.' },
    EdDSA: { label: 'EdDSA', text: 'Clés Ed25519.' },
    RS256: { label: 'RS256', text: 'RSA avec PKCS #1 v1.5 et SHA-256.' },
    refresh_token: { label: 'Jeton d’actualisation', text: 'Elle reste connectée sans redemander aux personnes.' },
    client_credentials: {
      label: 'Identifiants du client',
      text: 'Elle obtient des jetons pour elle-même. Applications confidentielles uniquement.',
    },
    'urn:ietf:params:oauth:grant-type:device_code': {
      label: 'Code d’appareil',
      text: 'Pour les téléviseurs, les consoles et les outils en ligne de commande : les personnes saisissent un code sur un autre appareil. Quiconque connaît l’ID client peut lancer ce processus : ne l’activez que si vous en avez besoin.',
    },
  },
  problems: {
    'unknown-choice': (value) => `« ${value} » n’est pas un choix valable.`,
    'not-for-type': (value) => `Les applications de ce type ne peuvent pas utiliser « ${value} ».`,
    'not-a-number': (value) => `« ${value} » n’est pas un nombre entier.`,
    'out-of-range': (value) => `${value} est hors des limites autorisées.`,
    'bad-address': (value) => `${value} n’est pas une adresse autorisée.`,
    'too-many': (value) => `Indiquez-en ${value} au plus.`,
    'not-with-strict': () =>
      'Une application stricte ne peut pas avoir cette valeur. Désactivez d’abord « Mode strict ».',
    'needs-keys': () =>
      'Les applications strictes s’authentifient avec des clés. Donnez d’abord des clés à l’application.',
  },
  on: 'activé',
  off: 'désactivé',
  standard: 'valeur par défaut',
};

/** Texts about how an application authenticates. */
export const authentication = {
  keysTitle: 'Utiliser des clés au lieu de secrets',
  otherKeysTitle: 'Utiliser d’autres clés',
  keysText:
    'L’application signe alors ses requêtes avec ses propres clés (private_key_jwt). Tous ses secrets cessent aussitôt de fonctionner, et ses jetons d’accès prennent fin.',
  otherKeysText:
    'Les clés actuelles cessent aussitôt de fonctionner, et les jetons d’accès de l’application prennent fin.',
  keys: 'Clés publiques',
  keysHint:
    'Une adresse https où elles se trouvent, comme https://app.example.com/jwks.json, ou un JWK Set en JSON. ES256, PS256, EdDSA ou RS256.',
  setKeys: 'Utiliser ces clés',
  keysUsed: 'L’application prouve désormais son identité avec ces clés uniquement.',
  secretTitle: 'Utiliser un secret au lieu de clés',
  secretText:
    'Les clés cessent aussitôt de fonctionner, et les jetons d’accès de l’application prennent fin. Le secret n’est affiché qu’une seule fois.',
  setSecret: 'Créer un secret',
  hasSecret: 'L’application a déjà un secret.',
};

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

/** Texts of the page of an application’s webhooks, in French. */
export const webhooks = {
  intro:
    'Nous pouvons envoyer un message à votre application quand quelque chose concerne les personnes qui l’ont autorisée. Un message contient des identifiants ; lisez les objets avec l’API.',
  guide: 'Recevoir des webhooks',
  none: 'Aucun point de réception.',
  listen: 'Sans adresse publique',
  listenText:
    'Pendant le développement, cette commande envoie les nouveaux événements à un serveur sur votre ordinateur, signés comme des webhooks. Elle a besoin de Node et du secret de l’application.',
  add: 'Ajouter un point de réception',
  addSubmit: 'Vérifier et ajouter',
  url: 'URL',
  urlHint:
    'Une adresse publique en https ou http. Nous lui envoyons maintenant une vérification, et elle doit répondre par son texte.',
  events: 'Événements',
  eventsHint:
    'Seulement pour les personnes qui ont accordé l’autorisation : posts:read ou posts, et users:read ou users pour les abonnements.',
  eventNames: {
    'mention.created': 'Quelqu’un mentionne la personne',
    'quote.created': 'La personne cite une publication, ou quelqu’un cite la sienne',
    'comment.created':
      'Un commentaire de la personne, ou en réponse à l’une de ses publications ou à l’un de ses commentaires',
    'comment.deleted': 'Un tel commentaire, ou un commentaire qui mentionnait la personne, est supprimé',
    'like.created': 'Un « J’aime » de la personne ou sur l’une de ses publications',
    'like.deleted': 'Un tel « J’aime » est retiré',
    'repost.created': 'La personne partage une publication, ou quelqu’un partage la sienne',
    'repost.deleted': 'Un tel partage est annulé',
    'post.created': 'La personne publie',
    'post.edited': 'Une publication de la personne est modifiée, ou une mention de la personne est retirée',
    'post.deleted': 'Une publication de la personne, ou une publication qui la mentionnait, est supprimée',
    'follow.created': 'La personne suit quelqu’un ou a un nouvel abonné',
    'follow.deleted': 'Un tel abonnement prend fin',
    'follow_request.created': 'Une demande d’abonnement de la personne ou qui lui est adressée',
    'draft.proposed': 'Une application propose quelque chose à la personne',
    'draft.scheduled': 'La personne programme une proposition',
    'draft.published': 'La personne publie une proposition',
    'draft.rejected': 'La personne refuse une proposition',
    'draft.failed': 'Un brouillon programmé n’a pas pu être publié',
  },
  errors: {
    'bad-url': 'Saisissez une URL absolue en https ou http, sans nom d’utilisateur, mot de passe ni fragment.',
    'no-events': 'Sélectionnez au moins un événement.',
    'not-public': 'Nous ne trouvons pas d’adresse publique pour ce nom et ce port.',
    tls: 'La connexion TLS a échoué. Vérifiez le certificat, ses noms et sa chaîne.',
    timeout: 'L’adresse n’a pas répondu en cinq secondes.',
    'no-connection': 'La connexion a été refusée ou fermée.',
    'wrong-status': 'L’adresse n’a pas répondu par le statut 200.',
    'wrong-challenge': 'L’adresse a répondu par le statut 200, mais pas par le texte de la vérification.',
    'too-many-or-known': 'L’application a déjà cette URL, ou autant de points de réception que possible.',
    'too-often': 'Trop de vérifications ou d’événements d’essai pendant la dernière heure. Réessayez plus tard.',
  },
  done: {
    'events-saved': 'Événements enregistrés.',
    'turned-on': 'Le point de réception est activé.',
    'test-sent': 'L’événement d’essai est en route. Rechargez la page pour voir la réponse.',
    replayed: 'Sera envoyé de nouveau.',
    'endpoint-deleted': 'Point de réception supprimé.',
  },
  enough: (number: number) => `Une application peut avoir ${String(number)} points de réception.`,
  created: (day: string) => `Ajouté le ${day}`,
  waiting: (number: number) => (number === 1 ? '1 message en attente' : `${String(number)} messages en attente`),
  previousUntil: (time: string) => `l’ancien secret signe aussi jusqu’au ${time}`,
  failing: (time: string) =>
    `Aucun message n’est arrivé depuis le ${time}. Nous réessayons pendant trois jours pour chaque message, et désactivons le point de réception après cinq jours.`,
  off: (time: string) =>
    `Désactivé le ${time} : aucun message n’est arrivé pendant cinq jours, la réponse était le statut 410, ou trop de messages attendaient. Ce qui se passe entre-temps n’est pas envoyé.`,
  turnOn: 'Vérifier et activer',
  test: 'essai',
  testKind: 'Type d’événement',
  sendTest: 'Envoyer un événement d’essai',
  payload: 'Contenu',
  log: 'Derniers messages',
  logEmpty: 'Aucun message ces sept derniers jours.',
  states: {
    pending: 'en attente',
    delivered: 'livré',
    failed: 'abandonné',
    dropped: 'non envoyé : plus autorisé ou plus visible',
  },
  attempts: (number: number) => (number === 1 ? '1 tentative' : `${String(number)} tentatives`),
  status: (status: number) => `statut ${String(status)}`,
  took: (milliseconds: number) => `en ${String(milliseconds)}\u00a0ms`,
  noAnswer: 'pas de réponse',
  next: (time: string) => `prochaine tentative : ${time}`,
  replay: 'Envoyer de nouveau',
  sendNow: 'Envoyer maintenant',
  sendAllNow: 'Envoyer maintenant tout ce qui est abandonné ou en attente',
  changeEvents: 'Modifier les événements',
  saveEvents: 'Enregistrer les événements',
  changeSecret: 'Changer le secret',
  changeSecretText: 'Pendant 24 heures, les messages sont signés avec les deux secrets, pour n’en perdre aucun.',
  changeSecretSubmit: 'Créer un nouveau secret',
  remove: 'Supprimer le point de réception',
  removeText: 'Les messages en attente ne sont pas envoyés.',
  removeSubmit: 'Supprimer le point de réception',
  secretTitle: 'Secret du webhook',
  secret: 'Secret',
  secretOnce: 'Copiez le secret maintenant et conservez-le en lieu sûr. Vous ne pourrez plus le voir.',
  back: 'Aller aux webhooks',
};
