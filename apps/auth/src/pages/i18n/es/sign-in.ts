import type { RichText } from '../rich-text.ts';

/** Texts of sign-in, sign-out and registration, in Spanish. */
export const signIn = {
  continueTo: (application: RichText): RichText => ['para continuar en ', application],
  login: {
    title: 'Iniciar sesión',
    login: 'Correo electrónico o nombre de usuario',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    failed: 'El nombre y la contraseña no corresponden a ninguna cuenta. Compruebe ambos.',
    throttled: 'Demasiados intentos. Espere unos minutos y vuelva a intentarlo.',
    noAccount: '¿Aún no tiene cuenta?',
    register: 'Crear una cuenta',
  },
  register: {
    title: 'Crear una cuenta',
    firstName: 'Nombre',
    lastName: 'Apellidos',
    username: 'Nombre de usuario',
    usernameHint: 'De 5 a 32 letras, cifras o guiones bajos. Si lo deja vacío, formaremos uno a partir de su nombre.',
    email: 'Dirección de correo electrónico',
    password: 'Contraseña',
    passwordHint:
      'Al menos 6 caracteres. Las más largas son las más seguras: unas cuantas palabras sin relación entre sí hacen una buena contraseña.',
    submit: 'Crear cuenta',
    haveAccount: '¿Ya tiene una cuenta?',
    login: 'Iniciar sesión',
    request: 'Pedir una cuenta',
    reason: '¿Por qué quiere una cuenta?',
    reasonHint: 'Quienes gestionan este servicio lo leen y deciden. Hasta 500 caracteres.',
    invitation: 'Código de invitación',
    invitationHint: 'Lo recibió con el enlace, de alguien que gestiona este servicio.',
    notices: {
      closed: { title: 'El registro está cerrado', text: 'Ahora mismo nadie puede crear una cuenta aquí.' },
      pending: {
        title: 'Su registro se ha enviado',
        text: 'Quienes gestionan este servicio deciden sobre él. Entonces recibirá un correo. Hasta entonces no puede iniciar sesión.',
      },
    },
    errors: {
      invitation: 'Esta invitación es desconocida, está agotada o ha caducado.',
      reason: 'Debe tener 500 caracteres como máximo, sin caracteres de control.',
      firstNameMissing: 'Escriba su nombre.',
      firstNameTooLong: 'El nombre puede tener 25 caracteres como máximo.',
      lastNameMissing: 'Escriba sus apellidos.',
      lastNameTooLong: 'Los apellidos pueden tener 30 caracteres como máximo.',
      usernameMalformed: 'Un nombre de usuario tiene de 5 a 32 letras (sin tildes ni ñ), cifras o guiones bajos.',
      usernameTaken: 'Este nombre de usuario ya está ocupado. Pruebe con otro.',
      emailMalformed: 'Escriba una dirección de correo electrónico, por ejemplo ada@example.com.',
      emailTaken: 'Ya existe una cuenta con esta dirección de correo electrónico.',
      throttled: 'Se han creado demasiadas cuentas desde aquí. Vuelva a intentarlo más tarde.',
      refused:
        'No podemos aceptar este registro por el proveedor de correo, su red o un nombre. Cambie la dirección de correo o el nombre, o pregunte a quienes gestionan este servicio.',
    },
  },
  passwordErrors: {
    tooShort: 'La contraseña debe tener al menos 6 caracteres.',
    tooLong: 'La contraseña puede tener 256 caracteres como máximo.',
    common: 'Esta contraseña es de las primeras que otros probarían. Elija otra.',
    sameAsName: 'La contraseña no puede ser su nombre, su nombre de usuario ni su dirección de correo electrónico.',
  },
  restoration: {
    title: '¿Conservar su cuenta?',
    deleted: (username: RichText, time: string): RichText => ['Su cuenta ', username, ` se eliminó el ${time}.`],
    erased: (time: string) => `Se borrará para siempre el ${time}. Hasta entonces puede recuperarla.`,
    keepText:
      'Si la conserva, todo vuelve: sus publicaciones, sus seguidores, sus ajustes y las aplicaciones que ha registrado. Las aplicaciones conectadas vuelven a tener acceso. En los demás navegadores, su sesión sigue cerrada.',
    keep: 'Conservar mi cuenta',
    leave: 'Dejarla eliminada',
  },
  suspension: {
    title: 'Su cuenta está suspendida',
    suspended: (username: RichText, time: string): RichText => [
      'Un operador suspendió su cuenta ',
      username,
      ` el ${time}. Nadie más la ve y usted no puede usarla.`,
    ],
    appeal: {
      title: 'Recurso',
      label: '¿Por qué debe recuperarse la cuenta?',
      hint: 'Solo lo leen los operadores. Puede enviarlo una vez.',
      submit: 'Enviar recurso',
      sent: (time: string) => `Envió esto el ${time}. Si la suspensión termina, recibirá un correo.`,
      errors: {
        missing: 'Escriba un texto.',
        tooLong: (max: number) => `El texto no puede tener más de ${String(max)} caracteres.`,
      },
    },
    exportText: 'Un archivo ZIP con sus publicaciones y sus imágenes.',
    deleteText: 'A los 14 días se borra todo para siempre. Mientras la cuenta esté suspendida, no puede deshacerlo.',
  },
  selectAccount: {
    title: 'Elija una cuenta',
    keep: (username: RichText): RichText => ['Continuar como ', username],
    other: 'Usar otra cuenta',
  },
  logout: {
    title: '¿Cerrar sesión?',
    text: (username: RichText, service: string): RichText => [
      'Ha iniciado sesión en ',
      service,
      ' como ',
      username,
      '.',
    ],
    asked: (application: RichText): RichText => [application, ' solicita cerrar su sesión también aquí.'],
    applicationsStay: 'Las aplicaciones que haya conectado seguirán conectadas.',
    submit: 'Cerrar sesión',
    stay: 'Mantener la sesión abierta',
    doneTitle: 'Ha cerrado la sesión',
    doneText: 'Hasta pronto.',
    signInAgain: 'Volver a iniciar sesión',
  },
};

/** Texts of the device page, in Spanish. */
export const device = {
  title: 'Conectar un dispositivo',
  userCode: 'Código',
  userCodeHint: 'Las ocho letras que muestra el dispositivo o programa, por ejemplo WDJB-MJHT.',
  submit: 'Continuar',
  unknown:
    'Ningún dispositivo espera con este código. Compruébelo o pida uno nuevo al dispositivo: los códigos valen diez minutos.',
  throttled: 'Demasiados códigos incorrectos. Espere unos minutos y vuelva a intentarlo.',
  heading: (application: RichText): RichText => [application, ' quiere usar su cuenta en otro dispositivo'],
  compare: (code: RichText): RichText => [
    'Continúe solo si ha empezado esto usted y el dispositivo que tiene delante muestra ',
    code,
    '. Si alguien le ha enviado el código o un enlace, rechácelo.',
  ],
  allowed: 'El dispositivo está conectado. Puede volver a él.',
  denied: 'El dispositivo se ha rechazado. No obtiene acceso.',
};
