import type { RichText } from '../text-types.ts';

/** Texts of the first page for operators, in French. */
export const overview = {
  title: 'Vue d’ensemble',
  allEvents: 'Tous les événements',
  about: (count: string) => `environ ${count}`,
  durations: {
    days: (count: number): string => (count < 2 ? `${String(count)} jour` : `${String(count)} jours`),
    hours: (count: number): string => (count < 2 ? `${String(count)} heure` : `${String(count)} heures`),
    minutes: (count: number): string => (count < 2 ? `${String(count)} minute` : `${String(count)} minutes`),
  },
  counts: {
    reports: 'Signalements ouverts',
    registrations: 'Inscriptions en attente',
    people: 'Personnes',
    suspended: 'Suspendues',
    applications: 'Applications',
    posts: 'Publications',
    sessions: 'Sessions actives',
  },
  health: {
    title: 'État du service',
    mail: 'E-mails en attente',
    onTime: 'à l’heure',
    late: (duration: string) => `${duration} de retard`,
    logoutNotices: 'Avis de déconnexion en attente',
    removedMedia: 'Fichiers à supprimer',
    feed: 'Révocations lues',
    feedAge: (seconds: string) => `il y a ${seconds} s`,
    feedUnread: 'pas encore lues',
  },
  keys: {
    title: 'Clés de signature',
    text: (command: RichText): RichText => [
      'Les clés sont renouvelées automatiquement. Pour en remplacer une immédiatement, lancez ',
      command,
      '.',
    ],
    states: { current: 'signe', next: 'signera ensuite', retired: 'remplacée', revoked: 'révoquée' },
    age: (duration: string) => `depuis ${duration}`,
  },
  limits: {
    title: 'Limites',
    text: 'Compteurs en cours, par limite. Ils expirent d’eux-mêmes.',
    none: 'Aucun compteur en cours.',
  },
};
