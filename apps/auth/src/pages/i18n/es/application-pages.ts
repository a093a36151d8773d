import { countingIn } from '../counted.ts';
import type { RichText } from '../text-types.ts';

const count = new Intl.NumberFormat('es');
const counted = countingIn('es');
const tokensOf = (number: number): string =>
  counted(number, { one: (tokens) => `${tokens} token`, other: (tokens) => `${tokens} tokens` });
const callsOf = (number: number): string =>
  counted(number, { one: (calls) => `${calls} llamada`, other: (calls) => `${calls} llamadas` });

/** Texts of the pages of one application, in Spanish. */
export const pages = {
  navigation: 'Páginas de esta aplicación',
  overview: 'Resumen',
  credentials: 'Credenciales',
  settings: 'Permisos y URI de redirección',
  profile: 'Presentación',
  playground: 'Prueba',
  webhooks: 'Webhooks',
  activity: 'Actividad',
  usage: 'Uso y límites',
  history: 'Historial',
  danger: 'Zona de peligro',
};

/** Summary of an application’s usage. */
export const usageSummary = {
  title: 'En uso',
  people: (number: number) =>
    counted(number, {
      zero: 'Nadie la ha autorizado',
      one: () => 'Una persona la ha autorizado',
      other: (people) => `${people} personas la han autorizado`,
    }),
  lastUsed: (minute: string) => `último uso el ${minute}`,
  neverUsed: 'nunca usada',
  lastUse: 'Último uso',
  peopleTitle: 'Personas',
  week: 'Últimos 7 días',
  weekText: (tokens: number, calls: number) => `${tokensOf(tokens)}, ${callsOf(calls)}`,
  failures: 'Solicitudes fallidas',
  failuresText: (number: number) => `${count.format(number)} en las últimas 24 horas, sin repeticiones`,
  more: 'Día a día',
};

/** Links from the overview of an application to the guides, which are in English. */
export const guideLinks = {
  title: 'Guías para esta aplicación',
  links: {
    'sign-in': 'Iniciar la sesión de personas',
    backend: 'Obtener tokens para la propia aplicación',
    devices: 'Iniciar sesión en dispositivos',
    tokens: 'Renovar y revocar tokens',
    'pushed-requests': 'Solicitudes enviadas por adelantado y claves',
    dpop: 'Vincular los tokens a una clave (DPoP)',
    'going-live': 'Comprobar antes de publicar',
  },
};

export const pause = {
  title: 'Pausar',
  text: 'No recibe más tokens, los que tiene se revocan en un segundo y nadie puede autorizarla. Los secretos, los ajustes y lo que las personas autorizaron se mantienen; reanúdala cuando quieras.',
  submit: 'Pausar esta aplicación',
  paused: 'Has pausado esta aplicación. No recibe tokens y nadie puede autorizarla.',
  resume: 'Reanudar',
  donePaused: 'La aplicación está en pausa. Sus tokens se han revocado.',
  doneResumed: 'La aplicación vuelve a funcionar. Tiene que pedir tokens nuevos.',
  tag: 'En pausa',
};

export const removal = {
  breaks: 'Qué deja de funcionar:',
  people: (number: number) =>
    counted(number, {
      zero: 'Nadie está conectado.',
      one: () => 'Una persona quedará desconectada y tendrá que autorizar otra aplicación.',
      other: (people) => `${people} personas quedarán desconectadas y tendrán que autorizar otra aplicación.`,
    }),
  used: (minute: string, tokens: number, calls: number): string =>
    `Se usó por última vez el ${minute}; en los últimos 7 días: ${tokensOf(tokens)}, ${callsOf(calls)}. Todo eso falla de inmediato.`,
  unused: 'Nunca se ha usado.',
  pauseFirst: 'Si tienes dudas, páusala antes y mira quién lo nota.',
};

export const usage = {
  title: 'Uso',
  intro: 'Los últimos 30 días, en UTC. Lo que acaba de ocurrir aparece en dos segundos.',
  charts: {
    tokens: { title: 'Tokens de acceso', text: 'los que ha recibido' },
    people: { title: 'Personas', text: 'cuántas la habían autorizado al final del día' },
    calls: { title: 'Llamadas', text: 'llamadas a la API con sus tokens' },
    errors: { title: 'Errores', text: 'llamadas que se respondieron con 4xx o 5xx' },
  },
  total: (number: number) => `${count.format(number)} en 30 días`,
  now: (number: number) => `${count.format(number)} ahora`,
  most: (number: number, day: string) => `máximo el ${day}: ${count.format(number)}`,
  nothing: 'nada todavía',
  bar: (day: string, number: number) => `${day}: ${count.format(number)}`,
  table: 'Los mismos datos en una tabla',
  day: 'Día',
  endpoints: {
    title: 'Llamadas por punto de conexión',
    intro:
      'Llamadas a la API de los últimos 90 días según la clase de su estado, en UTC. Las nuevas aparecen en diez segundos.',
    endpoint: 'Punto de conexión',
    succeeded: 'Correctas (2xx, 3xx)',
    rejected: 'Rechazadas (4xx)',
    failed: 'Fallidas (5xx)',
    none: 'Todavía no hay llamadas a la API',
    download: 'Descargar CSV',
  },
  refused: (link: RichText): RichText => [
    'Las solicitudes de tokens y de autorización rechazadas no están aquí, sino en ',
    link,
    '.',
  ],
};

export const limits = {
  title: 'Límites de llamadas',
  intro:
    'Estas son las llamadas que se aceptan; una de más se responde con 429 y Retry-After. Cada respuesta indica en RateLimit lo que queda.',
  /** For more than one process. */
  shares: (processes: number) =>
    `El servicio se ejecuta en ${String(processes)} procesos. Cada uno permite una parte igual de los cuatro primeros límites, que es la que muestran la tabla y las cabeceras RateLimit de una respuesta.`,
  off: 'Este servicio tiene desactivados sus límites de llamadas.',
  limit: 'Límite',
  calls: 'Llamadas',
  counted: 'Se cuentan para',
  perMinute: (quota: number) => `${count.format(quota)} por minuto`,
  perHour: (quota: number) => `${count.format(quota)} por hora`,
  names: {
    'user-reads': 'esta aplicación en nombre de una cuenta: llamadas que no cambian nada',
    'user-writes': 'esta aplicación en nombre de una cuenta: llamadas que cambian algo',
    'application-reads': 'esta aplicación con todas sus personas: llamadas que no cambian nada',
    'application-writes': 'esta aplicación con todas sus personas: llamadas que cambian algo',
    'is-email': 'esta aplicación: GET y POST /auth/is_email',
    'check-username': 'esta aplicación: GET /account/check_username',
    register: 'esta aplicación: POST /auth/register',
  },
};

export const history = {
  title: 'Historial',
  intro: 'Lo que se hizo con esta aplicación, primero lo más reciente. Las entradas solo se añaden, nunca cambian.',
  none: 'No hay nada que mostrar.',
  older: 'Entradas más antiguas',
  actors: {
    person: 'tú',
    application: 'la aplicación',
    operator: 'un administrador',
    service: 'el servicio',
    unknown: 'mediante acceso directo a la base de datos',
  },
  events: {
    'application.created': 'Creada',
    'application.changed': 'Ajustes guardados',
    'application.described': 'Presentación modificada',
    'application.verified': 'Verificada',
    'application.unverified': 'Marca de verificación retirada',
    'application.paused': 'Pausada',
    'application.resumed': 'Reanudada',
    'application.suspended': 'Suspendida',
    'application.unsuspended': 'Suspensión levantada',
    'secret.added': 'Secreto añadido',
    'secret.renamed': 'Secreto renombrado',
    'secret.retired': 'Secreto retirado',
    'secret.removed': 'Secreto caducado eliminado',
    'code.replayed': 'Un código de autorización se usó dos veces; lo que se obtuvo con él se ha revocado',
    'token.reused': 'Un token de actualización se usó dos veces; ese inicio de sesión ha terminado',
    'webhook.added': 'Destino de webhooks añadido',
    'webhook.changed': 'Eventos de los webhooks cambiados',
    'webhook.secret_changed': 'Secreto del webhook cambiado',
    'webhook.switched_off': 'Destino de webhooks desactivado, porque no llegó ningún mensaje',
    'webhook.switched_on': 'Destino de webhooks activado',
    'webhook.removed': 'Destino de webhooks eliminado',
  },
  secret: (name: RichText): RichText => ['secreto «', name, '»'],
  secretId: (id: string) => `secreto número ${id}`,
  scopes: (scopes: string) => `permisos: ${scopes}`,
  settings: (settings: string) => `cambiado: ${settings}`,
};

export const profile = {
  title: 'Presentación',
  intro: 'Lo que las personas ven de tu aplicación cuando se les pide que la autoricen.',
  logo: 'Logotipo',
  logoText:
    'PNG o JPEG, de 2 MB como máximo. Se dibuja de nuevo y se reduce, y no se conserva nada más del archivo. Lo mejor es un cuadrado de 400 píxeles.',
  logoFile: 'Imagen',
  upload: 'Subir',
  removeLogo: 'Quitar el logotipo',
  links: 'Enlaces',
  linksText: 'Se muestran donde las personas deciden, con el host al que llevan. Usa https o http.',
  website: 'Sitio web',
  terms: 'Condiciones del servicio',
  privacy: 'Política de privacidad',
  save: 'Guardar enlaces',
  saved: 'Los enlaces se han guardado.',
  logoSaved: 'El logotipo se ha guardado.',
  logoRemoved: 'El logotipo se ha quitado.',
  preview: 'Así lo ven las personas',
  errors: {
    'bad-address': 'Escribe una dirección completa como https://app.example.com/, o nada.',
    'too-long': 'La dirección puede tener 2048 caracteres como máximo.',
    missing: 'Elige una imagen.',
    'too-large': 'La imagen supera los 2 MB. Elige una más pequeña.',
    busy: 'Se están procesando demasiadas imágenes. Vuelve a intentarlo dentro de un momento.',
  },
};

/** The first request of an application. */
export const quickstart = {
  title: 'Pruébala',
  token:
    'Pide un token para la propia aplicación. curl te pedirá el secreto; así no queda en el historial de tu shell:',
  authorize: 'Envía aquí el navegador de las personas, con tus propios code_challenge y state:',
  metadata: 'Dónde está todo:',
};
