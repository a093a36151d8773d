/** Texts of mail, in Spanish. */
export const mail = {
  footer: (service: string, origin: string, address: string) =>
    `${service} (${origin}) envió este mensaje a ${address}. No es posible responder a él.`,
  questions: (email: string) => `Si tiene alguna pregunta, escriba a ${email}.`,
  verifyEmail: {
    subject: (service: string) => `Confirme su dirección de correo electrónico para ${service}`,
    text: (username: string, service: string) =>
      `Le damos la bienvenida a ${service}. Confirme que esta dirección le pertenece, ${username}.`,
    action: 'Confirmar la dirección',
    after: [
      'El enlace es válido durante 24 horas.',
      'Si no ha creado esta cuenta, no haga nada: sin la confirmación, la dirección no se atribuye a nadie.',
    ],
  },
  registrationApproved: {
    subject: (service: string) => `Su cuenta de ${service} está lista`,
    text: (username: string, service: string) =>
      `Quienes gestionan ${service} han aceptado su registro como ${username}. Confirme que esta dirección de correo es suya y luego inicie sesión con su contraseña.`,
    after: [
      'Este enlace caduca en 24 horas.',
      'Si no pidió esta cuenta, ignore este correo. La dirección seguirá sin confirmar.',
    ],
  },
  registrationRefused: {
    subject: (service: string) => `Su registro en ${service} se ha rechazado`,
    text: (username: string, service: string) =>
      `Quienes gestionan ${service} han rechazado el registro como ${username} con esta dirección de correo. No se creó ninguna cuenta y hemos borrado los datos enviados.`,
    after: ['Si no pidió una cuenta, puede ignorar este correo.'],
  },
  resetPassword: {
    subject: (service: string) => `Una contraseña nueva para ${service}`,
    text: (username: string, service: string) =>
      `Alguien, esperamos que usted, ha pedido una contraseña nueva para la cuenta ${username} en ${service}.`,
    action: 'Elegir una contraseña nueva',
    after: [
      'El enlace es válido durante 30 minutos y una sola vez.',
      'Si no ha sido usted, no haga nada: su contraseña queda como está.',
    ],
  },
  changeEmail: {
    subject: (service: string) => `Confirme su nueva dirección de correo electrónico para ${service}`,
    text: (username: string, service: string) =>
      `La cuenta ${username} en ${service} va a usar esta dirección. Confirme que le pertenece.`,
    action: 'Usar esta dirección',
    after: [
      'El enlace es válido durante 24 horas. Hasta entonces, la cuenta conserva su dirección anterior.',
      'Si no sabe nada de esto, no haga nada: quizá alguien haya escrito mal su propia dirección.',
    ],
  },
  addressInUse: {
    subject: (service: string) => `Ya tiene una cuenta en ${service}`,
    text: (username: string, service: string) =>
      `Alguien quiso usar esta dirección para otra cuenta en ${service}. Pertenece a su cuenta ${username}, así que no se ha cambiado nada.`,
    after: ['Si ha sido usted: inicie sesión en esa cuenta y asígnele antes otra dirección.'],
  },
  emailChangeAsked: {
    subject: (service: string) => `Se ha pedido cambiar su dirección de correo electrónico en ${service}`,
    text: (username: string, service: string, email: string) =>
      `Alguien que conoce la contraseña ha pedido que la cuenta ${username} en ${service} use la dirección ${email}. Así será en cuanto se confirme esa dirección.`,
    after: ['Si no ha sido usted: cambie ahora su contraseña. Con ello se anula también la solicitud.'],
    action: 'Cambiar la contraseña',
  },
  emailChanged: {
    subject: (service: string) => `Su dirección de correo electrónico en ${service} ha cambiado`,
    text: (username: string, service: string, time: string) =>
      `La cuenta ${username} en ${service} tiene otra dirección de correo electrónico desde el ${time}. A esta ya no llegan mensajes.`,
    after: [
      'Si no ha sido usted: inicie sesión con su nombre de usuario y cambie la contraseña y la dirección. Si no lo consigue, diríjase a quienes gestionan el servicio.',
    ],
    action: 'Ir a su cuenta',
  },
  passwordChanged: {
    subject: (service: string) => `Su contraseña en ${service} ha cambiado`,
    text: (username: string, service: string, time: string) =>
      `La contraseña de la cuenta ${username} en ${service} se cambió el ${time}. Se cerró la sesión en los demás navegadores, y las aplicaciones tienen que volver a pedirle acceso.`,
    after: [
      'Si no ha sido usted: elija ahora una contraseña nueva con el enlace «¿Ha olvidado su contraseña?» del inicio de sesión.',
    ],
    action: 'Elegir una contraseña nueva',
  },
  signInAttempts: {
    subject: (service: string) => `Alguien intenta adivinar su contraseña en ${service}`,
    text: (username: string, service: string, time: string) =>
      `Hasta el ${time} se introdujeron más de 20 contraseñas incorrectas para su cuenta ${username} en ${service}. Nadie inició sesión con ellas. Los próximos intentos tienen que esperar, salvo en los navegadores con los que usted ya había iniciado sesión.`,
    after: [
      'Si ha sido usted: restablezca su contraseña con el enlace «¿Ha olvidado su contraseña?» del inicio de sesión.',
      'Si no ha sido usted: compruebe que su contraseña sea larga y que no la use en ningún otro sitio. Una llave de acceso o una aplicación de autenticación protege su cuenta aunque alguien la adivine.',
    ],
    action: 'Proteger su cuenta',
  },
  accountDeleted: {
    subject: (service: string) => `Su cuenta de ${service} se ha eliminado`,
    text: (username: string, service: string, time: string) =>
      `Su cuenta ${username} de ${service} se eliminó el ${time}. Ya nadie puede verla ni usarla.`,
    undo: (time: string) =>
      `Hasta el ${time} puede deshacerlo: inicie sesión y elija «Conservar mi cuenta». Todo vuelve: sus publicaciones, sus seguidores y sus ajustes. Después, la cuenta se borra para siempre.`,
    action: 'Iniciar sesión y conservar la cuenta',
    after: [
      'Si quiere que la cuenta se borre, no tiene que hacer nada.',
      'Si no la ha eliminado usted, alguien conoce su contraseña. Elija una nueva con «¿Ha olvidado su contraseña?» en la página de inicio de sesión, inicie sesión y conserve su cuenta.',
    ],
  },
  accountRestored: {
    subject: (service: string) => `Su cuenta de ${service} se ha recuperado`,
    text: (username: string, service: string, time: string) =>
      `Su cuenta ${username} de ${service}, que se había eliminado, se recuperó el ${time}. No se borrará.`,
    after: [
      'Si no ha sido usted, cambie su contraseña con «¿Ha olvidado su contraseña?» en la página de inicio de sesión.',
    ],
    action: 'Ir a su cuenta',
  },
  accountSuspended: {
    subject: (service: string) => `Su cuenta de ${service} se ha suspendido`,
    text: (username: string, service: string, time: string) =>
      `Un operador suspendió su cuenta ${username} de ${service} el ${time}. Nadie más la ve y usted no puede usarla.`,
    reason: (reason: string) => `El motivo: ${reason}`,
    action: 'Iniciar sesión',
    after: ['Después de iniciar sesión con su contraseña puede recurrir, descargar sus datos o eliminar la cuenta.'],
  },
  suspensionEnded: {
    subject: (service: string) => `Su cuenta de ${service} ya no está suspendida`,
    text: (username: string, service: string, time: string) =>
      `Su cuenta ${username} de ${service} se recuperó el ${time}. Todo ha vuelto y puede iniciar sesión de nuevo.`,
    action: 'Iniciar sesión',
  },
  reportedSubjects: {
    account: (username: string) => `la cuenta ${username}`,
    post: (username: string) => `una publicación de ${username}`,
    comment: (username: string) => `un comentario de ${username}`,
  },
  reportDecided: {
    subject: (service: string) => `Su denuncia en ${service}`,
    reported: (subject: string, service: string) => `Usted denunció ${subject} en ${service}. Un operador la revisó.`,
    acted: (rule: string) => `Hemos actuado, porque incumple una norma: ${rule}.`,
    dismissed: (rule: string) => `No hemos actuado, porque no encontramos nada que incumpla la norma: ${rule}.`,
    after: ['Gracias por su denuncia. Lo que hacemos exactamente queda entre nosotros y la persona.'],
  },
  contentDeleted: {
    subject: (service: string) => `Algo que publicó en ${service} se ha eliminado`,
    deleted: {
      post: (username: string, service: string) =>
        `Un operador eliminó esta publicación de su cuenta ${username} de ${service}:`,
      comment: (username: string, service: string) =>
        `Un operador eliminó este comentario de su cuenta ${username} de ${service}:`,
    },
    allDeleted: (username: string, service: string) =>
      `Un operador eliminó todas las publicaciones y comentarios de su cuenta ${username} de ${service}.`,
    withSuspension: 'Se han eliminado todas las publicaciones y comentarios de la cuenta.',
    rule: (rule: string) => `La norma que incumple: ${rule}.`,
    appealTo: (email: string, number: string) =>
      `Si cree que es un error, escriba a ${email} e indique el caso ${number}.`,
    appeal: (number: string) =>
      `Si cree que es un error, póngase en contacto con quienes administran el servicio e indique el caso ${number}.`,
  },
  newSignIn: {
    subject: (service: string) => `Nuevo inicio de sesión en ${service}`,
    text: (username: string, service: string, time: string) =>
      `Alguien inició sesión en la cuenta ${username} en ${service} el ${time}, con un navegador o desde una red que no conocíamos:`,
    where: (browser: string, address: string) => `${browser}, dirección ${address}`,
    unknownAddress: 'desconocida',
    after: ['Si no ha sido usted: cierre esa sesión y cambie su contraseña.'],
    action: 'Ver sus sesiones',
  },
  newApplication: {
    subject: (service: string) => `Una aplicación nueva puede usar su cuenta en ${service}`,
    text: (application: string, owner: string, username: string) =>
      `La aplicación «${application}», de ${owner}, ya puede usar su cuenta ${username}.`,
    builtIn: (service: string, application: string, username: string) =>
      `«${application}», la herramienta de la referencia de la API de ${service}, ya puede usar su cuenta ${username}.`,
    selfRegistered: (application: string, username: string) =>
      `La aplicación «${application}», que se registró por sí misma y no está verificada, ya puede usar su cuenta ${username}.`,
    documented: (application: string, host: string, username: string) =>
      `La aplicación «${application}», de ${host}, que no está verificada, ya puede usar su cuenta ${username}.`,
    time: (service: string, time: string) => `Se le permitió en ${service} el ${time}.`,
    after: ['Si no ha sido usted: desconecte la aplicación y cambie su contraseña.'],
    action: 'Ver las aplicaciones conectadas',
  },
  webhookOff: {
    subject: (service: string) => `Se desactivó un webhook de su aplicación en ${service}`,
    reasons: {
      failed: (application: string, account: string, time: string) =>
        `No se pudo contactar con la aplicación «${application}» de su cuenta ${account} durante cinco días. Desactivamos este webhook el ${time}.`,
      full: (application: string, account: string, time: string) =>
        `Demasiados mensajes esperaban a la aplicación «${application}» de su cuenta ${account}. Desactivamos este webhook el ${time}.`,
      gone: (application: string, account: string, time: string) =>
        `La aplicación «${application}» de su cuenta ${account} respondió con el estado 410. Desactivamos este webhook el ${time}.`,
    },
    after:
      'Corrija la dirección o su servidor y vuelva a activar el webhook. Lo que ocurra mientras tanto no se envía.',
    action: 'Revisar el webhook',
  },
  applicationNotice: {
    created: {
      subject: (service: string) => `Se ha creado una aplicación en su cuenta de ${service}`,
      text: (application: string, account: string, time: string) =>
        `La aplicación «${application}» se creó en su cuenta ${account} el ${time}.`,
    },
    changed: {
      subject: (service: string) => `Una aplicación de su cuenta de ${service} tiene más acceso`,
      text: (application: string, account: string, time: string) =>
        `La aplicación «${application}» de su cuenta ${account} recibió más acceso el ${time}.`,
    },
    gained: {
      'act-as-owner': () => 'Puede actuar como su cuenta con sus propias credenciales.',
      implicit: () => 'Puede recibir tokens de acceso en el navegador (response_type=token).',
      scopes: (scopes: string) => `Sus permisos: ${scopes}.`,
      settings: (settings: string) => `Se permite más del protocolo: ${settings}.`,
    },
    after: 'Si no ha sido usted, elimine la aplicación y cambie su contraseña.',
    action: 'Ver sus aplicaciones',
  },
  factorChanged: {
    passkey_added: {
      subject: (service: string) => `Se ha añadido una llave de acceso a su cuenta en ${service}`,
      text: (account: string, time: string, names: string) =>
        `Desde el ${time} se puede iniciar sesión en la cuenta ${account} con la llave de acceso ${names}, sin contraseña.`,
    },
    passkey_removed: {
      subject: (service: string) => `Se ha quitado una llave de acceso de su cuenta en ${service}`,
      text: (account: string, time: string, names: string) =>
        `Quitada de la cuenta ${account} el ${time}: llave de acceso ${names}. Ya no permite iniciar sesión.`,
    },
    totp_added: {
      subject: (service: string) => `Se ha añadido una aplicación de autenticación a su cuenta en ${service}`,
      text: (account: string, time: string) =>
        `Desde el ${time}, el inicio de sesión en la cuenta ${account} pide un código de la aplicación después de la contraseña. Con ella se crearon códigos de recuperación.`,
    },
    totp_removed: {
      subject: (service: string) => `Se ha quitado la aplicación de autenticación de su cuenta en ${service}`,
      text: (account: string, time: string) =>
        `Desde el ${time} vuelve a bastar la contraseña para la cuenta ${account}. Los códigos de recuperación desaparecieron con la aplicación.`,
    },
    recovery_codes_made: {
      subject: (service: string) => `Nuevos códigos de recuperación para su cuenta en ${service}`,
      text: (account: string, time: string) =>
        `Los códigos de recuperación de la cuenta ${account} se crearon de nuevo el ${time}. Los anteriores ya no sirven.`,
    },
    /** How the texts refer to the account. */
    account: (username: string, service: string) => `${username} en ${service}`,
    quote: (name: string) => `«${name}»`,
    after: 'Si no ha sido usted: quite lo que no conozca, cree códigos de recuperación nuevos y cambie su contraseña.',
    action: 'Ver la seguridad de su cuenta',
  },
};
