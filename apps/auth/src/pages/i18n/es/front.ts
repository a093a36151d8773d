import { describeMinutes } from '../counted.ts';
import type { RichText } from '../text-types.ts';

/** Texts of the landing page and of the home page, in Spanish. */
export const front = {
  landing: {
    title: 'Publicaciones cortas y una API para todo',
    lead: (service: string) =>
      `En ${service} publicas textos cortos y sigues a otras personas. Todo lo que puedes hacer aquí también puede hacerlo una aplicación por ti, si lo permites.`,
    latest: 'Últimas publicaciones',
    more: 'Ver más publicaciones',
    build: {
      title: 'Desarrollar con la API',
      text: 'OAuth 2.0, OpenID Connect y una API JSON. Pega estas líneas en un terminal:',
      next: 'Crea una aplicación para obtener un ID de cliente y prueba cada paso en el playground.',
    },
  },
  home: {
    title: (name: RichText): RichText => ['Hola, ', name],
    yours: 'Tu cuenta',
    client: 'Leer y publicar',
    profileTitle: 'Tu perfil público',
    texts: {
      profile: 'Lo que otras personas ven de ti.',
      account: 'Tu nombre y tu foto, tu correo electrónico y tus datos.',
      connected: 'Lo que las aplicaciones pueden hacer en tu nombre. Puedes revocar su acceso.',
      followers: 'Protege tus publicaciones y responde a las solicitudes.',
      notifications: 'Elige qué notificaciones recibes.',
      security: 'Llaves de acceso y autenticación de dos factores.',
      developers: 'Registra una aplicación y prueba la API en el playground.',
      guides: 'Cómo crear una aplicación, con ejemplos en tres lenguajes.',
      reference: 'Cada llamada, con sus parámetros y respuestas.',
      admin: 'Buscar personas y aplicaciones, suspenderlas y restablecerlas, y consultar el registro de auditoría.',
    },
  },
};

/** Texts around the guides of the documentation, in Spanish. */
export const guides = {
  title: 'Documentación',
  all: 'Todas las guías',
  navigation: 'Guías',
  /** The guides themselves are not translated. */
  inEnglish: 'Esta documentación está en inglés.',
  copyMarkdown: 'Copiar como Markdown',
  read: 'Leer la guía',
  onThisPage: 'En esta página',
  previous: 'Anterior',
  next: 'Siguiente',
  neighbours: 'Guía anterior y siguiente',
  groups: { start: 'Primeros pasos', access: 'Acceso', api: 'La API', launch: 'Puesta en marcha' },
  application: { label: 'Aplicación de los ejemplos', submit: 'Mostrar' },
  search: {
    title: 'Buscar en la documentación',
    label: 'Buscar en la documentación',
    submit: 'Buscar',
    results: (count: number, query: RichText): RichText => {
      if (count === 0) return ['No hay resultados para «', query, '».'];
      return count === 1 ? ['1 resultado para «', query, '»'] : [`${String(count)} resultados para «`, query, '»'];
    },
  },
};

/** Texts of the pages about errors of the API, in Spanish. */
export const problems = {
  title: 'Errores de la API',
  intro: 'Cada respuesta de error de la API tiene uno de estos códigos.',
  code: 'Código',
  status: 'Estado HTTP',
  meaning: 'Cuándo ocurre',
  remedy: 'Qué hacer',
  example: 'Ejemplo de respuesta',
  calls: 'Puntos de conexión que lo devuelven',
  every: 'Todos.',
  all: 'Todos los errores',
};

const percents = new Intl.NumberFormat('es', { style: 'percent', maximumFractionDigits: 2 });

/** Texts of the status page. */
export const status = {
  title: 'Estado',
  lead: 'Qué funciona ahora y qué ha funcionado en las últimas 24 horas. Se comprueba cada minuto.',
  allWell: 'Todo funciona.',
  notAll: (parts: string) => `No disponible: ${parts}.`,
  now: { up: 'Disponible', down: 'No disponible' },
  parts: { sign_in: 'Inicio de sesión', api: 'API', database: 'Base de datos', media: 'Imágenes' },
  share: (share: number) => `Disponible el ${percents.format(share)} de las últimas 24 horas`,
  since: (share: number, time: string) => `Disponible el ${percents.format(share)} del tiempo desde el ${time}`,
  unknown: 'Todavía no hay datos.',
  strip: (part: string, share: string) => `${part}, las últimas 24 horas en cuartos de hora. ${share}`,
  ends: ['Hace 24 horas', 'Ahora'],
  interruptions: 'Interrupciones',
  none: 'Ninguna en este tiempo.',
  duration: describeMinutes,
  ongoing: 'continúa',
  outage: (time: string | undefined) =>
    time === undefined
      ? 'La base de datos no responde, así que no se pueden mostrar las últimas 24 horas.'
      : `La base de datos no responde. Todavía no se sabe qué ocurrió después del ${time}.`,
  machine: 'Lo mismo en JSON',
  note: 'Las interrupciones de menos de un minuto no aparecen.',
};
