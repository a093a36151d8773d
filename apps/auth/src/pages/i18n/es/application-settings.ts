import { countingIn } from '../counted.ts';
import type { RichText, SettingMessages } from '../text-types.ts';

/** Texts of protocol settings, in Spanish. */
export const settings: SettingMessages = {
  advanced: 'Ajustes avanzados',
  limitedTo: (seconds) =>
    `Los administradores de este servicio permiten como máximo ${String(seconds)} segundos. Ningún token dura más, sea cual sea el valor que indiques aquí.`,
  texts: {
    strict: {
      label: 'Modo estricto (FAPI 2.0)',
      text: 'Para aplicaciones de alta seguridad. Exige solicitudes de autorización enviadas por adelantado (PAR), PKCE, DPoP y autenticación de la aplicación con claves, y desactiva el código de dispositivo y response_type=token. Los tokens de identidad se firman con ES256. Los tokens de actualización no cambian, porque están vinculados a su clave. Mientras esté activado, nada de esto se puede modificar.',
    },
    grantTypes: {
      label: 'Tipos de concesión',
      text: 'Cómo puede obtener tokens la aplicación. Desactiva lo que no uses.',
    },
    requirePkce: {
      label: 'Exigir PKCE',
      text: 'Recomendado. Rechaza las solicitudes de autorización sin code_challenge (S256), para que un código robado no sirva de nada. Desactívalo solo para clientes que no admitan PKCE. Solo para aplicaciones confidenciales; las demás siempre lo necesitan.',
    },
    requirePushedAuthorizationRequests: {
      label: 'Exigir solicitudes de autorización enviadas por adelantado (PAR)',
      text: 'Rechaza las solicitudes de autorización que no se enviaron antes a /oauth/par, para que nadie pueda modificarlas en el navegador.',
    },
    dpopBoundAccessTokens: {
      label: 'Exigir DPoP',
      text: 'Solo emite tokens vinculados a una clave de la aplicación, para que un token robado no sirva de nada.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Algoritmo de las aserciones de cliente',
      text: 'Para aplicaciones que se autentican con claves (private_key_jwt). Con una opción distinta de «Cualquiera», se rechazan todos los demás algoritmos.',
    },
    acceptEndpointAudience: {
      label: 'Aceptar el endpoint de tokens como audiencia',
      text: 'Para aplicaciones que se autentican con claves (private_key_jwt) y cuya biblioteca envía el endpoint de tokens como «aud» (Spring Security, Authlib y otras). El emisor es más seguro: una aserción para él no sirve en ningún otro sitio. No con «Modo estricto».',
    },
    accessTokenLifetime: {
      label: 'Vigencia de los tokens de acceso, en segundos',
      text: 'De 60 a 3600. Déjalo vacío para el valor predeterminado de una hora.',
    },
    refreshTokenLifetime: {
      label: 'Vigencia de los tokens de actualización sin usar, en segundos',
      text: 'De 300 a 31536000. Déjalo vacío para el valor predeterminado de 30 días.',
    },
    idTokenSignedResponseAlg: {
      label: 'Firma de los tokens de identidad',
      text: 'Elige ES256 solo si todos los clientes que comprueban los tokens de identidad lo admiten. Los tokens anteriores siguen siendo válidos.',
    },
    postLogoutRedirectUris: {
      label: 'Direcciones tras cerrar la sesión',
      text: 'Adónde van las personas después de que tu aplicación las envíe a /oauth/logout. Escribe una URI por línea, exactamente como la envía tu aplicación, sin el parámetro state.',
    },
    backchannelLogoutUri: {
      label: 'URI de cierre de sesión por canal secundario',
      text: 'Cuando termina una sesión con la que alguien entró en esta aplicación, se envía aquí un token de cierre de sesión. Usa https y una dirección pública.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Exigir el identificador de sesión en los tokens de cierre de sesión',
      text: 'Algunas bibliotecas lo piden. Los tokens de cierre de sesión siempre contienen sid.',
    },
  },
  choices: {
    authorization_code: {
      label: 'Código de autorización',
      text: 'Las personas inician sesión y la autorizan en el navegador.',
    },
    any: { label: 'Cualquiera', text: 'ES256, PS256, EdDSA o, fuera del modo estricto, RS256.' },
    ES256: { label: 'ES256', text: 'ECDSA con P-256.' },
    PS256: { label: 'PS256', text: 'RSA-PSS con SHA-256.' },
    EdDSA: { label: 'EdDSA', text: 'Claves Ed25519.' },
    RS256: { label: 'RS256', text: 'RSA con PKCS #1 v1.5 y SHA-256.' },
    refresh_token: { label: 'Token de actualización', text: 'Sigue conectada sin volver a preguntar.' },
    client_credentials: {
      label: 'Credenciales del cliente',
      text: 'Obtiene tokens para sí misma. Solo para aplicaciones confidenciales.',
    },
    'urn:ietf:params:oauth:grant-type:device_code': {
      label: 'Código de dispositivo',
      text: 'Para televisores, consolas y herramientas de línea de comandos: las personas introducen un código en otro dispositivo. Puede iniciarlo cualquiera que conozca el ID de cliente, así que actívalo solo si lo necesitas.',
    },
  },
  problems: {
    'unknown-choice': (value) => `«${value}» no es una opción válida.`,
    'not-for-type': (value) => `Las aplicaciones de este tipo no pueden usar «${value}».`,
    'not-a-number': (value) => `«${value}» no es un número entero.`,
    'out-of-range': (value) => `${value} está fuera del intervalo permitido.`,
    'bad-address': (value) => `${value} no es una dirección permitida.`,
    'too-many': (value) => `Indica ${value} como máximo.`,
    'not-with-strict': () => 'Una aplicación estricta no puede tener este valor. Desactiva primero «Modo estricto».',
    'needs-keys': () => 'Las aplicaciones estrictas se autentican con claves. Primero da claves a la aplicación.',
  },
  on: 'activado',
  off: 'desactivado',
  standard: 'valor predeterminado',
};

/** Texts about how an application authenticates. */
export const authentication = {
  keysTitle: 'Usar claves en lugar de secretos',
  otherKeysTitle: 'Usar otras claves',
  keysText:
    'La aplicación firma entonces sus solicitudes con sus propias claves (private_key_jwt). Todos sus secretos dejan de funcionar al instante y se revocan sus tokens de acceso.',
  otherKeysText:
    'Las claves actuales dejan de funcionar al instante y se revocan los tokens de acceso de la aplicación.',
  keys: 'Claves públicas',
  keysHint:
    'Una dirección https donde se encuentran, como https://app.example.com/jwks.json, o un JWK Set en JSON. ES256, PS256, EdDSA o RS256.',
  setKeys: 'Usar estas claves',
  keysUsed: 'La aplicación ahora se identifica solo con estas claves.',
  secretTitle: 'Usar un secreto en lugar de claves',
  secretText:
    'Las claves dejan de funcionar al instante y se revocan los tokens de acceso de la aplicación. El secreto se muestra una sola vez.',
  setSecret: 'Crear un secreto',
  hasSecret: 'La aplicación ya tiene un secreto.',
};

const counted = countingIn('es');
const times = (uses: number): string => counted(uses, { one: () => 'una vez', other: (number) => `${number} veces` });

/** Texts of the secrets of an application, in Spanish. */
export const secrets = {
  title: 'Secretos',
  intro:
    'Para cambiar un secreto sin interrupciones, añade otro, pasa tus servidores a él y retira después el antiguo. Al retirar un secreto se revocan los tokens de acceso; tus servidores piden otros con el secreto nuevo.',
  none: 'No hay ningún secreto que funcione. Añade uno, o la aplicación no podrá pedir tokens.',
  called: (day: string) => `Secreto del ${day}`,
  created: (day: string) => `Añadido el ${day}`,
  neverUsed: 'nunca usado',
  used: (uses: number, minute: string) => `usado ${times(uses)}, la última el ${minute}`,
  ends: (minute: string) => `caduca el ${minute}`,
  noEnd: 'sin caducidad',
  soon: 'Caduca pronto',
  endsTag: (day: string) => `Un secreto caduca el ${day}`,
  endingSoon: (name: RichText, minute: string): RichText => [
    'El secreto «',
    name,
    `» caduca el ${minute}. Añade otro antes y pasa tus servidores a él, o sus solicitudes se rechazarán.`,
  ],
  safe: 'Se puede retirar',
  unusedSince: (day: string) => `Sin usar desde el ${day}`,
  neverUsedSince: (day: string) => `Nunca usado desde que se añadió el ${day}`,
  usedSince: (uses: number, day: string) => `usado ${times(uses)} desde el ${day}`,
  safeReason: (unused: string, other: RichText, used: string): RichText => [
    `${unused}, mientras que «`,
    other,
    `» está en uso: ${used}. Un servidor que pida tokens menos de una vez por semana podría necesitar aún este.`,
  ],
  rename: 'Cambiar el nombre',
  saveName: 'Guardar el nombre',
  renamed: 'El secreto tiene ahora otro nombre.',
  renameGone: 'Este secreto ha caducado mientras tanto. Su nombre queda como estaba.',
  retire: 'Retirar',
  retireText:
    'Las solicitudes con este secreto fallan de inmediato y se revocan todos los tokens de acceso de la aplicación. No se puede deshacer.',
  retireNow: 'Retirar este secreto',
  nowLast: 'Ahora es el único secreto activo, así que no se retiró. Confírmalo otra vez para retirarlo.',
  last: 'Es el único secreto activo. Si lo retiras, la aplicación no obtiene más tokens hasta que añadas otro.',
  enough: (most: number) => `El máximo son ${String(most)} secretos. Retira uno antes de añadir otro.`,
  ended: (number: number) =>
    counted(number, {
      one: () => 'Un secreto ha caducado',
      other: (ended) => `${ended} secretos han caducado`,
    }),
  endedText:
    'Durante 30 días tras su caducidad, «Por qué fallaron las solicitudes» nombra un secreto que aún se envía.',
  endedOn: (minute: string) => `caducó el ${minute}`,
  manage: 'Gestionar las credenciales',
  addTitle: 'Añadir un secreto',
  add: 'Añadir un secreto',
  name: 'Nombre del secreto',
  nameHint: (called: string) => `Por ejemplo, el servidor que lo usará. Si lo dejas vacío, se llama «${called}».`,
  lifetime: 'Es válido',
  lifetimes: {
    never: 'sin caducidad',
    '90-days': 'durante 90 días',
    '1-year': 'durante un año',
    date: 'hasta un día que elijas',
  },
  lastDay: 'Último día',
  lastDayHint: 'Es válido hasta el final de ese día, UTC.',
  lastDayOptional: 'para «hasta un día que elijas»',
  errors: {
    nameTooLong: 'El nombre del secreto puede tener 60 caracteres como máximo.',
    nameUnprintable: 'El nombre del secreto contiene un carácter que no se puede mostrar.',
    lifetimeUnknown: 'Elige cuánto tiempo es válido el secreto.',
    dayMissing: 'Escribe el último día del secreto.',
    dayMalformed: 'Escribe un día como 2027-02-28.',
    dayPast: 'Ese día ya ha pasado. Escribe uno futuro.',
    dayTooFar: 'Un secreto caduca en diez años como máximo, o nunca. Escribe un día anterior.',
  },
};

/** Texts of the page of an application’s webhooks, in Spanish. */
export const webhooks = {
  intro:
    'Podemos enviar un mensaje a tu aplicación cuando ocurre algo que afecta a las personas que la autorizaron. Un mensaje contiene identificadores; lee los objetos con la API.',
  guide: 'Cómo recibir webhooks',
  none: 'Aún no hay ningún destino.',
  listen: 'Sin dirección pública',
  listenText:
    'Mientras desarrollas, este comando envía los eventos nuevos a un servidor en tu ordenador, firmados como webhooks. Necesita Node y el secreto de la aplicación.',
  add: 'Añadir un destino',
  addSubmit: 'Comprobar y añadir',
  url: 'URL',
  urlHint: 'Una dirección pública con https o http. Te enviamos ahora una comprobación, y debe responder con su texto.',
  events: 'Eventos',
  eventsHint:
    'Solo para personas que concedieron el permiso: posts:read o posts, y users:read o users para los seguimientos.',
  eventNames: {
    'mention.created': 'Alguien menciona a la persona',
    'quote.created': 'La persona cita una publicación o alguien cita la suya',
    'comment.created': 'Un comentario de la persona, o en su publicación o en respuesta a su comentario',
    'comment.deleted': 'Se elimina un comentario así, o uno que mencionaba a la persona',
    'like.created': 'Un «me gusta» de la persona o en su publicación',
    'like.deleted': 'Se quita un «me gusta» así',
    'repost.created': 'La persona comparte una publicación o alguien comparte la suya',
    'repost.deleted': 'Se deja de compartir',
    'post.created': 'La persona publica',
    'post.edited': 'Se edita una publicación de la persona, o se retira una mención de la persona',
    'post.deleted': 'Se elimina una publicación de la persona, o una que la mencionaba',
    'follow.created': 'La persona sigue a alguien o tiene un nuevo seguidor',
    'follow.deleted': 'Termina un seguimiento así',
    'follow_request.created': 'Una solicitud de seguimiento de la persona o dirigida a ella',
    'draft.proposed': 'Una aplicación propone algo a la persona',
    'draft.scheduled': 'La persona programa una propuesta',
    'draft.published': 'La persona publica una propuesta',
    'draft.rejected': 'La persona rechaza una propuesta',
    'draft.failed': 'Un borrador programado no se pudo publicar',
  },
  errors: {
    'bad-url': 'Escribe una URL absoluta con https o http, sin nombre de usuario, contraseña ni fragmento.',
    'no-events': 'Selecciona al menos un evento.',
    'not-public': 'No encontramos ninguna dirección pública para este nombre y puerto.',
    tls: 'La conexión TLS falló. Revisa el certificado, sus nombres y su cadena.',
    timeout: 'La dirección no respondió en cinco segundos.',
    'no-connection': 'La conexión fue rechazada o cerrada.',
    'wrong-status': 'La dirección no respondió con el estado 200.',
    'wrong-challenge': 'La dirección respondió con el estado 200, pero no con el texto de la comprobación.',
    'too-many-or-known': 'La aplicación ya tiene esta URL, o tantos destinos como puede tener.',
    'too-often': 'Demasiadas comprobaciones o eventos de prueba en la última hora. Vuelve a intentarlo más tarde.',
  },
  done: {
    'events-saved': 'Eventos guardados.',
    'turned-on': 'El destino está activado.',
    'test-sent': 'El evento de prueba está en camino. Vuelve a cargar la página para ver la respuesta.',
    replayed: 'Se enviará de nuevo.',
    'endpoint-deleted': 'Destino eliminado.',
  },
  enough: (number: number) => `Una aplicación puede tener ${String(number)} destinos.`,
  created: (day: string) => `Añadido el ${day}`,
  waiting: (number: number) => (number === 1 ? '1 mensaje en espera' : `${String(number)} mensajes en espera`),
  previousUntil: (time: string) => `el secreto anterior también firma hasta el ${time}`,
  failing: (time: string) =>
    `No ha llegado ningún mensaje desde el ${time}. Lo intentamos durante tres días con cada mensaje y desactivamos el destino tras cinco días.`,
  off: (time: string) =>
    `Desactivado el ${time}: no llegó ningún mensaje durante cinco días, respondió con el estado 410, o esperaban demasiados. Lo que ocurra mientras tanto no se envía.`,
  turnOn: 'Comprobar y activar',
  test: 'prueba',
  testKind: 'Tipo de evento',
  sendTest: 'Enviar evento de prueba',
  payload: 'Contenido',
  log: 'Últimos mensajes',
  logEmpty: 'Ningún mensaje en los últimos siete días.',
  states: {
    pending: 'en espera',
    delivered: 'entregado',
    failed: 'abandonado',
    dropped: 'no enviado: ya no está autorizado o no es visible',
  },
  attempts: (number: number) => (number === 1 ? '1 intento' : `${String(number)} intentos`),
  status: (status: number) => `estado ${String(status)}`,
  took: (milliseconds: number) => `tardó ${String(milliseconds)}\u00a0ms`,
  noAnswer: 'sin respuesta',
  next: (time: string) => `próximo intento: ${time}`,
  replay: 'Enviar de nuevo',
  sendNow: 'Enviar ahora',
  sendAllNow: 'Enviar ahora todo lo abandonado o en espera',
  changeEvents: 'Cambiar los eventos',
  saveEvents: 'Guardar los eventos',
  changeSecret: 'Cambiar el secreto',
  changeSecretText: 'Durante 24 horas, los mensajes se firman con los dos secretos, para que no pierdas ninguno.',
  changeSecretSubmit: 'Crear un secreto nuevo',
  remove: 'Eliminar el destino',
  removeText: 'Los mensajes en espera no se envían.',
  removeSubmit: 'Eliminar el destino',
  secretTitle: 'Secreto del webhook',
  secret: 'Secreto',
  secretOnce: 'Copia el secreto ahora y guárdalo en un lugar seguro. No podrás volver a verlo.',
  back: 'Ir a los webhooks',
};
