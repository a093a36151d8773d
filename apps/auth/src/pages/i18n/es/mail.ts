/** Texts of mail, in Spanish. */
export const mail = {
  footer: (service: string, origin: string, address: string) =>
    `${service} (${origin}) envió este mensaje a ${address}. No es posible responder a él.`,
  questions: (email: string) => `Si tienes alguna pregunta, escribe a ${email}.`,
  verifyEmail: {
    subject: (service: string) => `Confirma tu dirección de correo electrónico para ${service}`,
    text: (username: string, service: string) =>
      `Te damos la bienvenida a ${service}. Confirma que esta dirección te pertenece, ${username}.`,
    action: 'Confirmar la dirección',
    after: [
      'El enlace es válido durante 24 horas.',
      'Si no has creado esta cuenta, no hagas nada: sin la confirmación, la dirección no se atribuye a nadie.',
    ],
  },
  registrationApproved: {
    subject: (service: string) => `Tu cuenta de ${service} está lista`,
    text: (username: string, service: string) =>
      `Los administradores de ${service} han aceptado tu registro como ${username}. Confirma que esta dirección de correo es tuya y luego inicia sesión con tu contraseña.`,
    after: [
      'Este enlace caduca en 24 horas.',
      'Si no pediste esta cuenta, ignora este correo. La dirección seguirá sin confirmar.',
    ],
  },
  registrationRefused: {
    subject: (service: string) => `Tu registro en ${service} se ha rechazado`,
    text: (username: string, service: string) =>
      `Los administradores de ${service} han rechazado el registro como ${username} con esta dirección de correo. No se creó ninguna cuenta y hemos borrado los datos enviados.`,
    after: ['Si no pediste una cuenta, puedes ignorar este correo.'],
  },
  resetPassword: {
    subject: (service: string) => `Una contraseña nueva para ${service}`,
    text: (username: string, service: string) =>
      `Alguien, esperamos que tú, ha pedido una contraseña nueva para la cuenta ${username} en ${service}.`,
    action: 'Elegir una contraseña nueva',
    after: [
      'El enlace es válido durante 30 minutos y una sola vez.',
      'Si no has sido tú, no hagas nada: tu contraseña queda como está.',
    ],
  },
  changeEmail: {
    subject: (service: string) => `Confirma tu nueva dirección de correo electrónico para ${service}`,
    text: (username: string, service: string) =>
      `La cuenta ${username} en ${service} va a usar esta dirección. Confirma que te pertenece.`,
    action: 'Usar esta dirección',
    after: [
      'El enlace es válido durante 24 horas. Hasta entonces, la cuenta conserva su dirección anterior.',
      'Si no sabes nada de esto, no hagas nada: quizá alguien haya escrito mal su propia dirección.',
    ],
  },
  addressInUse: {
    subject: (service: string) => `Ya tienes una cuenta en ${service}`,
    text: (username: string, service: string) =>
      `Alguien quiso usar esta dirección para otra cuenta en ${service}. Pertenece a tu cuenta ${username}, así que no se ha cambiado nada.`,
    after: ['Si has sido tú: inicia sesión en esa cuenta y asígnale antes otra dirección.'],
  },
  emailChangeAsked: {
    subject: (service: string) => `Se ha pedido cambiar tu dirección de correo electrónico en ${service}`,
    text: (username: string, service: string, email: string) =>
      `Alguien que conoce la contraseña ha pedido que la cuenta ${username} en ${service} use la dirección ${email}. Así será en cuanto se confirme esa dirección.`,
    after: ['Si no has sido tú: cambia ahora tu contraseña. Con ello se anula también la solicitud.'],
    action: 'Cambiar la contraseña',
  },
  emailChanged: {
    subject: (service: string) => `Tu dirección de correo electrónico en ${service} ha cambiado`,
    text: (username: string, service: string, time: string) =>
      `La cuenta ${username} en ${service} tiene otra dirección de correo electrónico desde el ${time}. A esta ya no llegan mensajes.`,
    after: [
      'Si no has sido tú: inicia sesión con tu nombre de usuario y cambia la contraseña y la dirección. Si no lo consigues, dirígete a los administradores del servicio.',
    ],
    action: 'Ir a tu cuenta',
  },
  passwordChanged: {
    subject: (service: string) => `Tu contraseña en ${service} ha cambiado`,
    text: (username: string, service: string, time: string) =>
      `La contraseña de la cuenta ${username} en ${service} se cambió el ${time}. Se cerró la sesión en los demás navegadores, y las aplicaciones tienen que volver a pedirte acceso.`,
    after: [
      'Si no has sido tú: elige ahora una contraseña nueva con el enlace «¿Has olvidado tu contraseña?» del inicio de sesión.',
    ],
    action: 'Elegir una contraseña nueva',
  },
  signInAttempts: {
    subject: (service: string) => `Alguien intenta adivinar tu contraseña en ${service}`,
    text: (username: string, service: string, time: string) =>
      `Hasta el ${time} se introdujeron más de 20 contraseñas incorrectas para tu cuenta ${username} en ${service}. Nadie inició sesión con ellas. Los próximos intentos tienen que esperar, salvo en los navegadores con los que ya habías iniciado sesión.`,
    after: [
      'Si has sido tú: restablece tu contraseña con el enlace «¿Has olvidado tu contraseña?» del inicio de sesión.',
      'Si no has sido tú: comprueba que tu contraseña sea larga y que no la uses en ningún otro sitio. Una llave de acceso o una aplicación de autenticación protege tu cuenta aunque alguien la adivine.',
    ],
    action: 'Proteger tu cuenta',
  },
  accountDeleted: {
    subject: (service: string) => `Tu cuenta de ${service} se ha eliminado`,
    text: (username: string, service: string, time: string) =>
      `Tu cuenta ${username} de ${service} se eliminó el ${time}. Ya nadie puede verla ni usarla.`,
    undo: (time: string) =>
      `Hasta el ${time} puedes deshacerlo: inicia sesión y elige «Conservar mi cuenta». Todo vuelve: tus publicaciones, tus seguidores y tus ajustes. Después, la cuenta se borra para siempre.`,
    action: 'Iniciar sesión y conservar la cuenta',
    after: [
      'Si quieres que la cuenta se borre, no tienes que hacer nada.',
      'Si no la has eliminado tú, alguien conoce tu contraseña. Elige una nueva con «¿Has olvidado tu contraseña?» en la página de inicio de sesión, inicia sesión y conserva tu cuenta.',
    ],
  },
  accountRestored: {
    subject: (service: string) => `Tu cuenta de ${service} se ha recuperado`,
    text: (username: string, service: string, time: string) =>
      `Tu cuenta ${username} de ${service}, que se había eliminado, se recuperó el ${time}. No se borrará.`,
    after: [
      'Si no has sido tú, cambia tu contraseña con «¿Has olvidado tu contraseña?» en la página de inicio de sesión.',
    ],
    action: 'Ir a tu cuenta',
  },
  accountSuspended: {
    subject: (service: string) => `Tu cuenta de ${service} se ha suspendido`,
    text: (username: string, service: string, time: string) =>
      `Un administrador suspendió tu cuenta ${username} de ${service} el ${time}. Nadie más la ve, y tú no puedes usarla.`,
    reason: (reason: string) => `El motivo: ${reason}`,
    action: 'Iniciar sesión',
    after: ['Después de iniciar sesión con tu contraseña puedes recurrir, descargar tus datos o eliminar la cuenta.'],
  },
  suspensionEnded: {
    subject: (service: string) => `Tu cuenta de ${service} ya no está suspendida`,
    text: (username: string, service: string, time: string) =>
      `Tu cuenta ${username} de ${service} se recuperó el ${time}. Todo ha vuelto y puedes iniciar sesión de nuevo.`,
    action: 'Iniciar sesión',
  },
  reportedSubjects: {
    account: (username: string) => `la cuenta ${username}`,
    post: (username: string) => `una publicación de ${username}`,
    comment: (username: string) => `un comentario de ${username}`,
  },
  reportDecided: {
    subject: (service: string) => `Tu denuncia en ${service}`,
    reported: (subject: string, service: string) => `Denunciaste ${subject} en ${service}. Un administrador lo revisó.`,
    acted: (rule: string) => `Hemos actuado, porque incumple una norma: ${rule}.`,
    dismissed: (rule: string) => `No hemos actuado, porque no encontramos nada que incumpla la norma: ${rule}.`,
    after: ['Gracias por tu denuncia. Lo que hacemos exactamente queda entre nosotros y la persona.'],
  },
  contentDeleted: {
    subject: (service: string) => `Algo que publicaste en ${service} se ha eliminado`,
    subjectOfAll: (service: string) => `Tus publicaciones en ${service} se han eliminado`,
    quoted: (text: string) => `«${text}»`,
    deleted: {
      post: (username: string, service: string) =>
        `Un administrador eliminó esta publicación de tu cuenta ${username} de ${service}:`,
      comment: (username: string, service: string) =>
        `Un administrador eliminó este comentario de tu cuenta ${username} de ${service}:`,
    },
    allDeleted: (username: string, service: string) =>
      `Un administrador eliminó todas las publicaciones y comentarios de tu cuenta ${username} de ${service}.`,
    withSuspension: 'Se han eliminado todas las publicaciones y comentarios de la cuenta.',
    rule: (rule: string) => `La norma que incumple: ${rule}.`,
    appealTo: (email: string, number: string) =>
      `Si crees que es un error, escribe a ${email} e indica el caso ${number}.`,
    appeal: (number: string) =>
      `Si crees que es un error, ponte en contacto con los administradores del servicio e indica el caso ${number}.`,
  },
  newSignIn: {
    subject: (service: string) => `Nuevo inicio de sesión en ${service}`,
    text: (username: string, service: string, time: string) =>
      `Alguien inició sesión en la cuenta ${username} en ${service} el ${time}, con un navegador o desde una red que no conocíamos:`,
    where: (browser: string, address: string) => `${browser}, dirección ${address}`,
    unknownAddress: 'desconocida',
    after: ['Si no has sido tú: cierra esa sesión y cambia tu contraseña.'],
    action: 'Ver tus sesiones',
  },
  newApplication: {
    subject: (service: string) => `Una aplicación nueva puede usar tu cuenta en ${service}`,
    text: (application: string, owner: string, username: string) =>
      `La aplicación «${application}», de ${owner}, ya puede usar tu cuenta ${username}.`,
    builtIn: (service: string, application: string, username: string) =>
      `«${application}», la herramienta de la referencia de la API de ${service}, ya puede usar tu cuenta ${username}.`,
    selfRegistered: (application: string, username: string) =>
      `La aplicación «${application}», que se registró por sí misma y no está verificada, ya puede usar tu cuenta ${username}.`,
    documented: (application: string, host: string, username: string) =>
      `La aplicación «${application}», de ${host}, que no está verificada, ya puede usar tu cuenta ${username}.`,
    time: (service: string, time: string) => `Se autorizó en ${service} el ${time}.`,
    after: ['Si no has sido tú: desconecta la aplicación y cambia tu contraseña.'],
    action: 'Ver las aplicaciones conectadas',
  },
  importEnded: {
    finished: {
      subject: (service: string) => `Tus publicaciones ya están en ${service}`,
      text: (username: string, service: string) =>
        `La importación para tu cuenta ${username} de ${service} ha terminado.`,
    },
    failed: {
      subject: (service: string) => `Tu importación a ${service} ha fallado`,
      text: (username: string, service: string) =>
        `La importación para tu cuenta ${username} de ${service} ha fallado.`,
    },
    kept: 'Lo guardado se queda.',
    action: 'Ver la importación',
  },
  proposals: {
    subject: (service: string) => `Propuestas para ti en ${service}`,
    text: (username: string, service: string) =>
      `Esto se ha propuesto para tu cuenta ${username} en ${service}. No ocurre nada hasta que decidas.`,
    from: (application: string, calls: string) => `«${application}»: ${calls}`,
    calls: {
      '/post/create': (count: number) => (count === 1 ? '1 publicación' : `${String(count)} publicaciones`),
      '/comment/create': (count: number) => (count === 1 ? '1 comentario' : `${String(count)} comentarios`),
      '/likes/add': (count: number) =>
        count === 1 ? 'indicar que te gusta 1 publicación' : `indicar que te gustan ${String(count)} publicaciones`,
      '/reposts/add': (count: number) =>
        count === 1 ? 'compartir 1 publicación' : `compartir ${String(count)} publicaciones`,
      '/follows/add': (count: number) => (count === 1 ? 'seguir a 1 persona' : `seguir a ${String(count)} personas`),
    },
    action: 'Ver las propuestas',
    after: (settings: string) => `Este correo se envía como máximo una vez por hora. Para desactivarlo: ${settings}`,
  },
  webhookOff: {
    subject: (service: string) => `Se desactivó un webhook de tu aplicación en ${service}`,
    reasons: {
      failed: (application: string, account: string, time: string) =>
        `No se pudo contactar con la aplicación «${application}» de tu cuenta ${account} durante cinco días. Desactivamos este webhook el ${time}.`,
      full: (application: string, account: string, time: string) =>
        `Demasiados mensajes esperaban a la aplicación «${application}» de tu cuenta ${account}. Desactivamos este webhook el ${time}.`,
      gone: (application: string, account: string, time: string) =>
        `La aplicación «${application}» de tu cuenta ${account} respondió con el estado 410. Desactivamos este webhook el ${time}.`,
    },
    after:
      'Corrige la dirección o tu servidor y vuelve a activar el webhook. Lo que ocurra mientras tanto no se envía.',
    action: 'Revisar el webhook',
  },
  applicationNotice: {
    created: {
      subject: (service: string) => `Se ha creado una aplicación en tu cuenta de ${service}`,
      text: (application: string, account: string, time: string) =>
        `La aplicación «${application}» se creó en tu cuenta ${account} el ${time}.`,
    },
    changed: {
      subject: (service: string) => `Una aplicación de tu cuenta de ${service} tiene más acceso`,
      text: (application: string, account: string, time: string) =>
        `La aplicación «${application}» de tu cuenta ${account} recibió más acceso el ${time}.`,
    },
    gained: {
      'act-as-owner': () => 'Puede actuar como tu cuenta con sus propias credenciales.',
      implicit: () => 'Puede recibir tokens de acceso en el navegador (response_type=token).',
      scopes: (scopes: string) => `Sus permisos: ${scopes}.`,
      settings: (settings: string) => `Se permite más del protocolo: ${settings}.`,
    },
    after: 'Si no has sido tú, elimina la aplicación y cambia tu contraseña.',
    action: 'Ver tus aplicaciones',
  },
  factorChanged: {
    passkey_added: {
      subject: (service: string) => `Se ha añadido una llave de acceso a tu cuenta en ${service}`,
      text: (account: string, time: string, names: string) =>
        `Desde el ${time} se puede iniciar sesión en la cuenta ${account} con la llave de acceso ${names}, sin contraseña.`,
    },
    passkey_removed: {
      subject: (service: string) => `Se ha quitado una llave de acceso de tu cuenta en ${service}`,
      text: (account: string, time: string, names: string) =>
        `Quitada de la cuenta ${account} el ${time}: llave de acceso ${names}. Ya no permite iniciar sesión.`,
    },
    identity_added: {
      subject: (service: string) => `Se ha vinculado otro servicio a tu cuenta en ${service}`,
      text: (account: string, time: string, names: string) =>
        `Desde el ${time} se puede iniciar sesión en la cuenta ${account} con ${names}, sin contraseña.`,
    },
    identity_removed: {
      subject: (service: string) => `Un servicio ya no está vinculado a tu cuenta en ${service}`,
      text: (account: string, time: string, names: string) =>
        `Desvinculado de la cuenta ${account} el ${time}: ${names}. Ya no permite iniciar sesión.`,
    },
    totp_added: {
      subject: (service: string) => `Se ha añadido una aplicación de autenticación a tu cuenta en ${service}`,
      text: (account: string, time: string) =>
        `Desde el ${time}, el inicio de sesión en la cuenta ${account} pide un código de la aplicación después de la contraseña. Con ella se crearon códigos de recuperación.`,
    },
    totp_removed: {
      subject: (service: string) => `Se ha quitado la aplicación de autenticación de tu cuenta en ${service}`,
      text: (account: string, time: string) =>
        `Desde el ${time} vuelve a bastar la contraseña para la cuenta ${account}. Los códigos de recuperación desaparecieron con la aplicación.`,
    },
    recovery_codes_made: {
      subject: (service: string) => `Nuevos códigos de recuperación para tu cuenta en ${service}`,
      text: (account: string, time: string) =>
        `Los códigos de recuperación de la cuenta ${account} se crearon de nuevo el ${time}. Los anteriores ya no sirven.`,
    },
    /** How the texts refer to the account. */
    account: (username: string, service: string) => `${username} en ${service}`,
    quote: (name: string) => `«${name}»`,
    after: 'Si no has sido tú: quita lo que no conozcas, crea códigos de recuperación nuevos y cambia tu contraseña.',
    action: 'Ver la seguridad de tu cuenta',
  },
};
