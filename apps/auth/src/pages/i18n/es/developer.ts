import type { RedirectUriProblem } from '@linnet/applications/application/redirect-uri-policy';
import type { RichText } from '../text-types.ts';
import * as applicationPages from './application-pages.ts';
import * as applicationSettings from './application-settings.ts';
import { failures } from './failures.ts';
import { playground } from './playground.ts';

/** What is wrong with a redirect URI; the text follows the URI, in Spanish. */
const redirectUriProblems: Readonly<Record<RedirectUriProblem, string>> = {
  'too-long': 'supera los 2048 caracteres.',
  'not-ascii':
    'contiene un espacio, una barra invertida o un carácter que no es ASCII. Escribe esos caracteres codificados (por ejemplo, %20).',
  'not-absolute': 'no es una dirección completa, como https://app.example.com/callback.',
  fragment: 'tiene un fragmento. Quita el # y lo que sigue.',
  userinfo: 'tiene un nombre de usuario o una contraseña delante del host. Quítalos.',
  'insecure-scheme': 'usa http. Solo pueden hacerlo localhost, 127.0.0.1 y [::1]; cualquier otro host necesita https.',
  'unsupported-scheme': 'no empieza por https://. Solo las aplicaciones nativas pueden tener esquemas propios.',
  'reserved-scheme':
    'tiene un esquema que los navegadores o los sistemas operativos usan ellos mismos. Usa uno propio.',
  'scheme-without-dot':
    'tiene un esquema que no es un nombre de dominio invertido y no va seguido de ://. Usa uno como com.example.app:/callback.',
  'loopback-https': 'usa https para el propio dispositivo, para el que no puede haber certificado. Usa http.',
  'wildcard-host': 'tiene un * en el host. Indica cada host en su propia línea.',
  'encoded-control': 'contiene un carácter de control codificado o una codificación con % incorrecta.',
  'dot-segment': 'tiene «.» o «..» en la ruta. Escribe la ruta que corresponda.',
  'reserved-parameter':
    'tiene un parámetro de consulta que la propia respuesta llevará, como code, iss, error o scope.',
  'bad-state': 'tiene un parámetro state repetido o que no es Base64.',
  'not-normal': 'no está en su forma normal: escribe el esquema y el host en minúsculas y omite el puerto habitual.',
  'own-service': 'pertenece a este servicio. Usa la dirección de tu aplicación.',
};

/** Texts of the pages of a developer's APIs. */
const apis = {
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
  streams: {
    title: 'Eventos de seguridad',
    none: 'Tu API no tiene ningún flujo de eventos. Su aplicación puede crear uno, para que tu API sepa en un segundo qué tokens se han revocado.',
    polled: 'Los recoge tu API',
    states: { on: 'activo', paused: 'en pausa', off: 'desactivado' },
    failing: (time: string) => `no ha llegado ningún evento desde el ${time}`,
    lastEvent: (time: string) => `último evento: ${time}`,
    lastStatus: (status: number) => `última respuesta: estado ${String(status)}`,
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

/** Texts of the developer area, in Spanish. */
export const developer = {
  apis,
  list: {
    title: 'Mis aplicaciones',
    apis: 'Proteger tu propia API',
    intro: 'Las aplicaciones usan la API en su propio nombre y en nombre de las personas que las autorizan.',
    create: 'Crear aplicación',
    empty: 'Aún no tienes ninguna aplicación. Crea una para obtener un ID de cliente y tu primer token.',
    deleted: 'La aplicación se ha eliminado.',
    unconfirmed:
      'Tu dirección de correo electrónico aún no está confirmada. Tus aplicaciones funcionan, pero las personas a las que piden acceso lo ven.',
    unconfirmedAccess:
      'Hasta que la confirmes, no pueden actuar como tu cuenta. Al confirmarla se pausan y se eliminan sus secretos y claves, por si las creó otra persona.',
    confirm: 'Confirmar tu dirección',
    clientId: 'ID de cliente',
    created: (day: string) => `Creada el ${day}`,
    suspended: 'Suspendida',
  },
  types: {
    confidential: { label: 'Confidencial' },
    public: { label: 'Pública' },
    native: { label: 'Nativa' },
  },
  form: {
    name: 'Nombre',
    nameHint: 'Lo ven las personas a las que se pide que autoricen la aplicación.',
    redirectUris: 'URI de redirección',
    redirectUrisHint:
      'Adónde vuelven las personas tras decidir: una dirección por línea, exactamente como la enviará la aplicación. Usa https, o http para localhost; las nativas pueden usar com.example.app:/callback. Déjalo vacío si nadie inicia sesión con ella.',
    redirectUrisWarning:
      'Cualquier aplicación del dispositivo puede adueñarse de un esquema sin punto y recibir así el código de autorización. PKCE protege el código; un nombre de dominio invertido, como com.example.app:/callback, es aún más seguro.',
    scope: 'Permisos',
    scopeHint: 'Lo máximo que la aplicación puede pedir, con las palabras que leerán las personas.',
    scopeUse: 'Para las personas es',
    scopeRequired: 'obligatorio',
    scopeOptional: 'opcional: pueden desmarcarlo',
    scopeReason: 'Por qué lo pide, en una frase que leerán las personas (opcional)',
    jwksUri: 'Dirección de sus claves (JWKS)',
    jwksUriHint:
      'Para una aplicación que firma sus solicitudes (private_key_jwt) y no recibe secreto: una dirección https con sus claves públicas, ES256, PS256, EdDSA o RS256.',
    implicit: 'Permitir response_type=token',
    implicitWarning:
      'Entrega el token de acceso en la barra de direcciones. Solo para clientes antiguos: el código de autorización con PKCE es más seguro y funciona en todas partes.',
    actAsOwner: 'Permitir que actúe como mi propia cuenta',
    actAsOwnerText:
      'Con sus propias credenciales (client credentials), la aplicación puede publicar, indicar «Me gusta» y seguir en tu nombre. Puedes retirarlo en «Aplicaciones conectadas».',
    confidentialOnly: 'Solo para aplicaciones confidenciales.',
    errors: {
      nameBlank: 'Escribe un nombre.',
      nameTooLong: 'El nombre puede tener 60 caracteres como máximo.',
      typeMissing: 'Elige un tipo.',
      scopeUnknown: (scope: string) => `El permiso «${scope}» no existe.`,
      scopeReasonTooLong: (scope: string) => `El motivo de «${scope}» puede tener 200 caracteres como máximo.`,
      scopeReasonUnprintable: (scope: string) =>
        `El motivo de «${scope}» contiene un carácter que no se puede mostrar.`,
      redirectUrisTooMany: 'Una aplicación puede tener 20 URI de redirección como máximo.',
      jwksNotConfidential: 'Solo una aplicación confidencial puede tener claves propias.',
      jwksUriBad: 'Escribe una dirección https sin puerto, como https://app.example.com/jwks.json, o nada.',
      jwksUriMissing: 'La aplicación no tiene secreto: necesita esta dirección.',
      jwksNone: 'Escribe una dirección https o un JWK Set en JSON.',
      jwksMalformed: 'Las claves no se pueden usar.',
      implicitStrict: 'Las aplicaciones estrictas no pueden usarlo.',
      implicitNative: 'Una aplicación nativa no puede usarlo: elige otro tipo o deja esta opción sin marcar.',
      implicitWithoutRedirectUri: 'Hace falta una URI de redirección a la que entregar el token.',
      redirectUri: (uri: string, problem: RedirectUriProblem) => `${uri} ${redirectUriProblems[problem]}`,
      tooManyApplications: 'Tienes tantas aplicaciones como puede tener una cuenta. Elimina una primero.',
    },
  },
  create: {
    title: 'Crear aplicación',
    intro: 'Tres preguntas. Todo lo demás tiene un valor predeterminado, que podrás cambiar más tarde.',
    kind: '¿Qué clase de aplicación es?',
    kindHint: 'De ello depende que reciba un secreto, y no se puede cambiar más tarde.',
    kinds: {
      confidential: {
        label: 'Sitio web con servidor',
        text: 'Las personas inician sesión. Tu servidor guarda el secreto.',
      },
      public: {
        label: 'Aplicación en el navegador',
        text: 'Las personas inician sesión. Un navegador no puede guardar secretos, así que usa PKCE.',
      },
      native: {
        label: 'Aplicación en un teléfono o un ordenador',
        text: 'Las personas inician sesión. No puede guardar secretos y usa PKCE. También para herramientas de línea de comandos.',
      },
      backend: {
        label: 'Servicio, bot o script',
        text: 'Nadie inicia sesión. Guarda un secreto y actúa en su propio nombre, o en el tuyo.',
      },
    },
    redirectUrisHint:
      'Adónde vuelven las personas tras iniciar sesión: una dirección por línea, exactamente como la enviará la aplicación. Con https, o http para localhost; las nativas, también com.example.app:/callback. Puedes añadirla más tarde.',
    submit: 'Crear aplicación',
    cancel: 'Cancelar',
  },
  credentials: {
    createdTitle: 'Aplicación creada',
    secretTitle: 'Secreto nuevo',
    clientId: 'ID de cliente',
    clientSecret: 'Secreto de cliente',
    secretOnce:
      'Copia el secreto ahora y guárdalo en un lugar seguro. Solo se muestra esta vez; nosotros solo conservamos una huella.',
    noSecret:
      'Esta aplicación no puede guardar secretos, así que no tiene ninguno. Inicia la sesión de las personas mediante el código de autorización con PKCE (S256).',
    ownKeys:
      'Demuestra quién es firmando sus solicitudes con sus propias claves (private_key_jwt), así que no tiene secreto.',
    continue: 'Ir a la aplicación',
  },
  ...applicationPages,
  ...applicationSettings,
  playground,
  testPeople: {
    title: 'Personas de prueba',
    intro:
      'Cuentas para probar tus aplicaciones. Solo tus propias aplicaciones las ven, a ellas y lo que escriben; para los demás no existen.',
    use: 'Inicia sesión como una de ellas en «Prueba» de una aplicación. No tienen contraseña ni reciben correos. Leen todo lo público, pero solo pueden seguirse, darse me gusta, comentarse y mencionarse entre ellas.',
    empty: 'Aún no tienes personas de prueba.',
    create: 'Crear una persona de prueba',
    enough: (count: number) => `Son todas: como máximo ${String(count)} personas de prueba.`,
    later: 'Hoy se han creado demasiadas personas de prueba. Inténtalo más tarde.',
    edit: 'Cambiar el nombre o eliminar',
    username: 'Nombre de usuario',
    firstName: 'Nombre',
    lastName: 'Apellido',
    save: 'Guardar',
    deleteText: 'Elimina para siempre la cuenta y todo lo que ha escrito.',
    delete: 'Eliminar esta persona de prueba',
    done: {
      created: 'Persona de prueba creada.',
      saved: 'Cambios guardados.',
      deleted: 'Persona de prueba eliminada.',
    },
    errors: {
      username: 'Usa de 5 a 32 letras, cifras y guiones bajos.',
      name: 'Escribe un nombre de la longitud permitida.',
      taken: 'Este nombre de usuario está ocupado o reservado.',
      tooMany: 'Esta persona de prueba ha cambiado de nombre demasiadas veces. Inténtalo más tarde.',
      refused: 'Este nombre no se acepta.',
    },
  },
  failures,
  watched: {
    title: 'Solicitudes correctas',
    intro: (minutes: number) =>
      `Las últimas 100, tokens incluidos, con los identificadores de sus respuestas. Se guardan una hora, y solo mientras las sigues: ${String(minutes)} minutos cada vez.`,
    watch: (minutes: number) => `Seguir durante ${String(minutes)} minutos`,
    until: (time: string) => `Seguimiento hasta el ${time}.`,
    reload: 'Volver a cargar',
    stop: 'Detener',
    none: 'En la última hora no se ha seguido ninguna solicitud correcta.',
    waiting: 'Todavía no hay solicitudes correctas. Vuelve a cargar la página un segundo después de la próxima.',
  },
  application: {
    clientId: 'ID de cliente',
    type: 'Tipo',
    created: 'Creada el',
    suspended: 'Un administrador suspendió esta aplicación. Sus tokens se rechazan.',
    saved: 'Los cambios se han guardado.',
    secretRetired: 'El secreto se ha retirado. Ya no funciona.',
    alreadyCreated:
      'Este formulario ya se había enviado: la aplicación existe. Su secreto, si tiene, se mostró entonces; si tú no lo tienes, añade otro.',
    alreadyAdded:
      'Este formulario ya se había enviado: el secreto existe y se mostró entonces. Si no lo tienes, retíralo y añade otro.',
    save: 'Guardar cambios',
    ownKeys:
      'Esta aplicación firma sus solicitudes con sus propias claves (private_key_jwt), así que no tiene secretos.',
    remove: 'Eliminar aplicación',
    removeText:
      'No recibe más tokens, los que tiene se revocan en un segundo y se desconecta de todas las personas que la autorizaron. Esto no se puede deshacer.',
    confirm: (name: RichText): RichText => ['Para confirmar, escribe ', name],
    confirmWrong: 'Este no es el nombre de la aplicación.',
    removeSubmit: 'Eliminar esta aplicación',
  },
};
