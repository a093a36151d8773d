import type { RedirectUriProblem } from '@linnet/applications/application/redirect-uri-policy';
import type { RichText } from '../text-types.ts';
import * as applicationPages from './application-pages.ts';
import * as applicationSettings from './application-settings.ts';
import { failures } from './failures.ts';
import { playground } from './playground.ts';

/** What is wrong with a redirect URI; the text follows the URI, in French. */
const redirectUriProblems: Readonly<Record<RedirectUriProblem, string>> = {
  'too-long': 'dépasse 2048 caractères.',
  'not-ascii':
    'contient une espace, une barre oblique inverse ou un caractère hors de l’ASCII. Écrivez ces caractères sous forme encodée (%20, par exemple).',
  'not-absolute': 'n’est pas une adresse complète, par exemple https://app.example.com/callback.',
  fragment: 'a un fragment. Supprimez le # et ce qui suit.',
  userinfo: 'indique un nom d’utilisateur ou un mot de passe avant l’hôte. Supprimez-les.',
  'insecure-scheme':
    'utilise http. Seuls localhost, 127.0.0.1 et [::1] y ont droit ; tout autre hôte a besoin de https.',
  'unsupported-scheme':
    'ne commence pas par https://. Seules les applications natives peuvent avoir leur propre schéma.',
  'reserved-scheme': 'a un schéma que les navigateurs ou les systèmes utilisent eux-mêmes. Choisissez-en un à vous.',
  'scheme-without-dot':
    'a un schéma qui n’est pas un nom de domaine inversé et qui n’est pas suivi de ://. Utilisez-en un comme com.example.app:/callback.',
  'loopback-https': 'utilise https pour l’appareil lui-même, pour lequel il n’existe pas de certificat. Utilisez http.',
  'wildcard-host': 'a un * dans son hôte. Indiquez chaque hôte sur une ligne à part.',
  'encoded-control': 'contient un caractère de contrôle encodé ou un encodage (%) incorrect.',
  'dot-segment': 'a « . » ou « .. » dans son chemin. Écrivez le chemin voulu.',
  'reserved-parameter':
    'a un paramètre de requête que la réponse contiendra elle-même, comme code, iss, error ou scope.',
  'bad-state': 'a un paramètre state répété ou qui n’est pas en Base64.',
  'not-normal':
    'n’est pas sous sa forme normale : écrivez le schéma et l’hôte en minuscules et omettez le port habituel.',
  'own-service': 'appartient à ce service. Utilisez l’adresse de votre application.',
};

/** Texts of the pages of a developer's APIs. */
const apis = {
  title: 'Mes API',
  intro:
    'Votre propre API, par exemple un serveur MCP, peut accepter les jetons de ce service. Les personnes consentent à ses scopes, et les applications la nomment avec le paramètre « resource ».',
  create: 'Enregistrer une API',
  empty: 'Vous n’avez pas encore enregistré d’API.',
  deleted: 'API supprimée.',
  save: 'Enregistrer les modifications',
  done: {
    created: 'API enregistrée.',
    saved: 'Modifications enregistrées.',
    proven: 'L’adresse est vérifiée.',
    'already-created': 'Vous avez déjà enregistré cet identifiant.',
  },
  scopeRemoval: 'Si vous retirez un scope, plus personne ne l’a accordé, et les jetons antérieurs ne sont plus actifs.',
  remove: 'Supprimer cette API',
  removeText:
    'Les personnes et les applications perdent ses scopes immédiatement. Si vous l’enregistrez de nouveau, les personnes devront consentir de nouveau.',
  removeSubmit: 'Supprimer l’API',
  history: {
    intro:
      'Ce qui est arrivé à vos API, y compris celles que vous avez supprimées, du plus récent au plus ancien. Les entrées ne peuvent être ni modifiées ni supprimées.',
    events: {
      'api.created': 'API enregistrée',
      'api.changed': 'Paramètres de l’API enregistrés',
      'api.deleted': 'API supprimée',
    },
    name: (name: string) => `nom : ${name}`,
    descriptions: 'descriptions des scopes',
    proof: 'vérification de l’adresse',
  },
  form: {
    identifier: 'Identifiant',
    identifierHint:
      'L’adresse https de votre API, par exemple https://notes.example.com/mcp. C’est l’audience des jetons, et elle ne peut pas être modifiée.',
    scopes: 'Autorisations (scopes)',
    scopesHint:
      'Un par ligne : le nom, une espace et ce qu’il permet, par exemple « notes:read Lire vos notes ». Les personnes voient la description.',
    client: 'Application qui vérifie les jetons (introspection)',
    clientHint:
      'Votre API peut vérifier les jetons avec ses identifiants. Sans elle, vérifiez les jetons avec les clés publiées.',
    noClient: 'Aucune',
    accessTokenAlg: 'Signature des jetons d’accès',
    accessTokenAlgHint: 'ES256, sauf si votre passerelle ou votre bibliothèque ne connaît que RS256.',
  },
  streams: {
    title: 'Événements de sécurité',
    none: 'Votre API n’a pas de flux d’événements. Son application peut en créer un, pour que votre API apprenne en une seconde quels jetons sont révoqués.',
    polled: 'Récupéré par votre API',
    states: { on: 'actif', paused: 'en pause', off: 'désactivé' },
    failing: (time: string) => `aucun événement n’est arrivé depuis le ${time}`,
    lastEvent: (time: string) => `dernier événement\u00a0: ${time}`,
    lastStatus: (status: number) => `dernière réponse : statut ${String(status)}`,
  },
  proof: {
    title: 'Vérifier l’adresse',
    proven: (address: RichText): RichText => ['Vérifiée : ', address, ' nomme ce service.'],
    unproven: (address: RichText, issuer: RichText): RichText => [
      'La page de consentement dit que rien ne confirme que vous exploitez cette adresse. Publiez les métadonnées de votre API (RFC 9728) à ',
      address,
      ', avec ',
      issuer,
      ' dans « authorization_servers ». Puis vérifiez-les.',
    ],
    submit: 'Vérifier l’adresse',
    failed: 'L’adresse n’est pas vérifiée : aucune métadonnée de cette API ne nomme ce service.',
  },
  errors: {
    tooMany: 'Vous pouvez enregistrer jusqu’à 10 API. Supprimez-en une d’abord.',
    client: 'Choisissez une de vos applications confidentielles.',
    identifier: {
      'too-long': 'L’identifiant dépasse 512 caractères.',
      malformed: 'Ce n’est pas une URL https normalisée, comme https://api.example.com/notes.',
      fragment: 'Retirez le # et tout ce qui suit.',
      query: 'Retirez le point d’interrogation et tout ce qui suit.',
      'insecure-scheme': 'Utilisez https ; http n’est permis que pour localhost, 127.0.0.1 et [::1].',
      'own-service': 'Cette adresse appartient à ce service. Utilisez l’adresse de votre propre API.',
      taken: 'Cet identifiant est déjà enregistré.',
    },
    scopes: {
      none: (_scope: string) => 'Saisissez au moins un scope.',
      'too-many': (_scope: string) => 'Une API peut avoir jusqu’à 30 scopes.',
      malformed: (scope: string) =>
        `${scope} n’est pas un nom valide : jusqu’à 64 caractères ASCII visibles, sans ", \\ ni #.`,
      reserved: (scope: string) => `${scope} est un scope de ce service ou d’OpenID Connect.`,
      repeated: (scope: string) => `${scope} figure deux fois dans la liste.`,
      undescribed: (scope: string) => `${scope} a besoin d’une description de 200 caractères au plus.`,
      unprintable: (scope: string) => `La description de ${scope} contient un caractère qui ne peut pas être affiché.`,
    },
  },
};

/** Texts of the developer area, in French. */
export const developer = {
  apis,
  list: {
    title: 'Mes applications',
    apis: 'Protéger votre propre API',
    intro: 'Les applications utilisent l’API en leur propre nom et au nom des personnes qui les autorisent.',
    create: 'Créer une application',
    empty: 'Vous n’avez pas encore d’application. Créez-en une pour obtenir un ID client et votre premier jeton.',
    deleted: 'L’application a été supprimée.',
    unconfirmed:
      'Votre adresse e-mail n’est pas encore confirmée. Vos applications fonctionnent, mais les personnes à qui elles demandent l’accès le voient.',
    unconfirmedAccess:
      'Tant que vous ne l’avez pas confirmée, elles ne peuvent pas agir pour votre compte. La confirmation les met en pause et supprime leurs secrets et clés, au cas où quelqu’un d’autre les aurait créées.',
    confirm: 'Confirmer votre adresse',
    clientId: 'ID client',
    created: (day: string) => `Créée le ${day}`,
    suspended: 'Suspendue',
  },
  types: {
    confidential: { label: 'Confidentielle' },
    public: { label: 'Publique' },
    native: { label: 'Native' },
  },
  form: {
    name: 'Nom',
    nameHint: 'C’est ce que voient les personnes à qui l’on demande d’autoriser l’application.',
    redirectUris: 'URI de redirection',
    redirectUrisHint:
      'Où les personnes reviennent après leur décision : une adresse par ligne, exactement comme l’application l’enverra. Avec https, ou http pour localhost ; pour une application native, aussi com.example.app:/callback. Laissez le champ vide si personne ne se connecte avec elle.',
    redirectUrisWarning:
      'N’importe quelle application de l’appareil peut s’attribuer un schéma sans point et recevoir ainsi le code d’autorisation. PKCE protège le code ; un nom de domaine inversé, comme com.example.app:/callback, est encore plus sûr.',
    scope: 'Autorisations',
    scopeHint: 'Tout ce que l’application pourra demander, dans les termes que les personnes liront.',
    scopeUse: 'Pour les personnes, elle est',
    scopeRequired: 'obligatoire',
    scopeOptional: 'facultative : elles peuvent la décocher',
    scopeReason: 'Pourquoi vous la demandez, en une phrase que les personnes liront (facultatif)',
    jwksUri: 'Adresse de ses clés (JWKS)',
    jwksUriHint:
      'Pour une application qui signe ses requêtes (private_key_jwt) et ne reçoit pas de secret : une adresse https où se trouvent ses clés publiques, ES256, PS256, EdDSA ou RS256.',
    implicit: 'Autoriser response_type=token',
    implicitWarning:
      'Transmet le jeton d’accès dans la barre d’adresse. Pour d’anciens clients seulement : le code d’autorisation avec PKCE est plus sûr et fonctionne partout.',
    actAsOwner: 'La laisser agir comme mon propre compte',
    actAsOwnerText:
      'Avec ses propres identifiants (client credentials), l’application peut publier, aimer et suivre en votre nom. Vous pouvez revenir sur ce choix sous « Applications connectées ».',
    confidentialOnly: 'Applications confidentielles seulement.',
    errors: {
      nameBlank: 'Saisissez un nom.',
      nameTooLong: 'Le nom peut avoir 60 caractères au plus.',
      typeMissing: 'Choisissez un type.',
      scopeUnknown: (scope: string) => `L’autorisation « ${scope} » n’existe pas.`,
      scopeReasonTooLong: (scope: string) => `La raison de « ${scope} » peut avoir 200 caractères au plus.`,
      scopeReasonUnprintable: (scope: string) =>
        `La raison de « ${scope} » contient un caractère impossible à afficher.`,
      redirectUrisTooMany: 'Une application peut avoir 20 URI de redirection au plus.',
      jwksNotConfidential: 'Seule une application confidentielle peut avoir ses propres clés.',
      jwksUriBad: 'Saisissez une adresse https sans port, comme https://app.example.com/jwks.json, ou rien.',
      jwksUriMissing: 'L’application n’a pas de secret : il lui faut cette adresse.',
      jwksNone: 'Saisissez une adresse https ou un JWK Set en JSON.',
      jwksMalformed: 'Les clés sont inutilisables.',
      implicitStrict: 'Les applications strictes ne peuvent pas l’utiliser.',
      implicitNative:
        'Une application native ne peut pas l’utiliser : choisissez un autre type, ou laissez cette option désactivée.',
      implicitWithoutRedirectUri: 'Il faut pour cela une URI de redirection, à laquelle le jeton est transmis.',
      redirectUri: (uri: string, problem: RedirectUriProblem) => `${uri} ${redirectUriProblems[problem]}`,
      tooManyApplications: 'Vous avez autant d’applications qu’un compte peut en avoir. Supprimez-en d’abord une.',
    },
  },
  create: {
    title: 'Créer une application',
    intro: 'Trois questions. Tout le reste a une valeur par défaut, que vous pourrez modifier plus tard.',
    kind: 'De quel genre d’application s’agit-il ?',
    kindHint: 'C’est ce qui détermine si elle reçoit un secret, et cela ne pourra plus changer.',
    kinds: {
      confidential: {
        label: 'Site web avec serveur',
        text: 'Des personnes se connectent. Votre serveur garde le secret.',
      },
      public: {
        label: 'Application dans le navigateur',
        text: 'Des personnes se connectent. Un navigateur ne peut pas garder de secret : elle utilise donc PKCE.',
      },
      native: {
        label: 'Application sur téléphone ou ordinateur',
        text: 'Des personnes se connectent. Elle ne peut pas garder de secret et utilise PKCE. Aussi pour les outils en ligne de commande.',
      },
      backend: {
        label: 'Service, bot ou script',
        text: 'Personne ne se connecte. Elle garde un secret et agit en son nom, ou en votre nom.',
      },
    },
    redirectUrisHint:
      'Où les personnes reviennent après la connexion : une adresse par ligne, exactement comme l’application l’enverra. Avec https, ou http pour localhost ; pour une application native, aussi com.example.app:/callback. Vous pourrez l’ajouter plus tard.',
    submit: 'Créer l’application',
    cancel: 'Annuler',
  },
  credentials: {
    createdTitle: 'Application créée',
    secretTitle: 'Nouveau secret',
    clientId: 'ID client',
    clientSecret: 'Secret client',
    secretOnce:
      'Copiez le secret maintenant et gardez-le en lieu sûr. Il n’est affiché que cette fois ; nous n’en gardons qu’une empreinte.',
    noSecret:
      'Cette application ne peut pas garder de secret ; elle n’en a donc pas. Elle connecte les personnes par le code d’autorisation avec PKCE (S256).',
    ownKeys:
      'Elle prouve son identité en signant ses requêtes avec ses propres clés (private_key_jwt) ; elle n’a donc pas de secret.',
    continue: 'Vers l’application',
  },
  ...applicationPages,
  ...applicationSettings,
  playground,
  testPeople: {
    title: 'Personnes de test',
    intro:
      'Des comptes pour essayer vos applications. Seules vos propres applications les voient, ainsi que ce qu’ils écrivent\u202f; pour tous les autres, ils n’existent pas.',
    use: 'Connectez-vous comme l’une d’elles sous «\u00a0Essai\u00a0» d’une application. Elles n’ont pas de mot de passe et ne reçoivent aucun e-mail. Elles lisent tout ce qui est public, mais ne peuvent suivre, aimer, commenter et mentionner que leurs semblables.',
    empty: 'Vous n’avez pas encore de personne de test.',
    create: 'Créer une personne de test',
    enough: (count: number) => `C’est tout\u00a0: ${String(count)} personnes de test au maximum.`,
    later: 'Trop de personnes de test ont été créées aujourd’hui. Réessayez plus tard.',
    edit: 'Renommer ou supprimer',
    username: 'Nom d’utilisateur',
    firstName: 'Prénom',
    lastName: 'Nom',
    save: 'Enregistrer',
    deleteText: 'Supprime définitivement le compte et tout ce qu’il a écrit.',
    delete: 'Supprimer cette personne de test',
    done: {
      created: 'Personne de test créée.',
      saved: 'Modifications enregistrées.',
      deleted: 'Personne de test supprimée.',
    },
    errors: {
      username: 'Utilisez de 5 à 32 lettres, chiffres et tirets bas.',
      name: 'Saisissez un nom de longueur autorisée.',
      taken: 'Ce nom d’utilisateur est pris ou réservé.',
      tooMany: 'Cette personne de test a été renommée trop souvent. Réessayez plus tard.',
      refused: 'Ce nom n’est pas accepté.',
    },
  },
  failures,
  watched: {
    title: 'Requêtes réussies',
    intro: (minutes: number) =>
      `Les 100 dernières, jetons compris, avec les identifiants de leurs réponses. Elles sont gardées une heure, et seulement pendant que vous les suivez\u00a0: ${String(minutes)}\u00a0minutes à la fois.`,
    watch: (minutes: number) => `Suivre pendant ${String(minutes)}\u00a0minutes`,
    until: (time: string) => `Suivi jusqu’à ${time}.`,
    reload: 'Actualiser',
    stop: 'Arrêter',
    none: 'Aucune requête réussie n’a été suivie pendant la dernière heure.',
    waiting: 'Aucune requête réussie pour l’instant. Actualisez la page une seconde après la prochaine.',
  },
  application: {
    clientId: 'ID client',
    type: 'Type',
    created: 'Créée le',
    suspended: 'Un administrateur a suspendu cette application. Ses jetons sont refusés.',
    saved: 'Les modifications ont été enregistrées.',
    secretRetired: 'Le secret a été retiré. Il ne fonctionne plus.',
    alreadyCreated:
      'Ce formulaire avait déjà été envoyé : l’application existe. Son secret, si elle en a un, a été affiché à ce moment-là ; si vous ne l’avez pas, ajoutez-en un autre.',
    alreadyAdded:
      'Ce formulaire avait déjà été envoyé : le secret existe et a été affiché à ce moment-là. Si vous ne l’avez pas, retirez-le et ajoutez-en un autre.',
    save: 'Enregistrer les modifications',
    ownKeys:
      'Cette application signe ses requêtes avec ses propres clés (private_key_jwt) ; elle n’a donc pas de secret.',
    remove: 'Supprimer l’application',
    removeText:
      'Elle n’obtient plus de jetons, les siens prennent fin en une seconde, et elle perd l’accès que des personnes lui ont donné. C’est irréversible.',
    confirm: (name: RichText): RichText => ['Pour confirmer, saisissez ', name],
    confirmWrong: 'Ce n’est pas le nom de l’application.',
    removeSubmit: 'Supprimer cette application',
  },
};
