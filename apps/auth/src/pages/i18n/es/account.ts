import { countingIn } from '../counted.ts';
import type { RichText } from '../rich-text.ts';
import { profile, username } from './profile.ts';

const counted = countingIn('es');

/** Texts of the account area, in Spanish. */
export const account = {
  title: 'Cuenta',
  navigation: 'Cuenta',
  allPages: 'Todas las páginas de la cuenta',
  overview: 'Resumen',
  navigationParts: { you: 'Usted', access: 'Quién tiene acceso', data: 'Sus datos' },
  passwordCheck: {
    field: 'Su contraseña',
    missing: 'Escriba su contraseña.',
    wrong: 'Esta no es su contraseña.',
    throttled: 'Demasiados intentos. Espere unos minutos y vuelva a intentarlo.',
  },
  profile,
  username,
  followers: {
    title: 'Seguidores',
    count: (followers: number) =>
      counted(followers, {
        zero: 'Ninguna cuenta le sigue.',
        one: () => 'Una cuenta le sigue.',
        other: (accounts) => `${accounts} cuentas le siguen.`,
      }),
    protection: 'Quién puede ver sus publicaciones',
    isProtected: 'Solo seguidores',
    isOpen: 'Todo el mundo',
    openText: 'Todo el mundo puede ver sus publicaciones e imágenes, y cualquiera puede seguirle.',
    toProtect:
      'Si las protege, solo las verán sus seguidores, incluidas las anteriores. Quien quiera seguirle tendrá que pedírselo. Sus seguidores actuales se mantienen.',
    protectedText: 'Solo sus seguidores ven sus publicaciones e imágenes. Quien quiera seguirle tiene que pedírselo.',
    toOpen: 'Si las abre, las verá todo el mundo, incluidas las anteriores, y cualquiera podrá seguirle.',
    openAccepts: (requests: number) =>
      counted(requests, {
        one: () => 'La cuenta que espera su respuesta le seguirá entonces.',
        other: (accounts) => `Las ${accounts} cuentas que esperan su respuesta le seguirán entonces.`,
      }),
    protect: 'Proteger mis publicaciones',
    open: 'Mostrar mis publicaciones a todo el mundo',
    requests: (requests: number) =>
      requests === 0 ? 'Solicitudes de seguimiento' : `Solicitudes de seguimiento (${String(requests)})`,
    noRequests: 'Nadie espera su respuesta.',
    approve: 'Aceptar',
    reject: 'Rechazar',
    allText: 'O responda a todas a la vez, incluidas las de otras páginas.',
    approveAll: (requests: number) => `Aceptar todas (${String(requests)})`,
    rejectAll: (requests: number) => `Rechazar todas (${String(requests)})`,
    pages: 'Más solicitudes',
    newer: 'Más recientes',
    older: 'Más antiguas',
    listTitle: 'Sus seguidores',
    remove: 'Quitar',
    removeOpen:
      'Esta cuenta dejará de seguirle y no recibe ningún aviso. Como sus publicaciones son públicas, puede volver a seguirle.',
    removeProtected:
      'Esta cuenta dejará de seguirle y no recibe ningún aviso. Para volver a seguirle, necesita su aprobación.',
    removeSubmit: 'Quitar seguidor',
    gone: 'Esta solicitud ya no existe. No se ha cambiado nada.',
    done: {
      protected: 'Ahora solo sus seguidores ven sus publicaciones.',
      opened: 'Ahora todo el mundo puede ver sus publicaciones.',
      approved: 'La solicitud se ha aceptado.',
      rejected: 'La solicitud se ha rechazado. La cuenta no recibe ningún aviso.',
      'all-approved': 'Todas las solicitudes se han aceptado.',
      'all-rejected': 'Todas las solicitudes se han rechazado.',
      removed: 'El seguidor se ha quitado.',
    },
  },
  export: {
    title: 'Exportar sus datos',
    intro: 'Descargue todo lo que se guarda sobre usted en un archivo ZIP. El archivo README describe cada archivo.',
    contents: 'Qué contiene',
    contentsList: [
      'su perfil, con su dirección de correo electrónico',
      'sus publicaciones, lo que ha compartido, sus comentarios y sus «Me gusta»',
      'a quién sigue, quién le sigue y sus notificaciones',
      'sus imágenes',
    ],
    passwordHint: 'Para que nadie más se lleve sus datos desde un navegador que haya dejado abierto.',
    submit: 'Descargar',
  },
  deletion: {
    title: 'Eliminar cuenta',
    intro: 'Retira su cuenta y todo lo que ha publicado.',
    consequences: 'Qué ocurre de inmediato',
    consequencesList: [
      'Nadie ve ya su perfil, sus publicaciones, sus comentarios ni sus imágenes. Dejan de contar en todas partes.',
      'Se cierra su sesión en todas partes, y las aplicaciones pierden su acceso.',
      'Las aplicaciones que ha registrado dejan de funcionar.',
    ],
    regret: 'Si cambia de opinión',
    regretText:
      'Durante 14 días se conserva todo, también su nombre de usuario y su dirección de correo electrónico. En ese tiempo puede iniciar sesión y elegir «Conservar mi cuenta»; también se lo diremos por correo electrónico. Después, la cuenta se borra para siempre, y cualquiera puede tomar el nombre de usuario.',
    exportFirst: 'Quizá quiera antes una copia:',
    confirm: (name: RichText): RichText => ['Sí, eliminar la cuenta ', name],
    confirmMissing: 'Marque la casilla para confirmar que quiere eliminar la cuenta.',
    submit: 'Eliminar cuenta',
    keep: 'Conservar mi cuenta',
    doneTitle: 'Su cuenta se ha eliminado',
    doneText: 'Se ha cerrado su sesión en todas partes.',
  },
  overviewPage: {
    username: 'Nombre de usuario',
    name: 'Nombre',
    email: 'Dirección de correo electrónico',
    since: 'Miembro desde el',
    photo: 'Su foto',
    visibility: 'Publicaciones',
    openPosts: 'Las ve todo el mundo',
    protectedPosts: 'Solo las ven sus seguidores',
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
    applicationsText: 'Vea qué aplicaciones pueden usar su cuenta y desconéctelas.',
    sessionsText: 'Vea dónde tiene la sesión abierta y ciérrela en otros sitios.',
    passwordText: 'Elija una contraseña nueva.',
    emailText: 'Confirme su dirección o use otra.',
  },
  applications: {
    title: 'Aplicaciones conectadas',
    intro: 'Estas aplicaciones pueden usar su cuenta. Si desconecta una, pierde su acceso en un segundo.',
    empty: 'Ninguna aplicación puede usar su cuenta.',
    disconnected: 'La aplicación se ha desconectado.',
    changed: 'Los cambios ya rigen: lo que ha perdido se le niega en un segundo.',
    lastUsed: (day: string) => `último acceso obtenido el ${day}`,
    signIns: (count: string) => `${count} inicios de sesión activos`,
    ends: (minute: string) => `Acceso hasta el ${minute}`,
    endless: 'Acceso hasta que usted le ponga fin',
    change: 'Cambiar qué puede hacer o durante cuánto tiempo',
    back: 'Todas las aplicaciones conectadas',
    kept: 'Lo necesita para funcionar',
    removable: 'Desmarque lo que ya no deba poder hacer',
    save: 'Guardar cambios',
    endText: 'Pone fin a todo su acceso en un segundo. Tendrá que volver a pedírselo.',
    madeBy: (owner: RichText): RichText => ['de ', owner],
    builtIn: (service: string) => `parte de ${service}`,
    ownClient: 'El cliente propio de este servicio',
    selfRegistered: 'se registró por sí misma, sin verificar',
    documented: (host: RichText): RichText => ['de ', host, ', sin verificar'],
    since: (day: string) => `Conectada el ${day}`,
    actsAsOwner:
      'Actúa en su nombre con sus propias credenciales, porque usted marcó esa opción para esta aplicación suya.',
    clientId: 'ID de cliente',
    can: 'Qué puede hacer',
    disconnect: 'Desconectar',
  },
  sessions: {
    title: 'Sesiones',
    intro:
      'Todos los navegadores en los que tiene la sesión abierta. Si no reconoce alguno, cierre esa sesión y cambie su contraseña.',
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
      'Cierra todas las sesiones, incluida esta, y pone fin al acceso que las aplicaciones tienen ahora a su cuenta. También se cancela un cambio de su dirección de correo que aún no haya confirmado.',
    everywhereSubmit: 'Cerrar sesión en todas partes',
  },
  password: {
    title: 'Contraseña',
    intro:
      'Una contraseña nueva cierra su sesión en los demás navegadores, y las aplicaciones tienen que volver a pedirle acceso.',
    current: 'Contraseña actual',
    next: 'Contraseña nueva',
    nextHint:
      'Al menos 6 caracteres. Las más largas son las más seguras: unas cuantas palabras sin relación entre sí hacen una buena contraseña.',
    submit: 'Cambiar contraseña',
    changed: 'La contraseña se ha cambiado.',
    currentMissing: 'Escriba su contraseña actual.',
    currentWrong: 'Esta no es su contraseña actual.',
    throttled: 'Demasiados intentos. Espere unos minutos y vuelva a intentarlo.',
  },
};
