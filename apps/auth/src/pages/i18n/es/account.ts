import { countingIn } from '../counted.ts';
import type { RichText } from '../text-types.ts';

const counted = countingIn('es');

/** Texts of the profile page, in Spanish. */
const profile = {
  title: 'Perfil',
  intro: 'Todo el mundo puede ver estos datos, en las aplicaciones y en tu página pública.',
  about: 'Sobre ti',
  photo: 'Foto',
  photoYours: 'Tu foto',
  photoDrawn: 'Un dibujo que te representa',
  photoField: 'Foto nueva',
  photoHint: 'PNG o JPEG, de 10 MB y 40 megapíxeles como máximo. Se eliminan el lugar y la fecha de la toma.',
  photoSubmit: 'Usar esta foto',
  photoRemove: 'Quitar la foto',
  photoErrors: {
    missing: 'Elige primero un archivo.',
    tooLong: 'El archivo supera los 10 MB. Elige uno más pequeño.',
    throttled: 'Has subido demasiadas imágenes. Vuelve a intentarlo dentro de una hora.',
    busy: 'Se están procesando muchas imágenes. Vuelve a intentarlo dentro de un momento.',
    unavailable: 'Ahora mismo no se pueden guardar imágenes. Vuelve a intentarlo en un momento.',
    full: 'No se pudo guardar la imagen. Vuelve a intentarlo más tarde.',
  },
  fields: {
    displayName: 'Nombre visible',
    first_name: 'Nombre',
    last_name: 'Apellidos',
    description: 'Descripción',
    country: 'País',
    language: 'Idioma',
  },
  hints: {
    displayName: '56 caracteres como máximo.',
    description: '400 caracteres como máximo.',
    language: 'Un código de idioma, por ejemplo es o es-MX.',
  },
  errors: {
    missing: {
      displayName: 'Escribe un nombre visible.',
      first_name: 'Escribe tu nombre.',
      last_name: 'Escribe tus apellidos.',
    },
    wrong: {
      displayName: 'El nombre visible supera los 56 caracteres.',
      first_name: 'El nombre supera los 25 caracteres.',
      last_name: 'Los apellidos superan los 30 caracteres.',
      description: 'La descripción supera los 400 caracteres.',
      country: 'El país supera los 100 caracteres.',
      language: 'Esto no es un código de idioma. Escribe, por ejemplo, es, en o pt-BR.',
    },
  },
  submit: 'Guardar perfil',
  done: {
    saved: 'El perfil se ha guardado.',
    'photo-changed': 'La foto se ha cambiado.',
    'photo-removed': 'La foto se ha quitado.',
  },
};

/** Texts of the username page, in Spanish. */
const username = {
  title: 'Nombre de usuario',
  intro: (name: RichText): RichText => ['Eres ', name, '.'],
  field: 'Nuevo nombre de usuario',
  hint: 'De 5 a 32 letras (a a z), cifras y guiones bajos. Las mayúsculas se ven, pero cuentan como el mismo nombre.',
  submit: 'Cambiar nombre de usuario',
  check: 'Comprobar si está libre',
  changed: 'El nombre de usuario se ha cambiado.',
  free: (name: RichText): RichText => [name, ' está libre.'],
  consequences: 'Qué supone un cambio',
  oldAddress: (address: RichText): RichText => [
    'Los enlaces a ',
    address,
    ' llevan a tu nueva página mientras el nombre siga reservado para ti.',
  ],
  oldName:
    'Durante 30 días nadie más puede tomar tu antiguo nombre, y tú puedes volver a él. Después, cualquiera puede tomarlo.',
  limit:
    'Se reservan para ti diez nombres antiguos a la vez como máximo. A partir de ahí, solo puedes volver a uno de ellos.',
  mentions: 'Lo que otras personas escribieron a tu antiguo nombre queda como lo escribieron.',
  errors: {
    malformed: 'Un nombre de usuario tiene de 5 a 32 letras (a a z), cifras o guiones bajos.',
    taken: 'Este nombre de usuario ya está ocupado.',
    tooMany: (day: string) =>
      `Ya hay diez nombres antiguos reservados para ti. Puedes tomar uno nuevo a partir del ${day}, o volver a uno antiguo.`,
  },
};

/** Texts of the account area, in Spanish. */
export const account = {
  title: 'Cuenta',
  navigation: 'Cuenta',
  allPages: 'Todas las páginas de la cuenta',
  overview: 'Resumen',
  navigationParts: { you: 'Tú', access: 'Quién tiene acceso', data: 'Tus datos' },
  passwordCheck: {
    field: 'Tu contraseña',
    missing: 'Escribe tu contraseña.',
    wrong: 'Esta no es tu contraseña.',
    none: 'Tu cuenta no tiene contraseña. Cierra la sesión y elige «¿Has olvidado tu contraseña?» para crear una.',
    throttled: 'Demasiados intentos. Espera unos minutos y vuelve a intentarlo.',
  },
  profile,
  username,
  followers: {
    title: 'Seguidores',
    count: (followers: number) =>
      counted(followers, {
        zero: 'Ninguna cuenta te sigue.',
        one: () => 'Una cuenta te sigue.',
        other: (accounts) => `${accounts} cuentas te siguen.`,
      }),
    protection: 'Quién puede ver tus publicaciones',
    isProtected: 'Solo seguidores',
    isOpen: 'Todo el mundo',
    openText: 'Todo el mundo puede ver tus publicaciones e imágenes, y cualquiera puede seguirte.',
    toProtect:
      'Si las proteges, solo las verán tus seguidores, incluidas las anteriores. Quien quiera seguirte tendrá que pedírtelo. Tus seguidores actuales se mantienen.',
    protectedText: 'Solo tus seguidores ven tus publicaciones e imágenes. Quien quiera seguirte tiene que pedírtelo.',
    toOpen: 'Si las abres, las verá todo el mundo, incluidas las anteriores, y cualquiera podrá seguirte.',
    openAccepts: (requests: number) =>
      counted(requests, {
        one: () => 'La cuenta que espera tu respuesta te seguirá entonces.',
        other: (accounts) => `Las ${accounts} cuentas que esperan tu respuesta te seguirán entonces.`,
      }),
    protect: 'Proteger mis publicaciones',
    open: 'Mostrar mis publicaciones a todo el mundo',
    requests: (requests: number) =>
      requests === 0 ? 'Solicitudes de seguimiento' : `Solicitudes de seguimiento (${String(requests)})`,
    noRequests: 'Nadie espera tu respuesta.',
    approve: 'Aceptar',
    reject: 'Rechazar',
    allText: 'O responde a todas a la vez, incluidas las de otras páginas.',
    approveAll: (requests: number) => `Aceptar todas (${String(requests)})`,
    rejectAll: (requests: number) => `Rechazar todas (${String(requests)})`,
    pages: 'Más solicitudes',
    newer: 'Más recientes',
    older: 'Más antiguas',
    listTitle: 'Tus seguidores',
    remove: 'Quitar',
    removeOpen:
      'Esta cuenta dejará de seguirte y no recibe ningún aviso. Como tus publicaciones son públicas, puede volver a seguirte.',
    removeProtected:
      'Esta cuenta dejará de seguirte y no recibe ningún aviso. Para volver a seguirte, necesita tu aprobación.',
    removeSubmit: 'Quitar seguidor',
    gone: 'Esta solicitud ya no existe. No se ha cambiado nada.',
    done: {
      protected: 'Ahora solo tus seguidores ven tus publicaciones.',
      opened: 'Ahora todo el mundo puede ver tus publicaciones.',
      approved: 'La solicitud se ha aceptado.',
      rejected: 'La solicitud se ha rechazado. La cuenta no recibe ningún aviso.',
      'all-approved': 'Todas las solicitudes se han aceptado.',
      'all-rejected': 'Todas las solicitudes se han rechazado.',
      removed: 'El seguidor se ha quitado.',
    },
  },
  export: {
    title: 'Exportar tus datos',
    intro: 'Descarga todo lo que se guarda sobre ti en un archivo ZIP. El archivo README describe cada archivo.',
    contents: 'Qué contiene',
    contentsList: [
      'tu perfil, con tu dirección de correo electrónico',
      'tus publicaciones, lo que has compartido, tus comentarios y tus «Me gusta»',
      'a quién sigues, quién te sigue y tus notificaciones',
      'tus imágenes',
    ],
    passwordHint: 'Para que nadie más se lleve tus datos desde un navegador que hayas dejado abierto.',
    submit: 'Descargar',
  },
  deletion: {
    title: 'Eliminar cuenta',
    intro: 'Retira tu cuenta y todo lo que has publicado.',
    consequences: 'Qué ocurre de inmediato',
    consequencesList: [
      'Nadie ve ya tu perfil, tus publicaciones, tus comentarios ni tus imágenes. Dejan de contar en todas partes.',
      'Se cierra tu sesión en todas partes, y las aplicaciones pierden su acceso.',
      'Las aplicaciones que has registrado dejan de funcionar.',
    ],
    regret: 'Si cambias de opinión',
    regretText:
      'Durante 14 días se conserva todo, también tu nombre de usuario y tu dirección de correo electrónico. En ese tiempo puedes iniciar sesión y elegir «Conservar mi cuenta»; también te lo diremos por correo electrónico. Después, la cuenta se borra para siempre, y cualquiera puede tomar el nombre de usuario.',
    exportFirst: 'Quizá quieras antes una copia:',
    confirm: (name: RichText): RichText => ['Sí, eliminar la cuenta ', name],
    confirmMissing: 'Marca la casilla para confirmar que quieres eliminar la cuenta.',
    submit: 'Eliminar cuenta',
    keep: 'Conservar mi cuenta',
    doneTitle: 'Tu cuenta se ha eliminado',
    doneText: 'Se ha cerrado tu sesión en todas partes.',
  },
  overviewPage: {
    username: 'Nombre de usuario',
    name: 'Nombre',
    email: 'Dirección de correo electrónico',
    since: 'Miembro desde el',
    photo: 'Tu foto',
    visibility: 'Publicaciones',
    openPosts: 'Las ve todo el mundo',
    protectedPosts: 'Solo las ven tus seguidores',
    waiting: (requests: number) =>
      counted(requests, {
        zero: 'No hay solicitudes pendientes',
        one: () => 'Una solicitud de seguimiento pendiente',
        other: (pending) => `${pending} solicitudes de seguimiento pendientes`,
      }),
    edit: 'Editar perfil',
    connected: (count: number) =>
      counted(count, {
        zero: 'Ninguna aplicación',
        one: () => 'Una aplicación',
        other: (applications) => `${applications} aplicaciones`,
      }),
    signedIn: (count: number) =>
      counted(count, {
        zero: 'Ningún navegador',
        one: () => 'Un navegador',
        other: (browsers) => `${browsers} navegadores`,
      }),
    applicationsText: 'Consulta qué aplicaciones pueden usar tu cuenta y desconéctalas.',
    sessionsText: 'Consulta dónde tienes la sesión abierta y ciérrala en otros sitios.',
    passwordText: 'Elige una contraseña nueva.',
    emailText: 'Confirma tu dirección o usa otra.',
  },
  applications: {
    title: 'Aplicaciones conectadas',
    intro: 'Estas aplicaciones pueden usar tu cuenta. Si desconectas una, pierde su acceso en un segundo.',
    empty: 'Ninguna aplicación puede usar tu cuenta.',
    disconnected: 'La aplicación se ha desconectado.',
    changed: 'Los cambios ya rigen: lo que ha perdido se le niega en un segundo.',
    lastUsed: (day: string) => `último acceso obtenido el ${day}`,
    signIns: (count: string) => `${count} inicios de sesión activos`,
    ends: (minute: string) => `Acceso hasta el ${minute}`,
    endless: 'Acceso hasta que le pongas fin',
    change: 'Cambiar qué puede hacer o durante cuánto tiempo',
    back: 'Todas las aplicaciones conectadas',
    kept: 'Lo necesita para funcionar',
    removable: 'Desmarca lo que ya no deba poder hacer',
    save: 'Guardar cambios',
    endText: 'Pone fin a todo su acceso en un segundo. Tendrá que volver a pedírtelo.',
    madeBy: (owner: RichText): RichText => ['de ', owner],
    builtIn: (service: string) => `parte de ${service}`,
    ownClient: 'El cliente propio de este servicio',
    selfRegistered: 'se registró por sí misma, sin verificar',
    documented: (host: RichText): RichText => ['de ', host, ', sin verificar'],
    since: (day: string) => `Conectada el ${day}`,
    actsAsOwner:
      'Actúa en tu nombre con sus propias credenciales, porque marcaste esa opción para esta aplicación tuya.',
    clientId: 'ID de cliente',
    can: 'Qué puede hacer',
    disconnect: 'Desconectar',
  },
  sessions: {
    title: 'Sesiones',
    intro:
      'Todos los navegadores en los que tienes la sesión abierta. Si no reconoces alguno, cierra esa sesión y cambia tu contraseña.',
    current: 'Este navegador',
    ended: 'La sesión se ha cerrado.',
    unknownBrowser: 'Navegador desconocido',
    browserOn: (browser: string, system: string) => `${browser} en ${system}`,
    signedIn: (minute: string) => `Sesión iniciada el ${minute}`,
    lastSeen: (minute: string) => `Último uso el ${minute}`,
    end: 'Cerrar sesión',
    addresses: 'Después de 7 días, solo conservamos la red de una dirección, por ejemplo 192.0.2.0/24.',
    everywhere: 'Cerrar sesión en todas partes',
    everywhereText:
      'Cierra todas las sesiones, incluida esta, y pone fin al acceso que las aplicaciones tienen ahora a tu cuenta. También se cancela un cambio de tu dirección de correo que aún no hayas confirmado.',
    everywhereSubmit: 'Cerrar sesión en todas partes',
  },
  password: {
    title: 'Contraseña',
    intro:
      'Una contraseña nueva cierra tu sesión en los demás navegadores, y las aplicaciones tienen que volver a pedirte acceso.',
    current: 'Contraseña actual',
    next: 'Contraseña nueva',
    nextHint:
      'Al menos 6 caracteres. Las más largas son las más seguras: unas cuantas palabras sin relación entre sí hacen una buena contraseña.',
    submit: 'Cambiar contraseña',
    changed: 'La contraseña se ha cambiado.',
    currentMissing: 'Escribe tu contraseña actual.',
    currentWrong: 'Esta no es tu contraseña actual.',
    throttled: 'Demasiados intentos. Espera unos minutos y vuelve a intentarlo.',
  },
};
