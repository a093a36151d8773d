import { countingIn } from '../counted.ts';
import type { RichText } from '../rich-text.ts';

const counted = countingIn('es');

function codesLeft(count: number): string {
  return counted(count, {
    zero: 'No queda ningún código de recuperación. Crea otros nuevos.',
    one: () => 'Queda un código de recuperación.',
    other: (codes) => `Quedan ${codes} códigos de recuperación.`,
  });
}

/** Texts of passkeys, authenticator apps and recovery codes, in Spanish. */
export const factors = {
  passkeys: {
    signIn: 'Iniciar sesión con una llave de acceso',
    use: 'Usar mejor una llave de acceso',
    refused: 'Esta llave de acceso no se aceptó. Vuelve a intentarlo.',
    failed: 'El navegador no proporcionó ninguna llave de acceso. Vuelve a intentarlo.',
    impossible: 'Este navegador no admite llaves de acceso.',
    needScript:
      'Las llaves de acceso necesitan JavaScript, que está desactivado en este navegador. Todo lo demás funciona sin él.',
  },
  secondFactor: {
    title: 'Autenticación de dos factores',
    code: 'Código de tu aplicación de autenticación',
    codeHint: 'Seis cifras. Si no tienes el teléfono a mano, escribe uno de tus códigos de recuperación.',
    wrong: 'Este código es incorrecto, demasiado antiguo o ya se usó. Espera al siguiente y vuelve a intentarlo.',
    submit: 'Continuar',
    back: 'Volver al inicio de sesión',
    recoveryUsed: 'Has usado un código de recuperación',
    recoveryLeft: codesLeft,
    recoveryAdvice:
      'Cada código sirve una vez. Si has perdido el teléfono, quita tu aplicación de autenticación en «Seguridad».',
    continue: 'Continuar',
    toSecurity: 'Seguridad de tu cuenta',
  },
  reauthenticate: {
    title: 'Confirma que eres tú',
    intro: (username: RichText): RichText => [
      'Hace un rato que iniciaste sesión como ',
      username,
      '. El paso siguiente afecta a la seguridad de tu cuenta. Lo que has escrito se conserva.',
    ],
    passwordWrong: 'Esta no es tu contraseña.',
    submit: 'Confirmar',
    withPasskey: 'Confirmar con una llave de acceso',
  },
  security: {
    title: 'Seguridad',
    overviewText: 'Llaves de acceso, aplicación de autenticación y códigos de recuperación.',
    intro: 'Una contraseña se puede adivinar o robar. Protege tu cuenta con algo que solo tengas tú.',
    unconfirmed:
      'Confirma tu dirección de correo electrónico antes de añadir una llave de acceso o una aplicación de autenticación.',
    passkeyAdded: 'La llave de acceso se ha añadido. Ya puedes iniciar sesión con ella.',
    passkeyRemoved: 'La llave de acceso se ha quitado. Puedes eliminarla también de tu dispositivo.',
    appRemoved:
      'La aplicación de autenticación se ha quitado, y con ella tus códigos de recuperación. Tu contraseña vuelve a bastar.',
    appThere: 'Tu cuenta ya tiene una aplicación de autenticación.',
    appAdded:
      'La aplicación de autenticación se ha añadido. A partir de ahora pediremos su código después de la contraseña.',
    passkeys: 'Llaves de acceso',
    passkeysText: 'Inicia sesión con tu huella, tu rostro o el PIN de tu dispositivo, sin contraseña.',
    passkeysImpossible:
      'Las llaves de acceso necesitan una dirección https con un nombre; este servicio no tiene una así.',
    addPasskey: 'Añadir una llave de acceso',
    added: (day: string) => `Añadida el ${day}`,
    lastUsed: (minute: string) => `Último uso el ${minute}`,
    neverUsed: 'Nunca usada',
    remove: 'Quitar',
    app: 'Aplicación de autenticación',
    appText:
      'Una aplicación de tu teléfono muestra cada 30 segundos un código nuevo, que pedimos después de la contraseña.',
    addApp: 'Añadir una aplicación de autenticación',
    appOn: 'Activada',
    appSince: (day: string) => `Desde el ${day} pedimos su código después de la contraseña.`,
    removeApp: 'Quitar la aplicación de autenticación',
    recoveryCodes: 'Códigos de recuperación',
    recoveryCodesText: 'Te permiten entrar cuando no tienes el teléfono, una vez cada uno.',
    codesLeft,
    renewCodes: 'Crear códigos de recuperación nuevos',
    newCodesTitle: 'Códigos de recuperación',
    codesRenewed: 'Estos son tus nuevos códigos de recuperación. Los anteriores ya no sirven.',
    codesOnce: 'Imprímelos o guárdalos en un lugar seguro: solo se muestran ahora. Cada uno sirve una vez.',
    codesKept: 'Los he guardado',
  },
  newPasskey: {
    title: 'Añadir una llave de acceso',
    intro: 'Tu navegador pregunta dónde guardarla: en este dispositivo, en tu teléfono o en una llave de seguridad.',
    name: 'Nombre',
    nameHint: 'Para que la reconozcas: por ejemplo, el dispositivo en el que está.',
    nameProposal: 'Mi llave de acceso',
    nameWrong: 'Escribe un nombre de 60 caracteres como máximo.',
    submit: 'Crear llave de acceso',
    refused: 'La llave de acceso no se ha añadido: se creó para otra página, ya existe, o tu cuenta ya tiene 20.',
  },
  authenticator: {
    title: 'Añadir una aplicación de autenticación',
    scan: 'Escanea este código con una aplicación de autenticación, como Aegis, 2FAS o la de tu gestor de contraseñas.',
    qrCode: 'Código QR para tu aplicación de autenticación',
    orType: 'O escribe esta clave en la aplicación:',
    code: 'Código que muestra ahora la aplicación',
    codeHint: 'Seis cifras.',
    submit: 'Activar',
    wrong: 'Este no es el código de esta clave. ¿Va bien la hora de tu teléfono? Prueba con el siguiente.',
  },
};
