import type { RichText } from '../rich-text.ts';

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
    title: 'Confirma tu dirección de correo electrónico',
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
