import type { FailureTexts } from '../text-types.ts';

/** Why requests of an application failed, in Spanish. */
const causes: FailureTexts = {
  redirect_uri_missing: {
    cause: 'La solicitud no tiene redirect_uri.',
    fix: 'Envía una de las URI de redirección registradas. La solicitud de token necesita la misma que la de autorización.',
  },
  redirect_uri_none: {
    cause: 'La aplicación no tiene ninguna URI de redirección.',
    fix: 'Registra la dirección a la que vuelven las personas.',
  },
  redirect_uri_unregistered: {
    cause: 'La URI de redirección no está registrada.',
    fix: 'Registra esta URI de redirección o envía una registrada. Cada carácter cuenta.',
  },
  redirect_uri_changed: {
    cause: 'La URI de redirección es distinta de la de la solicitud de autorización.',
    fix: 'Envía en la solicitud de token la misma redirect_uri que en la de autorización.',
  },
  logout_uri_unregistered: {
    cause: 'La post_logout_redirect_uri no está registrada.',
    fix: 'Regístrala o envía una registrada. Cada carácter cuenta.',
  },
  secret_missing: {
    cause: 'La solicitud no tiene secreto de cliente.',
    fix: 'Envía el ID de cliente y el secreto con autenticación HTTP Basic.',
  },
  secret_wrong: {
    cause: 'El secreto de cliente es incorrecto.',
    fix: 'Comprueba que no tenga espacios ni sea de otra aplicación. Si lo has perdido, añade otro.',
  },
  secret_expected: {
    cause: 'La solicitud tiene una aserción de cliente, pero la aplicación se autentica con un secreto.',
    fix: 'Envía el secreto o registra las claves de la aplicación.',
  },
  secret_unexpected: {
    cause: 'La solicitud tiene un secreto o una aserción, pero este tipo de aplicación no tiene ninguno.',
    fix: 'Envía solo el client_id. PKCE protege el código.',
  },
  assertion_expected: {
    cause: 'La aplicación se autentica con claves propias, y la solicitud no tiene aserción de cliente.',
    fix: 'Envía una client_assertion firmada con una clave registrada, o usa un secreto en lugar de las claves.',
  },
  assertion_rejected: {
    cause: 'La aserción de cliente fue rechazada.',
    fix: 'Comprueba su firma, sus fechas y su audiencia.',
  },
  secret_expired: {
    cause: 'El secreto de cliente era correcto, pero ha caducado.',
    fix: 'Añade un secreto y úsalo en este servidor.',
  },
  code_unknown: {
    cause: 'El código de autorización no existe.',
    fix: 'Envía el código tal como lo recibió la URI de redirección. Los códigos se borran un día después de caducar.',
  },
  code_expired: {
    cause: 'El código de autorización había caducado.',
    fix: 'Canjea el código en cuanto lo reciba la URI de redirección.',
  },
  code_used: {
    cause: 'El código de autorización ya se había usado. Su consentimiento ha terminado y sus tokens están revocados.',
    fix: 'Canjea cada código una sola vez. Recargar la URI de redirección no debe repetir la solicitud.',
  },
  code_foreign: {
    cause: 'El código de autorización es de otra aplicación.',
    fix: 'Usa el client_id de la solicitud de autorización.',
  },
  code_grant_ended: {
    cause: 'El consentimiento del código ha terminado.',
    fix: 'La persona revocó el acceso, o este terminó. Pide de nuevo la autorización.',
  },
  code_rejected: {
    cause: 'El código fue rechazado.',
    fix: 'Empieza de nuevo la autorización.',
  },
  device_code_unknown: {
    cause: 'El código de dispositivo no existe.',
    fix: 'Envía el device_code de la respuesta. Los códigos se borran un día después de caducar.',
  },
  device_code_expired: {
    cause: 'El código de dispositivo había caducado.',
    fix: 'Empieza de nuevo si la persona tarda más que expires_in.',
  },
  device_code_used: {
    cause: 'El código de dispositivo ya se había usado.',
    fix: 'Deja de preguntar en cuanto recibas los tokens.',
  },
  device_code_foreign: {
    cause: 'El código de dispositivo es de otra aplicación.',
    fix: 'Usa el client_id de la solicitud del dispositivo.',
  },
  device_slow_down: {
    cause: 'El dispositivo preguntó demasiado a menudo.',
    fix: 'Espera interval segundos entre dos solicitudes, y cinco más después de cada slow_down.',
  },
  refresh_token_unknown: {
    cause: 'El token de actualización no existe.',
    fix: 'Envíalo tal como lo recibiste. Los tokens de actualización se borran un día después de caducar.',
  },
  refresh_token_expired: {
    cause: 'El token de actualización había caducado.',
    fix: 'Pide de nuevo la autorización a la persona.',
  },
  refresh_token_used: {
    cause: 'El token de actualización ya se había usado. Su consentimiento ha terminado y sus tokens están revocados.',
    fix: 'Guarda el nuevo token de actualización de cada respuesta, y deja que solo un proceso actualice a la vez.',
  },
  refresh_token_foreign: {
    cause: 'El token de actualización es de otra aplicación.',
    fix: 'Usa el client_id para el que se emitió.',
  },
  refresh_token_grant_ended: {
    cause: 'El consentimiento del token de actualización ha terminado.',
    fix: 'La persona revocó el acceso, o este terminó. Pide de nuevo la autorización.',
  },
  refresh_token_rejected: {
    cause: 'El token de actualización fue rechazado.',
    fix: 'Pide de nuevo la autorización a la persona.',
  },
  challenge_missing: {
    cause: 'La solicitud de autorización no tiene code_challenge.',
    fix: 'Envía un code_challenge con code_challenge_method=S256 (PKCE).',
  },
  challenge_method: {
    cause: 'El code_challenge_method no es S256.',
    fix: 'Envía code_challenge_method=S256 y el SHA-256 del verificador en base64url.',
  },
  challenge_malformed: {
    cause: 'El code_challenge no es un SHA-256 en base64url.',
    fix: 'Envía 43 caracteres sin relleno.',
  },
  verifier_missing: {
    cause: 'La solicitud de token no tiene code_verifier.',
    fix: 'Envía el code_verifier del que salió el code_challenge.',
  },
  verifier_wrong: {
    cause: 'El code_verifier no corresponde al code_challenge.',
    fix: 'Guarda el verificador de cada solicitud de autorización hasta que llegue su código, por ejemplo en la sesión.',
  },
  verifier_unexpected: {
    cause: 'La solicitud de token tiene code_verifier, pero la de autorización no tenía code_challenge.',
    fix: 'Envía el code_challenge en la solicitud de autorización.',
  },
  scope_unknown: {
    cause: 'Ese scope no existe.',
    fix: 'Comprueba cómo está escrito. La guía enumera todos los scopes.',
  },
  scope_unregistered: {
    cause: 'El scope no está registrado para esta aplicación.',
    fix: 'Marca el permiso en los ajustes, o quítalo de la solicitud.',
  },
  scope_not_granted: {
    cause: 'Una actualización pidió un scope que la persona no ha concedido.',
    fix: 'Envía a la persona al punto de autorización con todos los scopes que necesitas.',
  },
  scope_ignored: {
    cause: 'La solicitud nombraba scopes que no existen. Se han ignorado; el resto de la solicitud se ha atendido.',
    fix: 'Quítalos de la solicitud.',
  },
  person_denied: {
    cause: 'La persona no dio su consentimiento.',
    fix: 'Respeta su decisión y permítele intentarlo de nuevo.',
  },
  login_required: {
    cause: 'Con prompt=none, la persona ya tiene que haber iniciado sesión.',
    fix: 'Envía a la persona al punto de autorización sin prompt=none.',
  },
  consent_required: {
    cause:
      'Con prompt=none, la persona ya tiene que haber autorizado la aplicación. Las aplicaciones públicas y nativas preguntan cada vez, salvo que la URI de redirección sea https.',
    fix: 'Envía a la persona al punto de autorización sin prompt=none.',
  },
  logout_undelivered: {
    cause:
      'Tu backchannel_logout_uri no aceptó un token de cierre de sesión. Se reenvía durante un máximo de 24 horas.',
    fix: 'Responde en pocos segundos con el estado 200 o 204.',
  },
  grant_type_off: {
    cause: 'La aplicación no puede usar este tipo de concesión.',
    fix: 'Actívalo en los ajustes.',
  },
  grant_type_unknown: {
    cause: 'El servicio no conoce este grant_type.',
    fix: 'Usa authorization_code, refresh_token, client_credentials o el código de dispositivo.',
  },
  response_type_unknown: {
    cause: 'El servicio no conoce este response_type.',
    fix: 'Envía response_type=code.',
  },
  pushed_request_required: {
    cause: 'La aplicación tiene que enviar por adelantado sus solicitudes de autorización.',
    fix: 'Envía primero los parámetros a /oauth/par, o desactiva el ajuste.',
  },
  pushed_request_unknown: {
    cause: 'La request_uri es desconocida, ha caducado o ya se usó.',
    fix: 'Envía una solicitud nueva en cada intento y usa enseguida su request_uri.',
  },
  dpop_required: {
    cause: 'La solicitud no tiene prueba DPoP.',
    fix: 'Envía una cabecera DPoP, o desactiva el ajuste.',
  },
  dpop_other_key: {
    cause: 'El token de actualización está vinculado a otra clave.',
    fix: 'Firma la prueba DPoP con la clave con la que se emitió el token de actualización.',
  },
  dpop_rejected: {
    cause: 'La prueba DPoP fue rechazada.',
    fix: 'Crea una prueba nueva para cada solicitud, con su método y su URL.',
  },
  parameter_missing: {
    cause: 'Falta un parámetro.',
    fix: 'Envía los parámetros indicados en el cuerpo, como formulario.',
  },
  parameter_repeated: {
    cause: 'Un parámetro se envió dos veces.',
    fix: 'Envía cada parámetro una sola vez.',
  },
  body_too_large: {
    cause: 'El cuerpo de la solicitud es demasiado grande.',
    fix: 'Envía solo los parámetros de la solicitud.',
  },
  request_rejected: {
    cause: 'La solicitud no era válida.',
    fix: 'El mensaje dice qué estaba mal.',
  },
  token_expired: {
    cause: 'El token de acceso había caducado.',
    fix: 'Renuévalo poco antes de que caduque, o después de este error.',
  },
  token_revoked: {
    cause: 'El token de acceso estaba revocado.',
    fix: 'Pide uno nuevo. Los tokens terminan con su consentimiento, su secreto, la cuenta o la contraseña.',
  },
};

const count = new Intl.NumberFormat('es');

/** Texts of the list of failed requests of an application, in Spanish. */
export const failures = {
  title: 'Por qué fallaron las solicitudes',
  whole: 'Mostrar completo',
  intro: 'Solicitudes de esta aplicación al servidor de autorización y a la API que fallaron en los últimos 7 días.',
  filter: 'Filtrar',
  kind: 'Causa',
  requestId: 'ID de la solicitud',
  requestIdHint: 'La cabecera X-Request-Id de una respuesta. Las páginas de error también la muestran.',
  own: 'Solo solicitudes autenticadas',
  ownHint: 'Cualquiera puede enviar las demás en nombre de tu aplicación.',
  show: 'Mostrar',
  showAll: 'Mostrar todas',
  all: 'Todas',
  none: 'No ha fallado ninguna solicitud.',
  noneFound: 'Ninguna solicitud fallida coincide. Una nueva puede tardar un segundo en aparecer.',
  server: 'Servidor de autorización',
  api: 'Solicitudes a la API',
  kinds: {
    redirect_uri: 'URI de redirección',
    credentials: 'Credenciales',
    secret_ended: 'Secreto caducado',
    code: 'Código de autorización',
    refresh_token: 'Token de actualización',
    pkce: 'Prueba del código (PKCE)',
    scope: 'Permisos',
    ignored_scope: 'Scopes ignorados',
    person: 'Decisión de la persona',
    logout: 'Cierre de sesión',
    request: 'Otros',
    api: 'Todos los errores de la API',
  },
  statuses: {
    400: '400 Solicitud no válida',
    401: '401 Token de acceso',
    403: '403 No permitido',
    404: '404 No encontrado',
    409: '409 Conflicto',
    422: '422 Clave de idempotencia o imagen',
    429: '429 Límite de llamadas',
  },
  facts: {
    issuedAt: 'Emitido',
    usedAt: 'Usado por primera vez',
    expiresAt: 'Caducado',
    endedAt: 'Consentimiento terminado',
    secret: 'Secreto',
    scopes: 'Scopes',
    parameters: 'Parámetro',
    grantType: 'Tipo de concesión',
    limit: 'Límite de llamadas',
  },
  repeats: (times: number) => `${count.format(times)} veces, la última:`,
  first: (time: string) => `, la primera: ${time}`,
  message: 'Mensaje',
  fix: 'Cómo solucionarlo:',
  causes,
  presented: 'Enviada',
  registered: 'La registrada más parecida',
  authorized: 'Solicitud de autorización',
  noneRegistered: 'ninguna',
  difference: 'Diferencia',
  missing: 'falta:',
  extra: 'sobra:',
};
