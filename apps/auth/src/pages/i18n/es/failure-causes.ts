import type { FailureTexts } from '../failure-texts.ts';

/** Why requests of an application failed, in Spanish. */
export const causes: FailureTexts = {
  redirect_uri_missing: {
    cause: 'La solicitud no tiene redirect_uri.',
    fix: 'Envíe una de las URI de redirección registradas. La solicitud de token necesita la misma que la de autorización.',
  },
  redirect_uri_none: {
    cause: 'La aplicación no tiene ninguna URI de redirección.',
    fix: 'Registre la dirección a la que vuelven las personas.',
  },
  redirect_uri_unregistered: {
    cause: 'La URI de redirección no está registrada.',
    fix: 'Registre esta URI de redirección o envíe una registrada. Cada carácter cuenta.',
  },
  redirect_uri_changed: {
    cause: 'La URI de redirección es distinta de la de la solicitud de autorización.',
    fix: 'Envíe en la solicitud de token la misma redirect_uri que en la de autorización.',
  },
  logout_uri_unregistered: {
    cause: 'La post_logout_redirect_uri no está registrada.',
    fix: 'Regístrela o envíe una registrada. Cada carácter cuenta.',
  },
  secret_missing: {
    cause: 'La solicitud no tiene secreto de cliente.',
    fix: 'Envíe el ID de cliente y el secreto con autenticación HTTP Basic.',
  },
  secret_wrong: {
    cause: 'El secreto de cliente es incorrecto.',
    fix: 'Compruebe que no tenga espacios ni sea de otra aplicación. Si lo ha perdido, añada otro.',
  },
  secret_expected: {
    cause: 'La solicitud tiene una aserción de cliente, pero la aplicación se autentica con un secreto.',
    fix: 'Envíe el secreto o registre las claves de la aplicación.',
  },
  secret_unexpected: {
    cause: 'La solicitud tiene un secreto o una aserción, pero este tipo de aplicación no tiene ninguno.',
    fix: 'Envíe solo el client_id. PKCE protege el código.',
  },
  assertion_expected: {
    cause: 'La aplicación se autentica con claves propias, y la solicitud no tiene aserción de cliente.',
    fix: 'Envíe una client_assertion firmada con una clave registrada, o use un secreto en lugar de las claves.',
  },
  assertion_rejected: {
    cause: 'La aserción de cliente fue rechazada.',
    fix: 'Compruebe su firma, sus fechas y su audiencia.',
  },
  secret_expired: {
    cause: 'El secreto de cliente era correcto, pero ha caducado.',
    fix: 'Añada un secreto y úselo en este servidor.',
  },
  code_unknown: {
    cause: 'El código de autorización no existe.',
    fix: 'Envíe el código tal como lo recibió la URI de redirección. Los códigos se borran un día después de caducar.',
  },
  code_expired: {
    cause: 'El código de autorización había caducado.',
    fix: 'Canjee el código en cuanto lo reciba la URI de redirección.',
  },
  code_used: {
    cause: 'El código de autorización ya se había usado. Su consentimiento ha terminado y sus tokens están revocados.',
    fix: 'Canjee cada código una sola vez. Recargar la URI de redirección no debe repetir la solicitud.',
  },
  code_foreign: {
    cause: 'El código de autorización es de otra aplicación.',
    fix: 'Use el client_id de la solicitud de autorización.',
  },
  code_grant_ended: {
    cause: 'El consentimiento del código ha terminado.',
    fix: 'La persona revocó el acceso, o este terminó. Pida de nuevo la autorización.',
  },
  code_rejected: {
    cause: 'El código fue rechazado.',
    fix: 'Empiece de nuevo la autorización.',
  },
  device_code_unknown: {
    cause: 'El código de dispositivo no existe.',
    fix: 'Envíe el device_code de la respuesta. Los códigos se borran un día después de caducar.',
  },
  device_code_expired: {
    cause: 'El código de dispositivo había caducado.',
    fix: 'Empiece de nuevo si la persona tarda más que expires_in.',
  },
  device_code_used: {
    cause: 'El código de dispositivo ya se había usado.',
    fix: 'Deje de preguntar en cuanto reciba los tokens.',
  },
  device_code_foreign: {
    cause: 'El código de dispositivo es de otra aplicación.',
    fix: 'Use el client_id de la solicitud del dispositivo.',
  },
  device_slow_down: {
    cause: 'El dispositivo preguntó demasiado a menudo.',
    fix: 'Espere interval segundos entre dos solicitudes, y cinco más después de cada slow_down.',
  },
  refresh_token_unknown: {
    cause: 'El token de actualización no existe.',
    fix: 'Envíelo tal como lo recibió. Los tokens de actualización se borran un día después de caducar.',
  },
  refresh_token_expired: {
    cause: 'El token de actualización había caducado.',
    fix: 'Pida de nuevo la autorización a la persona.',
  },
  refresh_token_used: {
    cause: 'El token de actualización ya se había usado. Su consentimiento ha terminado y sus tokens están revocados.',
    fix: 'Guarde el nuevo token de actualización de cada respuesta, y deje que solo un proceso actualice a la vez.',
  },
  refresh_token_foreign: {
    cause: 'El token de actualización es de otra aplicación.',
    fix: 'Use el client_id para el que se emitió.',
  },
  refresh_token_grant_ended: {
    cause: 'El consentimiento del token de actualización ha terminado.',
    fix: 'La persona revocó el acceso, o este terminó. Pida de nuevo la autorización.',
  },
  refresh_token_rejected: {
    cause: 'El token de actualización fue rechazado.',
    fix: 'Pida de nuevo la autorización a la persona.',
  },
  challenge_missing: {
    cause: 'La solicitud de autorización no tiene code_challenge.',
    fix: 'Envíe un code_challenge con code_challenge_method=S256 (PKCE).',
  },
  challenge_method: {
    cause: 'El code_challenge_method no es S256.',
    fix: 'Envíe code_challenge_method=S256 y el SHA-256 del verificador en base64url.',
  },
  challenge_malformed: {
    cause: 'El code_challenge no es un SHA-256 en base64url.',
    fix: 'Envíe 43 caracteres sin relleno.',
  },
  verifier_missing: {
    cause: 'La solicitud de token no tiene code_verifier.',
    fix: 'Envíe el code_verifier del que salió el code_challenge.',
  },
  verifier_wrong: {
    cause: 'El code_verifier no corresponde al code_challenge.',
    fix: 'Guarde el verificador de cada solicitud de autorización hasta que llegue su código, por ejemplo en la sesión.',
  },
  verifier_unexpected: {
    cause: 'La solicitud de token tiene code_verifier, pero la de autorización no tenía code_challenge.',
    fix: 'Envíe el code_challenge en la solicitud de autorización.',
  },
  scope_unknown: {
    cause: 'Ese scope no existe.',
    fix: 'Compruebe cómo está escrito. La guía enumera todos los scopes.',
  },
  scope_unregistered: {
    cause: 'El scope no está registrado para esta aplicación.',
    fix: 'Marque el permiso en los ajustes, o quítelo de la solicitud.',
  },
  scope_not_granted: {
    cause: 'Una actualización pidió un scope que la persona no ha concedido.',
    fix: 'Envíe a la persona al punto de autorización con todos los scopes que necesita.',
  },
  scope_ignored: {
    cause: 'La solicitud nombraba scopes que no existen. Se han ignorado; el resto de la solicitud se ha atendido.',
    fix: 'Quítelos de la solicitud.',
  },
  person_denied: {
    cause: 'La persona no dio su consentimiento.',
    fix: 'Respete su decisión y permítale intentarlo de nuevo.',
  },
  login_required: {
    cause: 'Con prompt=none, la persona ya tiene que haber iniciado sesión.',
    fix: 'Envíe a la persona al punto de autorización sin prompt=none.',
  },
  consent_required: {
    cause:
      'Con prompt=none, la persona ya tiene que haber autorizado la aplicación. Las aplicaciones públicas y nativas preguntan cada vez, salvo que la URI de redirección sea https.',
    fix: 'Envíe a la persona al punto de autorización sin prompt=none.',
  },
  logout_undelivered: {
    cause:
      'Su backchannel_logout_uri no aceptó un token de cierre de sesión. Se reenvía durante un máximo de 24 horas.',
    fix: 'Responda en pocos segundos con el estado 200 o 204.',
  },
  grant_type_off: {
    cause: 'La aplicación no puede usar este tipo de concesión.',
    fix: 'Actívelo en los ajustes.',
  },
  grant_type_unknown: {
    cause: 'El servicio no conoce este grant_type.',
    fix: 'Use authorization_code, refresh_token, client_credentials o el código de dispositivo.',
  },
  response_type_unknown: {
    cause: 'El servicio no conoce este response_type.',
    fix: 'Envíe response_type=code.',
  },
  pushed_request_required: {
    cause: 'La aplicación tiene que enviar por adelantado sus solicitudes de autorización.',
    fix: 'Envíe primero los parámetros a /oauth/par, o desactive el ajuste.',
  },
  pushed_request_unknown: {
    cause: 'La request_uri es desconocida, ha caducado o ya se usó.',
    fix: 'Envíe una solicitud nueva en cada intento y use enseguida su request_uri.',
  },
  dpop_required: {
    cause: 'La solicitud no tiene prueba DPoP.',
    fix: 'Envíe una cabecera DPoP, o desactive el ajuste.',
  },
  dpop_other_key: {
    cause: 'El token de actualización está vinculado a otra clave.',
    fix: 'Firme la prueba DPoP con la clave con la que se emitió el token de actualización.',
  },
  dpop_rejected: {
    cause: 'La prueba DPoP fue rechazada.',
    fix: 'Cree una prueba nueva para cada solicitud, con su método y su URL.',
  },
  parameter_missing: {
    cause: 'Falta un parámetro.',
    fix: 'Envíe los parámetros indicados en el cuerpo, como formulario.',
  },
  parameter_repeated: {
    cause: 'Un parámetro se envió dos veces.',
    fix: 'Envíe cada parámetro una sola vez.',
  },
  body_too_large: {
    cause: 'El cuerpo de la solicitud es demasiado grande.',
    fix: 'Envíe solo los parámetros de la solicitud.',
  },
  request_rejected: {
    cause: 'La solicitud no era válida.',
    fix: 'El mensaje dice qué estaba mal.',
  },
  token_expired: {
    cause: 'El token de acceso había caducado.',
    fix: 'Renuévelo poco antes de que caduque, o después de este error.',
  },
  token_revoked: {
    cause: 'El token de acceso estaba revocado.',
    fix: 'Pida uno nuevo. Los tokens terminan con su consentimiento, su secreto, la cuenta o la contraseña.',
  },
};
