import { countingIn } from '../counted.ts';
import type { RichText } from '../rich-text.ts';

const counted = countingIn('es');

function codesLeft(count: number): string {
  return counted(count, {
    zero: 'No queda ningún código de recuperación. Cree otros nuevos.',
    one: () => 'Queda un código de recuperación.',
    other: (codes) => `Quedan ${codes} códigos de recuperación.`,
  });
}

/** Texts of passkeys, authenticator apps and recovery codes, in Spanish. */
export const factors = {
  passkeys: {
    signIn: 'Iniciar sesión con una llave de acceso',
    use: 'Usar mejor una llave de acceso',
    refused: 'Esta llave de acceso no se aceptó. Vuelva a intentarlo.',
    failed: 'El navegador no proporcionó ninguna llave de acceso. Vuelva a intentarlo.',
    impossible: 'Este navegador no admite llaves de acceso.',
    needScript:
      'Las llaves de acceso necesitan JavaScript, que está desactivado en este navegador. Todo lo demás funciona sin él.',
  },
  secondFactor: {
    title: 'Un paso más',
    code: 'Código de su aplicación de autenticación',
    codeHint: 'Seis cifras. Si no tiene el teléfono a mano, escriba uno de sus códigos de recuperación.',
    wrong: 'Este código es incorrecto, demasiado antiguo o ya se usó. Espere al siguiente y vuelva a intentarlo.',
    submit: 'Continuar',
    back: 'Volver al inicio de sesión',
    recoveryUsed: 'Ha usado un código de recuperación',
    recoveryLeft: codesLeft,
    recoveryAdvice:
      'Cada código sirve una vez. Si ha perdido el teléfono, quite su aplicación de autenticación en «Seguridad».',
    continue: 'Continuar',
    toSecurity: 'Seguridad de su cuenta',
  },
  reauthenticate: {
    title: 'Confirme que es usted',
    intro: (username: RichText): RichText => [
      'Hace un rato que inició sesión como ',
      username,
      '. El paso siguiente afecta a la seguridad de su cuenta. Lo que ha escrito se conserva.',
    ],
    passwordWrong: 'Esta no es su contraseña.',
    submit: 'Confirmar',
    withPasskey: 'Confirmar con una llave de acceso',
  },
  security: {
    title: 'Seguridad',
    overviewText: 'Llaves de acceso, aplicación de autenticación y códigos de recuperación.',
    intro: 'Una contraseña se puede adivinar o robar. Proteja su cuenta con algo que solo tenga usted.',
    unconfirmed:
      'Confirme su dirección de correo electrónico antes de añadir una llave de acceso o una aplicación de autenticación.',
    passkeyAdded: 'La llave de acceso se ha añadido. Ya puede iniciar sesión con ella.',
    passkeyRemoved: 'La llave de acceso se ha quitado. Puede eliminarla también de su dispositivo.',
    appRemoved:
      'La aplicación de autenticación se ha quitado, y con ella sus códigos de recuperación. Su contraseña vuelve a bastar.',
    appThere: 'Su cuenta ya tiene una aplicación de autenticación.',
    appAdded:
      'La aplicación de autenticación se ha añadido. A partir de ahora pediremos su código después de la contraseña.',
    passkeys: 'Llaves de acceso',
    passkeysText: 'Inicie sesión con su huella, su rostro o el PIN de su dispositivo, sin contraseña.',
    passkeysImpossible:
      'Las llaves de acceso necesitan una dirección https con un nombre; este servicio no tiene una así.',
    addPasskey: 'Añadir una llave de acceso',
    added: (day: string) => `Añadida el ${day}`,
    lastUsed: (minute: string) => `Último uso el ${minute}`,
    neverUsed: 'Nunca usada',
    remove: 'Quitar',
    app: 'Aplicación de autenticación',
    appText:
      'Una aplicación de su teléfono muestra cada 30 segundos un código nuevo, que pedimos después de la contraseña.',
    addApp: 'Añadir una aplicación de autenticación',
    appOn: 'Activada',
    appSince: (day: string) => `Desde el ${day} pedimos su código después de la contraseña.`,
    removeApp: 'Quitar la aplicación de autenticación',
    recoveryCodes: 'Códigos de recuperación',
    recoveryCodesText: 'Le permiten entrar cuando no tiene el teléfono, una vez cada uno.',
    codesLeft,
    renewCodes: 'Crear códigos de recuperación nuevos',
    newCodesTitle: 'Códigos de recuperación',
    codesRenewed: 'Estos son sus nuevos códigos de recuperación. Los anteriores ya no sirven.',
    codesOnce: 'Imprímalos o guárdelos en un lugar seguro: solo se muestran ahora. Cada uno sirve una vez.',
    codesKept: 'Los he guardado',
  },
  newPasskey: {
    title: 'Añadir una llave de acceso',
    intro: 'Su navegador pregunta dónde guardarla: en este dispositivo, en su teléfono o en una llave de seguridad.',
    name: 'Nombre',
    nameHint: 'Para que la reconozca: por ejemplo, el dispositivo en el que está.',
    nameProposal: 'Mi llave de acceso',
    nameWrong: 'Escriba un nombre de 60 caracteres como máximo.',
    submit: 'Crear llave de acceso',
    refused: 'La llave de acceso no se ha añadido: se creó para otra página, ya existe, o su cuenta ya tiene 20.',
  },
  authenticator: {
    title: 'Añadir una aplicación de autenticación',
    scan: 'Escanee este código con una aplicación de autenticación, como Aegis, 2FAS o la de su gestor de contraseñas.',
    qrCode: 'Código QR para su aplicación de autenticación',
    orType: 'O escriba esta clave en la aplicación:',
    code: 'Código que muestra ahora la aplicación',
    codeHint: 'Seis cifras.',
    submit: 'Activar',
    wrong: 'Este no es el código de esta clave. ¿Va bien la hora de su teléfono? Pruebe con el siguiente.',
  },
};
