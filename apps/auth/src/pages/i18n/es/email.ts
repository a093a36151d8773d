import type { RichText } from '../rich-text.ts';

/** Texts of the pages about e-mail addresses and of the pages behind mail links, in Spanish. */
export const email = {
  page: {
    title: 'Correo electrónico',
    present: 'Dirección',
    verified: 'Confirmada',
    unverified: 'Aún sin confirmar',
    unverifiedText: 'Abra el enlace del mensaje que enviamos a esta dirección. Puede tardar unos minutos en llegar.',
    refused: (address: RichText): RichText => [
      'No se pudo entregar el mensaje a ',
      address,
      '. Compruebe que la dirección es correcta y que su buzón acepta mensajes.',
    ],
    resend: 'Volver a enviar el mensaje',
    resent: 'El mensaje está en camino.',
    changeTitle: 'Usar otra dirección',
    changeText: 'Enviamos un enlace a la dirección nueva. Se usará en cuanto usted abra el enlace.',
    next: 'Nueva dirección de correo electrónico',
    password: 'Contraseña actual',
    submit: 'Enviar el enlace',
    sent: 'Un enlace está en camino a la dirección nueva. Hasta que lo abra, se mantiene la actual.',
    same: 'Esta ya es su dirección.',
    pendingTitle: 'Una dirección espera confirmación',
    pendingText: 'Abra el enlace del mensaje que enviamos allí. Hasta entonces se mantiene la dirección actual.',
    pendingUntil: 'El enlace es válido hasta el',
    resendChange: 'Volver a enviar el enlace',
    cancelChange: 'Anular el cambio',
    changeCancelled: 'El cambio se ha anulado. Los enlaces que enviamos ya no son válidos.',
    changeGone: 'Ya no hay nada por confirmar: la dirección se confirmó, el cambio se anuló o se acabó el plazo.',
    throttled: 'Demasiadas solicitudes. Espere una hora y vuelva a intentarlo.',
  },
  verify: {
    title: 'Confirme su dirección de correo electrónico',
    text: (address: RichText): RichText => ['¿Es ', address, ' su dirección?'],
    submit: 'Confirmar',
    doneTitle: 'Su dirección está confirmada',
    doneText: 'Gracias. Puede cerrar esta página o continuar.',
    continue: 'Ir a su cuenta',
    firstProof:
      'La confirmación pone fin a todo lo que se configuró antes en esta cuenta: sesiones, llaves de acceso, aplicación de autenticación, aplicaciones conectadas y cambios pendientes. Sus propias aplicaciones se pausan, y sus secretos y claves se eliminan.',
    firstProofDone:
      'Ha terminado todo lo que se había configurado en esta cuenta: sesiones, llaves de acceso, aplicación de autenticación, aplicaciones conectadas y cambios pendientes. Sus aplicaciones están en pausa y ya no tienen secretos ni claves. Reanude solo las que haya creado usted y vuelva a iniciar sesión.',
    notYourPassword: '¿Eligió otra persona la contraseña de esta cuenta?',
    goneTitle: 'Este enlace ya no es válido',
    goneText: 'Ya se usó, es demasiado antiguo o se envió uno más reciente. Puede pedir otro en su cuenta.',
    withdrawnText: 'El cambio de dirección se anuló, o después se pidió otra dirección. No se ha cambiado nada.',
  },
  required: {
    title: 'Confirme antes su dirección de correo electrónico',
    text: (application: RichText): RichText => [
      'Antes de que permita a ',
      application,
      ' usar su cuenta, tenemos que saber que su dirección es realmente suya.',
    ],
    next: 'Abra el enlace del mensaje que le enviamos y continúe después aquí.',
    continue: 'Continuar',
  },
  forgot: {
    link: '¿Ha olvidado su contraseña?',
    title: '¿Ha olvidado su contraseña?',
    text: 'Escriba la dirección de correo electrónico de su cuenta y le enviaremos un enlace para elegir una contraseña nueva.',
    email: 'Dirección de correo electrónico',
    submit: 'Enviar el enlace',
    malformed: 'Escriba una dirección de correo electrónico, por ejemplo ada@example.com.',
    sentTitle: 'Revise su buzón',
    sentText:
      'Si existe una cuenta con esta dirección, un enlace está en camino. Es válido durante 30 minutos. ¿No llega nada? Mire en el correo no deseado o compruebe la dirección.',
    back: 'Volver al inicio de sesión',
    throttled: 'Demasiados intentos. Espere una hora y vuelva a intentarlo.',
  },
  reset: {
    title: 'Elija una contraseña nueva',
    text: (username: RichText): RichText => [
      'Para la cuenta ',
      username,
      '. Se cerrará su sesión en todas partes, y las aplicaciones tendrán que volver a pedirle acceso.',
    ],
    next: 'Contraseña nueva',
    submit: 'Guardar la contraseña',
    goneTitle: 'Este enlace ya no es válido',
    goneText: 'Ya se usó o tiene más de 30 minutos.',
    again: 'Pedir otro',
    firstProofDone:
      'La contraseña se ha cambiado y su dirección está confirmada. Ha terminado todo lo que se había configurado en esta cuenta: sesiones, llaves de acceso, aplicación de autenticación, aplicaciones conectadas y cambios pendientes. Sus aplicaciones están en pausa y ya no tienen secretos ni claves; reanude solo las que haya creado usted. Inicie sesión con la contraseña nueva.',
    done: 'La contraseña se ha cambiado. Inicie sesión con la nueva.',
  },
};
