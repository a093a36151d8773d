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
