import type { SettingMessages } from '../setting-texts.ts';

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
