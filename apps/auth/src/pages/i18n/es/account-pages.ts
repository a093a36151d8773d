import { countingIn } from '../counted.ts';
import type { RichText } from '../text-types.ts';

/** Texts of the pages about e-mail addresses and of the pages behind mail links, in Spanish. */
export const email = {
  page: {
    title: 'Correo electrónico',
    present: 'Dirección',
    verified: 'Confirmada',
    unverified: 'Aún sin confirmar',
    unverifiedText: 'Abre el enlace del mensaje que enviamos a esta dirección. Puede tardar unos minutos en llegar.',
    refused: (address: RichText): RichText => [
      'No se pudo entregar el mensaje a ',
      address,
      '. Comprueba que la dirección es correcta y que tu buzón acepta mensajes.',
    ],
    resend: 'Volver a enviar el mensaje',
    resent: 'El mensaje está en camino.',
    changeTitle: 'Usar otra dirección',
    changeText: 'Enviamos un enlace a la dirección nueva. Se usará en cuanto abras el enlace.',
    next: 'Nueva dirección de correo electrónico',
    password: 'Contraseña actual',
    submit: 'Enviar el enlace',
    sent: 'Un enlace está en camino a la dirección nueva. Hasta que lo abras, se mantiene la actual.',
    same: 'Esta ya es tu dirección.',
    providerRefused: 'Aquí no se acepta este proveedor de correo. Usa una dirección de otro.',
    pendingTitle: 'Una dirección espera confirmación',
    pendingText: 'Abre el enlace del mensaje que enviamos allí. Hasta entonces se mantiene la dirección actual.',
    pendingUntil: 'El enlace es válido hasta el',
    resendChange: 'Volver a enviar el enlace',
    cancelChange: 'Anular el cambio',
    changeCancelled: 'El cambio se ha anulado. Los enlaces que enviamos ya no son válidos.',
    changeGone: 'Ya no hay nada por confirmar: la dirección se confirmó, el cambio se anuló o se acabó el plazo.',
    throttled: 'Demasiadas solicitudes. Espera una hora y vuelve a intentarlo.',
  },
  verify: {
    title: 'Confirma tu dirección',
    text: (address: RichText): RichText => ['¿Es ', address, ' tu dirección?'],
    submit: 'Confirmar',
    doneTitle: 'Tu dirección está confirmada',
    doneText: 'Gracias. Puedes cerrar esta página o continuar.',
    continue: 'Ir a tu cuenta',
    firstProof:
      'La confirmación pone fin a todo lo que se configuró antes en esta cuenta: sesiones, llaves de acceso, aplicación de autenticación, aplicaciones conectadas y cambios pendientes. Tus propias aplicaciones se pausan, y sus secretos y claves se eliminan.',
    firstProofDone:
      'Ha terminado todo lo que se había configurado en esta cuenta: sesiones, llaves de acceso, aplicación de autenticación, aplicaciones conectadas y cambios pendientes. Tus aplicaciones están en pausa y ya no tienen secretos ni claves. Reanuda solo las que hayas creado tú y vuelve a iniciar sesión.',
    notYourPassword: '¿Eligió otra persona la contraseña de esta cuenta?',
    goneTitle: 'Este enlace ya no es válido',
    goneText: 'Ya se usó, es demasiado antiguo o se envió uno más reciente. Puedes pedir otro en tu cuenta.',
    withdrawnText: 'El cambio de dirección se anuló, o después se pidió otra dirección. No se ha cambiado nada.',
  },
  required: {
    title: 'Confirma antes tu dirección de correo electrónico',
    text: (application: RichText): RichText => [
      'Antes de que autorices a ',
      application,
      ' a usar tu cuenta, tenemos que saber que tu dirección es realmente tuya.',
    ],
    next: 'Abre el enlace del mensaje que te enviamos y continúa después aquí.',
    continue: 'Continuar',
  },
  forgot: {
    link: '¿Has olvidado tu contraseña?',
    title: '¿Has olvidado tu contraseña?',
    text: 'Escribe la dirección de correo electrónico de tu cuenta y te enviaremos un enlace para elegir una contraseña nueva.',
    email: 'Dirección de correo electrónico',
    submit: 'Enviar el enlace',
    malformed: 'Escribe una dirección de correo electrónico, por ejemplo ada@example.com.',
    sentTitle: 'Revisa tu buzón',
    sentText:
      'Si existe una cuenta con esta dirección, un enlace está en camino. Es válido durante 30 minutos. ¿No llega nada? Mira en el correo no deseado o comprueba la dirección.',
    back: 'Volver al inicio de sesión',
    throttled: 'Demasiados intentos. Espera una hora y vuelve a intentarlo.',
  },
  reset: {
    title: 'Elige una contraseña nueva',
    text: (username: RichText): RichText => [
      'Para la cuenta ',
      username,
      '. Se cerrará tu sesión en todas partes, y las aplicaciones tendrán que volver a pedirte acceso.',
    ],
    next: 'Contraseña nueva',
    submit: 'Guardar la contraseña',
    goneTitle: 'Este enlace ya no es válido',
    goneText: 'Ya se usó o tiene más de 30 minutos.',
    again: 'Pedir otro',
    firstProofDone:
      'La contraseña se ha cambiado y tu dirección está confirmada. Ha terminado todo lo que se había configurado en esta cuenta: sesiones, llaves de acceso, aplicación de autenticación, aplicaciones conectadas y cambios pendientes. Tus aplicaciones están en pausa y ya no tienen secretos ni claves; reanuda solo las que hayas creado tú. Inicia sesión con la contraseña nueva.',
    done: 'La contraseña se ha cambiado. Inicia sesión con la nueva.',
  },
};

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
    wrong: 'Este código es incorrecto, demasiado antiguo o ya se usó. Espera al siguiente y vuelve a intentarlo.',
    useRecovery: 'Usar mejor un código de recuperación',
    recovery: 'Código de recuperación',
    recoveryWrong: 'Este código de recuperación es incorrecto o ya se usó.',
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

/** Texts of the security activity, in Spanish. */
export const activity = {
  title: 'Actividad de seguridad',
  overviewText: 'Consulta los inicios de sesión y los cambios de tu cuenta.',
  intro:
    'Inicios de sesión y cambios de tu cuenta, los más recientes primero. Si no reconoces algo, elige «No he sido yo».',
  none: 'Todavía no ha ocurrido nada.',
  wasNotMe: 'No he sido yo',
  events: {
    'account.registered': 'Cuenta creada',
    'account.renamed': 'Nombre de usuario cambiado',
    'account.password_changed': 'Contraseña cambiada',
    'account.password_change_refused': 'Contraseña incorrecta al cambiar la contraseña',
    'account.email_changed': 'Dirección de correo electrónico cambiada',
    'account.email_confirmed': 'Dirección de correo electrónico confirmada',
    'account.signed_out_everywhere': 'Sesión cerrada en todas partes',
    'account.exported': 'Datos exportados',
    'account.imported': 'Publicaciones importadas',
    'account.import_undone': 'Importación deshecha',
    'account.deleted': 'Cuenta eliminada',
    'account.restored': 'Cuenta recuperada',
    'account.suspended': 'Cuenta suspendida',
    'account.unsuspended': 'Cuenta ya no suspendida',
    'session.begun': 'Sesión iniciada',
    'session.new_place': 'Primer inicio de sesión con este navegador o desde esta red; te enviamos un correo',
    'session.confirmation_refused': 'Contraseña incorrecta al confirmar tu identidad',
    'factor.added': 'Aplicación de autenticación añadida',
    'factor.removed': 'Aplicación de autenticación quitada',
    'factor.recovery_codes_made': 'Códigos de recuperación generados',
    'consent.given': 'Aplicación conectada',
    'consent.widened': 'Una aplicación recibió más acceso',
    'consent.narrowed': 'Acceso de una aplicación reducido',
    'consent.ended': 'Acceso de una aplicación terminado',
    'authorization.ended':
      'Inicio de sesión en una aplicación terminado: por ella, o porque un código o token se usó dos veces',
    'invitation.created': 'Enlace de invitación creado',
    'test_person.created': 'Persona de prueba creada',
    'test_person.deleted': 'Persona de prueba eliminada',
    'application.created': 'Aplicación propia creada',
    'application.deleted': 'Aplicación propia eliminada',
    'secret.added': 'Secreto añadido a una aplicación propia',
    'code.replayed': 'Código de inicio de sesión de una aplicación usado dos veces; terminamos ese inicio de sesión',
    'token.reused': 'Token de actualización de una aplicación usado dos veces; terminamos ese inicio de sesión',
  },
  passkeys: { added: 'Llave de acceso añadida', removed: 'Llave de acceso quitada' },
  actors: { operator: 'por un administrador', application: 'por una aplicación' },
  notMe: {
    title: 'No he sido yo',
    intro: 'Quizá alguien tenga acceso a tu cuenta. Con un botón la recuperas.',
    consequences: [
      'Se cierra la sesión en todos los demás navegadores; en este sigue abierta.',
      'Todas las aplicaciones conectadas pierden su acceso y deben volver a pedírtelo.',
      'Un cambio de tu dirección de correo electrónico que aún no esté confirmado se cancela.',
      'Después eliges una contraseña nueva.',
    ],
    submit: 'Terminar todo otro acceso',
    back: 'Volver',
    passwordUnknown: '¿Tu contraseña ya no sirve?',
    done: 'Todo otro acceso ha terminado. Elige ahora una contraseña nueva que no uses en ningún otro sitio.',
  },
};

/** Texts of the page of notifications, in Spanish. */
export const notifications = {
  title: 'Notificaciones',
  intro: 'Elige de qué quieres enterarte. Vale en todas las aplicaciones.',
  legend: 'Avisarme cuando alguien o una aplicación',
  kinds: {
    mention: 'me menciona',
    reply: 'comenta mis publicaciones o comentarios',
    quote: 'cita mis publicaciones',
    like: 'indica que le gustan mis publicaciones',
    repost: 'comparte mis publicaciones',
    follow: 'me sigue',
    follow_request: 'pide seguirme',
    approved: 'acepta mi solicitud de seguimiento',
    proposal: 'me propone algo',
    draft_failed: 'no puede publicar lo que programé',
  },
  back: 'Lo que desactives se oculta, no se pierde: vuelve en cuanto lo actives de nuevo.',
  mailLegend: 'Enviarme un correo cuando una aplicación',
  mailText: 'Como máximo uno por hora, a una dirección confirmada.',
  save: 'Guardar',
  saved: 'Se ha guardado tu elección.',
};
