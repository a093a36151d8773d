import type { RichText } from '../rich-text.ts';

/** Texts of the pages of a developer's APIs. */
export const apis = {
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
