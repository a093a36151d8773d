import { countingIn } from '../counted.ts';
import type { RichText } from '../text-types.ts';

const day = new Intl.DateTimeFormat('es', { dateStyle: 'long', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat('es', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const numbers = new Intl.NumberFormat('es');
const minute = new Intl.DateTimeFormat('es', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const second = new Intl.DateTimeFormat('es', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const counted = countingIn('es');

/** Texts of more than one page, in Spanish. */
export const everyPage = {
  language: 'es',
  languageName: 'Español',
  imageProblems: {
    heic: 'Es una imagen HEIC. Elige un PNG o JPEG. iPhone: Ajustes › Cámara › Formatos › El más compatible.',
    avif: 'Es una imagen AVIF. Guárdala como PNG o JPEG y elige ese archivo.',
    webp: 'Es una imagen WebP. Guárdala como PNG o JPEG y elige ese archivo.',
    gif: 'Es un GIF. Guárdalo como PNG o JPEG y elige ese archivo.',
    other: 'No es una imagen PNG o JPEG. Elige otro archivo.',
    hdr: 'Este PNG es una imagen HDR (PQ o HLG). Guárdala en SDR y elige ese archivo.',
    'too-many-pixels': 'Esta imagen supera los 40 megapíxeles. Redúcela o elige otra.',
    damaged: 'Esta imagen está dañada. Elige otro archivo.',
  },
  formatNumber: (number: number) => numbers.format(number),
  /** Without the year. */
  formatShortDay: (date: Date) => shortDay.format(date),
  formatDay: (date: Date) => day.format(date),
  formatMinute: (date: Date) => `${minute.format(date)} UTC`,
  formatSecond: (date: Date) => `${second.format(date)} UTC`,
  layout: {
    skip: 'Ir al contenido',
    navigation: 'Navegación principal',
    menu: 'Menú',
    home: 'Inicio',
    applications: 'Mis aplicaciones',
    account: 'Cuenta',
    admin: 'Administración',
    signIn: 'Iniciar sesión',
    signOut: 'Cerrar sesión',
    languages: 'Idioma',
    siteLinks: 'Sobre este servicio',
    reference: 'Referencia de la API',
    contact: 'Contacto',
    terms: 'Condiciones de uso',
    privacy: 'Privacidad',
    status: 'Estado del servicio',
  },
  copying: {
    copy: 'Copiar',
    copied: 'Copiado',
    download: 'Descargar como archivo',
  },
  form: {
    optional: 'opcional',
    returned: {
      ended: 'Tu sesión había terminado.',
      check: 'Revisa lo que escribiste y envíalo de nuevo.',
      lost: 'Lo que enviaste no se guardó. Escríbelo de nuevo.',
    },
    problems: (count: number) =>
      counted(count, {
        one: () => 'Hay un dato que corregir',
        other: (items) => `Hay ${items} datos que corregir`,
      }),
  },
  errors: {
    reference: 'ID de la solicitud',
    sentBy: (app: RichText): RichText => ['La solicitud vino de ', app, '.'],
    /** For the owner of the application. */
    explanation: 'Por qué falló esta solicitud',
    startAgain: 'Volver a empezar',
    backTo: (host: RichText): RichText => ['Volver a ', host],
    /** Before an error goes to the application's site, while nobody is signed in. */
    destination: {
      text: (app: RichText, host: RichText): RichText => [
        app,
        ' te ha traído aquí con una solicitud que no se puede atender. Para que la aplicación lo sepa, continúa a su sitio: ',
        host,
        '.',
      ],
      warning: 'Vas a salir de este servicio. No escribas en ningún otro sitio la contraseña que usas aquí.',
      continue: (host: RichText): RichText => ['Continuar a ', host],
    },
    toStart: 'Ir a la página de inicio',
    'not-found': {
      title: 'Página no encontrada',
      text: 'No hay nada en esta dirección. Puede que la página se haya movido o que el enlace esté incompleto.',
    },
    'stale-form': {
      title: 'Esta página estuvo abierta demasiado tiempo',
      text: 'Lo que enviaste ya no corresponde a la sesión de tu navegador, así que no se ha cambiado nada. Abre la página de nuevo y repite la operación.',
    },
    'no-cookies': {
      title: 'Se necesitan cookies',
      text: 'Tu navegador no envió ninguna cookie, así que no se ha cambiado nada. Permite las cookies de este sitio web en los ajustes de tu navegador y empieza de nuevo. Si empezaste en otro navegador, continúa allí.',
    },
    'cross-site': {
      title: 'Solicitud rechazada',
      text: 'Esta solicitud procede de otro sitio web. Por tu seguridad, no se ha cambiado nada.',
    },
    'bad-form': {
      title: 'No se pudo leer el formulario',
      text: 'Los datos recibidos están dañados o son demasiado grandes. No se ha cambiado nada.',
    },
    'bad-authorization': {
      title: 'La aplicación cometió un error',
      text: 'Te ha traído aquí con una solicitud que no se puede atender. No es algo que puedas arreglar: comunícaselo a quienes crearon la aplicación.',
    },
    'bad-sign-out': {
      title: 'La solicitud de cierre de sesión no es válida',
      text: 'La aplicación te ha traído aquí con una solicitud que no es válida, así que nada ha cambiado. Puedes cerrar la sesión por tu cuenta en cualquier momento.',
    },
    'ended-interaction': {
      title: 'Este inicio de sesión ha terminado',
      text: 'Tardó demasiado, ya se completó o se empezó en otro navegador. Vuelve a la aplicación y empieza de nuevo.',
    },
    'playground-answer': {
      title: 'Esta respuesta no pertenece a ninguna prueba',
      text: 'En este navegador no se espera una respuesta así: ya llegó, la prueba terminó o la empezó otra persona. No se hizo nada con ella. Vuelve a empezar desde la aplicación.',
    },
    'too-many-attempts': {
      title: 'Demasiados intentos',
      text: 'Espera unos minutos y vuelve a intentarlo.',
    },
    forbidden: {
      title: 'No permitido',
      text: 'Tu cuenta no puede hacer esto.',
    },
    unavailable: {
      title: 'Volvemos enseguida',
      text: 'El servicio no puede responder en este momento. Vuelve a intentarlo en breve.',
    },
    internal: {
      title: 'Algo ha fallado',
      text: 'El fallo es nuestro y ha quedado registrado. Vuelve a intentarlo.',
    },
  },
  durations: {
    legend: 'Duración del acceso',
    keep: 'Como hasta ahora',
    choices: {
      hour: { label: 'Durante una hora' },
      day: { label: 'Durante 24 horas' },
      month: { label: 'Durante 30 días' },
      until_stopped: {
        label: 'Hasta que le pongas fin',
        text: 'También termina por sí solo tras 30 días sin uso y, como muy tarde, al cabo de un año.',
      },
    },
  },
  scopes: {
    users: {
      label: 'Gestionar tu cuenta y a quién sigues',
      text: 'Leer perfiles y listas de seguidores, seguir cuentas y dejar de seguirlas, cambiar tu perfil y tu nombre de usuario, exportar tus datos.',
    },
    posts: {
      label: 'Leer publicaciones y publicar en tu nombre',
      text: 'Publicar y eliminar publicaciones y comentarios, subir imágenes, indicar «Me gusta», compartir y leer tu cronología.',
    },
    email: {
      label: 'Ver tu dirección de correo',
      text: 'Leer la dirección de correo electrónico de tu cuenta. No permite enviar correos.',
    },
    'users:read': {
      label: 'Leer cuentas',
      text: 'Leer perfiles y listas de seguidores, y exportar lo que contiene tu cuenta. No permite cambiar nada.',
    },
    'posts:read': {
      label: 'Leer publicaciones',
      text: 'Leer las publicaciones, los comentarios y las imágenes que puedes ver. No permite publicar nada.',
    },
    'posts:propose': {
      label: 'Proponer publicaciones',
      text: 'Proponer qué publicar, comentar, marcar con «Me gusta» o compartir, y a quién seguir. No ocurre nada hasta que lo aceptas.',
    },
    openid: { label: 'Saber que eres tú', text: 'Reconocer tu cuenta cuando vuelvas a iniciar sesión con ella.' },
    profile: { label: 'Ver tu nombre', text: 'Leer tu nombre, tu nombre de usuario y tu foto.' },
    unknown: 'El servicio no tiene una descripción de este permiso.',
  },
};

const count = new Intl.NumberFormat('es');

/** Texts about the names of people and applications, and what helps to judge them. */
export const names = {
  /** Of a text that is no name. */
  textUnprintable: 'Este texto contiene un carácter que no se puede mostrar. Elimínalo.',
  errors: {
    unprintable: 'El nombre contiene un carácter que no se puede mostrar. Elimínalo.',
    'mixed-scripts': 'El nombre mezcla escrituras que se parecen, como la latina y la cirílica. Usa solo una.',
    badge: 'Quita del nombre las marcas de verificación y otros signos parecidos.',
    reserved: 'Este nombre podría confundirse con el del servicio o sus administradores. Elige otro.',
    imitates: 'Este nombre se parece demasiado a uno verificado. Elige otro.',
    blocked: 'Este nombre contiene una palabra que este servicio no permite. Elige otro.',
  },
  changeEndsVerification:
    'Tu cuenta está verificada con tus nombres actuales. Si cambias alguno, se quitará la marca de cuenta verificada.',
  verification: 'Verificación',
  verified: 'Verificada',
  verifiedBy: (service: string) => `Verificada por ${service}`,
  notVerifiedBy: (service: string) => `No verificada por ${service}`,
  applicationChangeEndsVerification:
    'Esta aplicación está verificada. Si cambias su nombre, su logotipo o su sitio web, se quitará la marca de aplicación verificada.',
  created: 'Creación',
  createdRecently: 'En los últimos 7 días',
  usedBy: 'La usan',
  fewPeople: 'Menos de 10 personas',
  minPeople: (people: number) => `Al menos ${count.format(people)} personas`,
};
