import type { RichText } from '../text-types.ts';

/** Texts of the first page for operators, in Spanish. */
export const overview = {
  title: 'Resumen',
  allEvents: 'Todos los eventos',
  about: (count: string) => `unas ${count}`,
  durations: {
    days: (count: number): string => (count === 1 ? '1 día' : `${String(count)} días`),
    hours: (count: number): string => (count === 1 ? '1 hora' : `${String(count)} horas`),
    minutes: (count: number): string => (count === 1 ? '1 minuto' : `${String(count)} minutos`),
  },
  counts: {
    reports: 'Denuncias abiertas',
    registrations: 'Registros en espera',
    people: 'Personas',
    suspended: 'Suspendidas',
    applications: 'Aplicaciones',
    posts: 'Publicaciones',
    sessions: 'Sesiones activas',
  },
  health: {
    title: 'Estado del servicio',
    mail: 'Correos en espera',
    onTime: 'a tiempo',
    late: (duration: string) => `${duration} de retraso`,
    logoutNotices: 'Avisos de cierre de sesión en espera',
    removedMedia: 'Archivos por eliminar',
    feed: 'Revocaciones leídas',
    feedAge: (seconds: string) => `hace ${seconds} s`,
    feedUnread: 'aún sin leer',
  },
  keys: {
    title: 'Claves de firma',
    text: (command: RichText): RichText => [
      'Las claves se renuevan automáticamente. Para sustituir una de inmediato, ejecuta ',
      command,
      '.',
    ],
    states: { current: 'firma', next: 'firmará después', retired: 'retirada', revoked: 'revocada' },
    age: (duration: string) => `desde hace ${duration}`,
  },
  limits: {
    title: 'Límites',
    text: 'Contadores en curso, por límite. Caducan por sí solos.',
    none: 'No hay contadores en curso.',
  },
};
