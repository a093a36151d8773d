import type { FailureTexts } from '../text-types.ts';

/** Why requests of an application failed, in French. */
const causes: FailureTexts = {
  redirect_uri_missing: {
    cause: 'La requête n’a pas de redirect_uri.',
    fix: 'Envoyez l’une des URI de redirection enregistrées. La demande de jeton doit avoir la même que la demande d’autorisation.',
  },
  redirect_uri_none: {
    cause: 'L’application n’a pas d’URI de redirection.',
    fix: 'Enregistrez l’adresse à laquelle les personnes reviennent.',
  },
  redirect_uri_unregistered: {
    cause: 'L’URI de redirection n’est pas enregistrée.',
    fix: 'Enregistrez cette URI de redirection, ou envoyez-en une qui l’est. Chaque caractère compte.',
  },
  redirect_uri_changed: {
    cause: 'L’URI de redirection diffère de celle de la demande d’autorisation.',
    fix: 'Envoyez dans la demande de jeton la même redirect_uri que dans la demande d’autorisation.',
  },
  logout_uri_unregistered: {
    cause: 'La post_logout_redirect_uri n’est pas enregistrée.',
    fix: 'Enregistrez-la, ou envoyez-en une qui l’est. Chaque caractère compte.',
  },
  secret_missing: {
    cause: 'La requête n’a pas de secret client.',
    fix: 'Envoyez l’ID client et le secret avec l’authentification HTTP Basic.',
  },
  secret_wrong: {
    cause: 'Le secret client est faux.',
    fix: 'Vérifiez qu’il ne contient pas d’espace et qu’il n’appartient pas à une autre application. S’il est perdu, ajoutez-en un.',
  },
  secret_expected: {
    cause: 'La requête a une assertion client, mais l’application s’authentifie avec un secret.',
    fix: 'Envoyez le secret, ou enregistrez les clés de l’application.',
  },
  secret_unexpected: {
    cause: 'La requête a un secret ou une assertion, mais ce type d’application n’en a pas.',
    fix: 'Envoyez seulement le client_id. PKCE protège le code.',
  },
  assertion_expected: {
    cause: 'L’application s’authentifie avec ses propres clés, et la requête n’a pas d’assertion client.',
    fix: 'Envoyez une client_assertion signée avec une clé enregistrée, ou utilisez un secret au lieu des clés.',
  },
  assertion_rejected: {
    cause: 'L’assertion client a été refusée.',
    fix: 'Vérifiez sa signature, ses dates et son audience.',
  },
  secret_expired: {
    cause: 'Le secret client était correct, mais il a expiré.',
    fix: 'Ajoutez un secret et utilisez-le sur ce serveur.',
  },
  code_unknown: {
    cause: 'Le code d’autorisation n’existe pas.',
    fix: 'Envoyez le code exactement comme l’URI de redirection l’a reçu. Les codes sont supprimés un jour après leur expiration.',
  },
  code_expired: {
    cause: 'Le code d’autorisation avait expiré.',
    fix: 'Échangez le code dès que l’URI de redirection le reçoit.',
  },
  code_used: {
    cause: 'Le code d’autorisation avait déjà été utilisé. Son consentement a pris fin et ses jetons sont révoqués.',
    fix: 'Échangez chaque code une seule fois. Recharger l’URI de redirection ne doit pas répéter la requête.',
  },
  code_foreign: {
    cause: 'Le code d’autorisation appartient à une autre application.',
    fix: 'Utilisez le client_id de la demande d’autorisation.',
  },
  code_grant_ended: {
    cause: 'Le consentement lié au code a pris fin.',
    fix: 'La personne a révoqué l’accès, ou celui-ci a pris fin. Demandez à nouveau l’autorisation.',
  },
  code_rejected: {
    cause: 'Le code a été refusé.',
    fix: 'Recommencez l’autorisation.',
  },
  device_code_unknown: {
    cause: 'Le code d’appareil n’existe pas.',
    fix: 'Envoyez le device_code de la réponse. Les codes sont supprimés un jour après leur expiration.',
  },
  device_code_expired: {
    cause: 'Le code d’appareil avait expiré.',
    fix: 'Recommencez si la personne met plus de temps que expires_in.',
  },
  device_code_used: {
    cause: 'Le code d’appareil avait déjà été utilisé.',
    fix: 'Cessez d’interroger le service dès que vous avez les jetons.',
  },
  device_code_foreign: {
    cause: 'Le code d’appareil appartient à une autre application.',
    fix: 'Utilisez le client_id de la demande de l’appareil.',
  },
  device_slow_down: {
    cause: 'L’appareil a interrogé le service trop souvent.',
    fix: 'Attendez interval secondes entre deux requêtes, et cinq secondes de plus après chaque slow_down.',
  },
  refresh_token_unknown: {
    cause: 'Le jeton d’actualisation n’existe pas.',
    fix: 'Envoyez-le exactement comme vous l’avez reçu. Les jetons d’actualisation sont supprimés un jour après leur expiration.',
  },
  refresh_token_expired: {
    cause: 'Le jeton d’actualisation avait expiré.',
    fix: 'Demandez à nouveau l’autorisation à la personne.',
  },
  refresh_token_used: {
    cause: 'Le jeton d’actualisation avait déjà été utilisé. Son consentement a pris fin et ses jetons sont révoqués.',
    fix: 'Conservez le nouveau jeton d’actualisation de chaque réponse, et laissez un seul processus actualiser à la fois.',
  },
  refresh_token_foreign: {
    cause: 'Le jeton d’actualisation appartient à une autre application.',
    fix: 'Utilisez le client_id pour lequel il a été émis.',
  },
  refresh_token_grant_ended: {
    cause: 'Le consentement lié au jeton d’actualisation a pris fin.',
    fix: 'La personne a révoqué l’accès, ou celui-ci a pris fin. Demandez à nouveau l’autorisation.',
  },
  refresh_token_rejected: {
    cause: 'Le jeton d’actualisation a été refusé.',
    fix: 'Demandez à nouveau l’autorisation à la personne.',
  },
  challenge_missing: {
    cause: 'La demande d’autorisation n’a pas de code_challenge.',
    fix: 'Envoyez un code_challenge avec code_challenge_method=S256 (PKCE).',
  },
  challenge_method: {
    cause: 'La code_challenge_method n’est pas S256.',
    fix: 'Envoyez code_challenge_method=S256 et le SHA-256 du vérificateur en base64url.',
  },
  challenge_malformed: {
    cause: 'Le code_challenge n’est pas un SHA-256 en base64url.',
    fix: 'Envoyez 43 caractères sans remplissage.',
  },
  verifier_missing: {
    cause: 'La demande de jeton n’a pas de code_verifier.',
    fix: 'Envoyez le code_verifier dont provient le code_challenge.',
  },
  verifier_wrong: {
    cause: 'Le code_verifier ne correspond pas au code_challenge.',
    fix: 'Gardez le vérificateur de chaque demande d’autorisation jusqu’à l’arrivée de son code, par exemple dans la session.',
  },
  verifier_unexpected: {
    cause: 'La demande de jeton a un code_verifier, mais la demande d’autorisation n’avait pas de code_challenge.',
    fix: 'Envoyez le code_challenge dans la demande d’autorisation.',
  },
  scope_unknown: {
    cause: 'Ce scope n’existe pas.',
    fix: 'Vérifiez l’orthographe. Le guide énumère tous les scopes.',
  },
  scope_unregistered: {
    cause: 'Le scope n’est pas enregistré pour cette application.',
    fix: 'Cochez l’autorisation dans les paramètres, ou retirez-la de la requête.',
  },
  scope_not_granted: {
    cause: 'Une actualisation a demandé un scope que la personne n’a pas accordé.',
    fix: 'Envoyez la personne au point d’autorisation avec tous les scopes dont vous avez besoin.',
  },
  scope_ignored: {
    cause:
      'La requête nommait des scopes qui n’existent pas. Ils ont été ignorés ; le reste de la requête a été traité.',
    fix: 'Retirez-les de la requête.',
  },
  person_denied: {
    cause: 'La personne a refusé.',
    fix: 'Respectez sa décision, et permettez-lui de réessayer.',
  },
  login_required: {
    cause: 'Avec prompt=none, la personne doit déjà être connectée.',
    fix: 'Envoyez la personne au point d’autorisation sans prompt=none.',
  },
  consent_required: {
    cause:
      'Avec prompt=none, la personne doit déjà avoir autorisé l’application. Les applications publiques et natives demandent à chaque fois, sauf si l’URI de redirection est en https.',
    fix: 'Envoyez la personne au point d’autorisation sans prompt=none.',
  },
  logout_undelivered: {
    cause:
      'Votre backchannel_logout_uri n’a pas accepté un jeton de déconnexion. Il est renvoyé pendant 24 heures au plus.',
    fix: 'Répondez en quelques secondes avec le statut 200 ou 204.',
  },
  grant_type_off: {
    cause: 'L’application ne peut pas utiliser ce type d’octroi.',
    fix: 'Activez-le dans les paramètres.',
  },
  grant_type_unknown: {
    cause: 'Le service ne connaît pas ce grant_type.',
    fix: 'Utilisez authorization_code, refresh_token, client_credentials ou le code d’appareil.',
  },
  response_type_unknown: {
    cause: 'Le service ne connaît pas ce response_type.',
    fix: 'Envoyez response_type=code.',
  },
  pushed_request_required: {
    cause: 'L’application doit d’abord pousser ses demandes d’autorisation.',
    fix: 'Envoyez d’abord les paramètres à /oauth/par, ou désactivez ce paramètre.',
  },
  pushed_request_unknown: {
    cause: 'La request_uri est inconnue, expirée ou déjà utilisée.',
    fix: 'Poussez une nouvelle requête à chaque essai, et utilisez aussitôt sa request_uri.',
  },
  dpop_required: {
    cause: 'La requête n’a pas de preuve DPoP.',
    fix: 'Envoyez un en-tête DPoP, ou désactivez ce paramètre.',
  },
  dpop_other_key: {
    cause: 'Le jeton d’actualisation est lié à une autre clé.',
    fix: 'Signez la preuve DPoP avec la clé qui a servi à l’émission du jeton d’actualisation.',
  },
  dpop_rejected: {
    cause: 'La preuve DPoP a été refusée.',
    fix: 'Créez une nouvelle preuve pour chaque requête, avec sa méthode et son URL.',
  },
  parameter_missing: {
    cause: 'Un paramètre manque.',
    fix: 'Envoyez les paramètres ci-dessus dans le corps, sous forme de formulaire.',
  },
  parameter_repeated: {
    cause: 'Un paramètre a été envoyé deux fois.',
    fix: 'Envoyez chaque paramètre une seule fois.',
  },
  body_too_large: {
    cause: 'Le corps de la requête est trop grand.',
    fix: 'Envoyez seulement les paramètres de la requête.',
  },
  request_rejected: {
    cause: 'La requête n’était pas valable.',
    fix: 'Le message dit ce qui n’allait pas.',
  },
  token_expired: {
    cause: 'Le jeton d’accès avait expiré.',
    fix: 'Actualisez-le peu avant son expiration, ou après cette erreur.',
  },
  token_revoked: {
    cause: 'Le jeton d’accès était révoqué.',
    fix: 'Demandez-en un nouveau. Les jetons prennent fin avec leur consentement, leur secret, le compte ou le mot de passe.',
  },
};

const count = new Intl.NumberFormat('fr');

/** Texts of the list of failed requests of an application, in French. */
export const failures = {
  title: 'Pourquoi des requêtes ont échoué',
  whole: 'Afficher en entier',
  intro: 'Les requêtes de cette application au serveur d’autorisation et à l’API qui ont échoué ces 7 derniers jours.',
  filter: 'Filtrer',
  kind: 'Raison',
  requestId: 'Identifiant de la requête',
  requestIdHint: 'L’en-tête X-Request-Id d’une réponse. Les pages d’erreur l’affichent aussi.',
  own: 'Seulement les requêtes authentifiées',
  ownHint: 'N’importe qui peut envoyer les autres au nom de votre application.',
  show: 'Afficher',
  showAll: 'Tout afficher',
  all: 'Toutes',
  none: 'Aucune requête n’a échoué.',
  noneFound: 'Aucune requête échouée ne correspond. Une nouvelle peut mettre une seconde à apparaître.',
  server: 'Serveur d’autorisation',
  api: 'Requêtes à l’API',
  kinds: {
    redirect_uri: 'URI de redirection',
    credentials: 'Identifiants',
    secret_ended: 'Secret expiré',
    code: 'Code d’autorisation',
    refresh_token: 'Jeton d’actualisation',
    pkce: 'Preuve du code (PKCE)',
    scope: 'Autorisations',
    ignored_scope: 'Scopes ignorés',
    person: 'Décision de la personne',
    logout: 'Déconnexion',
    request: 'Autre',
    api: 'Toutes les erreurs de l’API',
  },
  statuses: {
    400: '400 Requête non valide',
    401: '401 Jeton d’accès',
    403: '403 Interdit',
    404: '404 Introuvable',
    409: '409 Conflit',
    422: '422 Clé d’idempotence ou image',
    429: '429 Limite d’appels',
  },
  facts: {
    issuedAt: 'Émis',
    usedAt: 'Utilisé d’abord',
    expiresAt: 'Expiré',
    endedAt: 'Consentement terminé',
    secret: 'Secret concerné',
    scopes: 'Scopes concernés',
    parameters: 'Paramètre',
    grantType: 'Type d’octroi',
    limit: 'Limite d’appels',
  },
  repeats: (times: number) => `${count.format(times)} fois, la dernière :`,
  first: (time: string) => `, la première : ${time}`,
  message: 'Message du serveur',
  fix: 'Comment y remédier :',
  causes,
  presented: 'Envoyée',
  registered: 'La plus proche enregistrée',
  authorized: 'Demande d’autorisation',
  noneRegistered: 'aucune',
  difference: 'Différence',
  missing: 'manque :',
  extra: 'en trop :',
};
