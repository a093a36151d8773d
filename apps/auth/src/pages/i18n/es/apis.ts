import type { RichText } from '../rich-text.ts';

/** Texts of the pages of a developer's APIs. */
export const apis = {
  title: 'Mis API',
  intro:
    'Tu propia API, por ejemplo un servidor MCP, puede aceptar tokens de este servicio. Las personas autorizan sus scopes, y las aplicaciones la nombran con el parámetro «resource».',
  create: 'Registrar una API',
  empty: 'Todavía no has registrado ninguna API.',
  deleted: 'API eliminada.',
  save: 'Guardar los cambios',
  done: {
    created: 'API registrada.',
    saved: 'Cambios guardados.',
    proven: 'La dirección está verificada.',
    'already-created': 'Ya has registrado este identificador.',
  },
  scopeRemoval:
    'Si quitas un scope, deja de estar concedido para todos, y los tokens anteriores dejan de estar activos.',
  remove: 'Eliminar esta API',
  removeText:
    'Las personas y las aplicaciones pierden sus scopes de inmediato. Si la registras de nuevo, las personas tendrán que autorizarla otra vez.',
  removeSubmit: 'Eliminar la API',
  history: {
    intro:
      'Lo que ha ocurrido con tus API, también con las eliminadas, lo más reciente primero. Las entradas no se pueden modificar ni eliminar.',
    events: {
      'api.created': 'API registrada',
      'api.changed': 'Ajustes de la API guardados',
      'api.deleted': 'API eliminada',
    },
    name: (name: string) => `nombre: ${name}`,
    descriptions: 'descripciones de los scopes',
    proof: 'verificación de la dirección',
  },
  form: {
    identifier: 'Identificador',
    identifierHint:
      'La dirección https de tu API, por ejemplo https://notes.example.com/mcp. Es la audiencia de los tokens y no se puede cambiar.',
    scopes: 'Permisos (scopes)',
    scopesHint:
      'Uno por línea: el nombre, un espacio y lo que permite, por ejemplo «notes:read Leer tus notas». Las personas ven la descripción.',
    client: 'Aplicación que comprueba los tokens (introspección)',
    clientHint:
      'Tu API puede comprobar los tokens con sus credenciales. Sin ella, verifica los tokens con las claves publicadas.',
    noClient: 'Ninguna',
    accessTokenAlg: 'Firma de los tokens de acceso',
    accessTokenAlgHint: 'ES256, salvo que tu pasarela o biblioteca solo conozca RS256.',
  },
  proof: {
    title: 'Verificar la dirección',
    proven: (address: RichText): RichText => ['Verificada: ', address, ' nombra este servicio.'],
    unproven: (address: RichText, issuer: RichText): RichText => [
      'La página de consentimiento dice que no está verificado que operes esta dirección. Publica los metadatos de tu API (RFC 9728) en ',
      address,
      ', con ',
      issuer,
      ' en «authorization_servers». Después, compruébalos.',
    ],
    submit: 'Comprobar la dirección',
    failed: 'La dirección no está verificada: ningún metadato de esta API nombra este servicio.',
  },
  errors: {
    tooMany: 'Puedes registrar hasta 10 API. Elimina una primero.',
    client: 'Elige una de tus aplicaciones confidenciales.',
    identifier: {
      'too-long': 'El identificador tiene más de 512 caracteres.',
      malformed: 'No es una URL https normalizada, como https://api.example.com/notes.',
      fragment: 'Quita el # y todo lo que sigue.',
      query: 'Quita el signo de interrogación y todo lo que sigue.',
      'insecure-scheme': 'Usa https; http solo se permite para localhost, 127.0.0.1 y [::1].',
      'own-service': 'Esta dirección pertenece a este servicio. Usa la dirección de tu propia API.',
      taken: 'Este identificador ya está registrado.',
    },
    scopes: {
      none: (_scope: string) => 'Indica al menos un scope.',
      'too-many': (_scope: string) => 'Una API puede tener hasta 30 scopes.',
      malformed: (scope: string) =>
        `${scope} no es un nombre válido: hasta 64 caracteres ASCII visibles, sin ", \\ ni #.`,
      reserved: (scope: string) => `${scope} es un scope de este servicio o de OpenID Connect.`,
      repeated: (scope: string) => `${scope} aparece dos veces en la lista.`,
      undescribed: (scope: string) => `${scope} necesita una descripción de 200 caracteres como máximo.`,
      unprintable: (scope: string) => `La descripción de ${scope} contiene un carácter que no se puede mostrar.`,
    },
  },
};
