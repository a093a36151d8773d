import type { RichText } from '../text-types.ts';

/** Texts of sign-in, sign-out and registration, in Spanish. */
export const signIn = {
  continueTo: (application: RichText): RichText => ['para continuar en ', application],
  login: {
    title: 'Iniciar sesión',
    purposes: {
      'session-ended': 'Tu sesión ha terminado. Inicia sesión para seguir donde estabas.',
      'create-application': 'para crear una aplicación',
    },
    login: 'Correo electrónico o nombre de usuario',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    failed: 'El nombre y la contraseña no corresponden a ninguna cuenta. Comprueba ambos.',
    throttled: 'Demasiados intentos. Espera unos minutos y vuelve a intentarlo.',
    noAccount: '¿Aún no tienes cuenta?',
    register: 'Crear una cuenta',
  },
  upstream: {
    continueWith: (provider: RichText): RichText => ['Continuar con ', provider],
    back: 'Volver',
    registering: (provider: RichText, email: RichText): RichText => [
      'Has iniciado sesión con ',
      provider,
      ' como ',
      email,
      '. Elige tu nombre aquí. No necesitas contraseña.',
    ],
    link: {
      title: '¿Es esta tu cuenta?',
      submit: 'Vincular e iniciar sesión',
      text: (username: RichText, email: RichText, provider: RichText): RichText => [
        'La cuenta ',
        username,
        ' tiene la dirección ',
        email,
        '. Demuestra que es tuya. Después podrás iniciar sesión también con ',
        provider,
        '.',
      ],
      unproven: (username: RichText, email: RichText, provider: RichText): RichText => [
        'La cuenta ',
        username,
        ' tiene la dirección ',
        email,
        ', pero nadie la ha confirmado. Elige una contraseña nueva por correo y vuelve a iniciar sesión con ',
        provider,
        '.',
      ],
    },
    problems: {
      denied: {
        title: 'No has iniciado sesión',
        text: 'El otro servicio indica que el inicio de sesión se canceló o no se permitió. Vuelve a intentarlo o inicia sesión de otra forma.',
      },
      unavailable: {
        title: 'El otro servicio no responde',
        text: 'No se pudo contactar con él o tardó demasiado. Vuelve a intentarlo en unos minutos o inicia sesión de otra forma.',
      },
      refused: {
        title: 'No se pudo iniciar sesión',
        text: 'El otro servicio envió una respuesta que no podemos aceptar. Vuelve a intentarlo. Si se repite, avisa a los administradores de este servicio.',
      },
      ended: {
        title: 'Empieza de nuevo',
        text: 'Este inicio de sesión no empezó en este navegador o estuvo abierto demasiado tiempo. Empieza de nuevo en la página de inicio de sesión.',
      },
      unproven: {
        title: 'Tu correo electrónico no está verificado',
        text: 'El otro servicio no nos dio una dirección verificada. Verifícala allí o crea aquí una cuenta con contraseña.',
      },
      'no-account': {
        title: 'Aún no tienes cuenta aquí',
        text: 'Las cuentas nuevas no se crean así. Si tienes una cuenta, inicia sesión con tu contraseña y vincula el otro servicio en «Seguridad».',
      },
      taken: {
        title: 'Ya está vinculado',
        text: 'Tu cuenta en el otro servicio pertenece a otra cuenta de aquí, o tu cuenta de aquí a otra persona de allí. Quita primero ese vínculo.',
      },
    },
  },
  register: {
    title: 'Crear una cuenta',
    firstName: 'Nombre',
    lastName: 'Apellidos',
    username: 'Nombre de usuario',
    usernameHint: 'De 5 a 32 letras, cifras o guiones bajos. Si lo dejas vacío, formaremos uno a partir de tu nombre.',
    email: 'Dirección de correo electrónico',
    password: 'Contraseña',
    passwordHint:
      'Al menos 6 caracteres. Las más largas son las más seguras: unas cuantas palabras sin relación entre sí hacen una buena contraseña.',
    submit: 'Crear cuenta',
    haveAccount: '¿Ya tienes una cuenta?',
    login: 'Iniciar sesión',
    request: 'Pedir una cuenta',
    reason: '¿Por qué quieres una cuenta?',
    reasonHint: 'Los administradores de este servicio lo leen y deciden. Hasta 500 caracteres.',
    invitation: 'Código de invitación',
    invitationHint: 'Lo recibiste con tu enlace de invitación.',
    proof: {
      working: 'Tu navegador hace un cálculo breve que evita los registros automáticos. No tienes que hacer nada.',
      done: 'Listo.',
      waiting: 'Un momento: el formulario se enviará cuando termine el cálculo.',
      failed:
        'Tu navegador no puede hacer el cálculo que evita los registros automáticos. Puedes registrarte de todos modos: un administrador decidirá.',
      needScript:
        'Sin JavaScript, tu navegador no puede hacer el cálculo que evita los registros automáticos. Puedes registrarte de todos modos: un administrador decidirá. O activa JavaScript y vuelve a cargar esta página.',
    },
    notices: {
      closed: { title: 'El registro está cerrado', text: 'Ahora mismo nadie puede crear una cuenta aquí.' },
      pending: {
        title: 'Tu registro se ha enviado',
        text: 'Los administradores de este servicio deciden sobre él. Entonces recibirás un correo. Hasta entonces no puedes iniciar sesión.',
      },
    },
    errors: {
      invitation: 'Esta invitación es desconocida, está agotada o ha caducado.',
      reason: 'Debe tener 500 caracteres como máximo, sin caracteres de control.',
      firstNameMissing: 'Escribe tu nombre.',
      firstNameTooLong: 'El nombre puede tener 25 caracteres como máximo.',
      lastNameMissing: 'Escribe tus apellidos.',
      lastNameTooLong: 'Los apellidos pueden tener 30 caracteres como máximo.',
      usernameMalformed: 'Un nombre de usuario tiene de 5 a 32 letras (sin tildes ni ñ), cifras o guiones bajos.',
      usernameTaken: 'Este nombre de usuario ya está ocupado. Prueba con otro.',
      emailMalformed: 'Escribe una dirección de correo electrónico, por ejemplo ada@example.com.',
      emailTaken: 'Ya existe una cuenta con esta dirección de correo electrónico.',
      throttled: 'Se han creado demasiadas cuentas desde aquí. Vuelve a intentarlo más tarde.',
      proof: 'Esta página estuvo abierta demasiado tiempo o ya se envió. Escribe tu contraseña y envíala de nuevo.',
      refused:
        'No podemos aceptar este registro por el proveedor de correo, tu red o un nombre. Cambia la dirección de correo o el nombre, o pregunta a los administradores de este servicio.',
    },
  },
  passwordErrors: {
    tooShort: 'La contraseña debe tener al menos 6 caracteres.',
    tooLong: 'La contraseña puede tener 256 caracteres como máximo.',
    common: 'Esta contraseña es de las primeras que otros probarían. Elige otra.',
    sameAsName: 'La contraseña no puede ser tu nombre, tu nombre de usuario ni tu dirección de correo electrónico.',
  },
  restoration: {
    title: '¿Conservar tu cuenta?',
    deleted: (username: RichText, time: string): RichText => ['Tu cuenta ', username, ` se eliminó el ${time}.`],
    erased: (time: string) => `Se borrará para siempre el ${time}. Hasta entonces puedes recuperarla.`,
    keepText:
      'Si la conservas, todo vuelve: tus publicaciones, tus seguidores, tus ajustes y las aplicaciones que has registrado. Las aplicaciones conectadas vuelven a tener acceso. En los demás navegadores, tu sesión sigue cerrada.',
    keep: 'Conservar mi cuenta',
    leave: 'Dejarla eliminada',
  },
  suspension: {
    title: 'Tu cuenta está suspendida',
    suspended: (username: RichText, time: string): RichText => [
      'Un administrador suspendió tu cuenta ',
      username,
      ` el ${time}. Nadie más la ve, y tú no puedes usarla.`,
    ],
    appeal: {
      title: 'Recurso',
      label: '¿Por qué debe recuperarse la cuenta?',
      hint: 'Solo lo leen los administradores. Puedes enviarlo una vez.',
      submit: 'Enviar recurso',
      sent: (time: string) => `Enviaste esto el ${time}. Si la suspensión termina, recibirás un correo.`,
      errors: {
        missing: 'Escribe un texto.',
        tooLong: (max: number) => `El texto no puede tener más de ${String(max)} caracteres.`,
      },
    },
    exportText: 'Un archivo ZIP con tus publicaciones y tus imágenes.',
    deleteText: 'A los 14 días se borra todo para siempre. Mientras la cuenta esté suspendida, no puedes deshacerlo.',
  },
  selectAccount: {
    title: 'Elige una cuenta',
    keep: (username: RichText): RichText => ['Continuar como ', username],
    other: 'Usar otra cuenta',
  },
  logout: {
    title: '¿Cerrar sesión?',
    text: (username: RichText, service: string): RichText => [
      'Has iniciado sesión en ',
      service,
      ' como ',
      username,
      '.',
    ],
    asked: (application: RichText): RichText => [application, ' solicita cerrar tu sesión también aquí.'],
    applicationsStay: 'Las aplicaciones que hayas conectado seguirán conectadas.',
    submit: 'Cerrar sesión',
    stay: 'Mantener la sesión abierta',
    doneTitle: 'Has cerrado la sesión',
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
    'Ningún dispositivo espera con este código. Compruébalo o pide uno nuevo al dispositivo: los códigos valen diez minutos.',
  throttled: 'Demasiados códigos incorrectos. Espera unos minutos y vuelve a intentarlo.',
  heading: (application: RichText): RichText => [application, ' quiere usar tu cuenta en otro dispositivo'],
  compare: (code: RichText): RichText => [
    'Continúa solo si has empezado esto tú y el dispositivo que tienes delante muestra ',
    code,
    '. Si alguien te ha enviado el código o un enlace, recházalo.',
  ],
  allowed: 'El dispositivo está conectado. Puedes volver a él.',
  denied: 'El dispositivo se ha rechazado. No obtiene acceso.',
};

/** Texts of the consent page, in Spanish. */
export const consent = {
  title: (application: string) => `¿Autorizar ${application}?`,
  heading: (application: RichText): RichText => [application, ' quiere usar tu cuenta'],
  signedInAs: (username: RichText): RichText => ['Has iniciado sesión como ', username, '.'],
  notYou: '¿No eres tú? Usar otra cuenta',
  madeBy: 'Creada por',
  returnsTo: 'Te lleva de vuelta a',
  required: 'Podrá',
  optional: 'Si quieres, también',
  /** The request is for the endpoint of agents. Its permissions are in groups. */
  agent: {
    notice:
      'Es un agente: un programa que lee y actúa por sí solo en tu nombre. Concede solo lo que necesita, y solo durante el tiempo necesario.',
    groups: { reading: 'Leer', proposing: 'Proponer', writing: 'Publicar y eliminar', account: 'Tu cuenta' },
  },
  reason: (reason: RichText): RichText => ['Explica: «', reason, '»'],
  before: 'Ya autorizaste esta aplicación antes. Lo que pide además está marcado como nuevo.',
  status: { new: 'nuevo', allowed: 'ya autorizado' },
  /** What was granted before. `shared`: the new expiry applies to it, too; `separate`: it does not. */
  earlier: {
    title: 'Esta aplicación ya tiene acceso',
    until: (minute: string) => `hasta el ${minute}`,
    endless: 'hasta que le pongas fin',
    shared: 'La duración que elijas abajo se aplica también a estos permisos.',
    separate: 'La duración que elijas abajo no cambia estos permisos.',
    keep: (minute: string) => `Como hasta ahora: ${minute}`,
  },
  outside: {
    describes: (description: RichText): RichText => ['Quien desarrolla la API dice: «', description, '»'],
    notice: (api: RichText, owner: RichText, service: string): RichText => [
      api,
      ' no forma parte de ',
      service,
      '. Pertenece a ',
      owner,
      ', y ',
      service,
      ' no la ha revisado. Conocerá tu nombre de usuario.',
    ],
    unproven: (owner: RichText): RichText => [' No está verificado que ', owner, ' opere esta dirección.'],
  },
  nothing: 'No pide permiso para leer ni cambiar nada.',
  implicit:
    'Esta aplicación recibe su acceso en la barra de direcciones de tu navegador, donde otros programas podrían verlo. Es menos seguro que el método habitual, así que tiene que volver a pedírtelo cada 10 minutos.',
  publisherUnconfirmed: 'dirección de correo sin confirmar',
  trust: (owner: RichText): RichText => ['Autoriza esta aplicación solo si confías en ', owner, '.'],
  builtIn: (service: string) => `parte de ${service}`,
  builtInTrust: (service: string) =>
    `Es la herramienta de la referencia de la API de ${service}. Autorízala solo si acabas de elegir «Authorize» allí.`,
  selfRegistered: 'desconocido: la aplicación se registró por sí misma',
  unverified: (service: string, host: RichText): RichText => [
    service,
    ' no sabe quién ofrece esta aplicación, porque se registró por sí misma. Autorízala solo si acabas de iniciar esto y confías en ',
    host,
    '.',
  ],
  /** `host`: of the URL that is the `client_id`. */
  documented: (host: RichText): RichText => [host, ', sin verificar'],
  unverifiedHost: (service: string, host: RichText): RichText => [
    service,
    ' no ha verificado quién ofrece esta aplicación. Dice proceder de ',
    host,
    '. Autorízala solo si acabas de iniciar esto y confías en ',
    host,
    '.',
  ],
  onDevice: (host: RichText): RichText => [
    'Funciona en tu dispositivo, donde otros programas también pueden afirmar que proceden de ',
    host,
    '.',
  ],
  deny: 'Rechazar',
  allow: 'Autorizar',
  later: 'Puedes desconectarla en cualquier momento en tu cuenta, en «Aplicaciones conectadas».',
  /** The page that posts the response to the application (`response_mode=form_post`). */
  returning: {
    title: (application: string) => `Volver a ${application}`,
    heading: (application: RichText): RichText => ['Volver a ', application],
    text: (host: RichText): RichText => ['Si no pasas automáticamente a ', host, ', selecciona «Continuar».'],
    staying: 'Cuando se haya abierto la aplicación, puedes cerrar esta página.',
    submit: 'Continuar',
  },
};
