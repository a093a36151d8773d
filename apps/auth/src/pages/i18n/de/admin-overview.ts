import type { RichText } from '../text-types.ts';

/** Texts of the first page for operators, in German. */
export const overview = {
  title: 'Übersicht',
  allEvents: 'Alle Ereignisse',
  about: (count: string) => `etwa ${count}`,
  durations: {
    days: (count: number): string => (count === 1 ? '1 Tag' : `${String(count)} Tagen`),
    hours: (count: number): string => (count === 1 ? '1 Stunde' : `${String(count)} Stunden`),
    minutes: (count: number): string => (count === 1 ? '1 Minute' : `${String(count)} Minuten`),
  },
  counts: {
    reports: 'Offene Meldungen',
    registrations: 'Wartende Registrierungen',
    people: 'Personen',
    suspended: 'Gesperrt',
    applications: 'Anwendungen',
    posts: 'Beiträge',
    sessions: 'Aktive Sitzungen',
  },
  health: {
    title: 'Zustand',
    mail: 'Wartende E-Mails',
    onTime: 'pünktlich',
    late: (duration: string) => `Rückstand von ${duration}`,
    logoutNotices: 'Wartende Abmeldungen an Anwendungen',
    removedMedia: 'Zu löschende Dateien',
    feed: 'Widerrufe gelesen',
    feedAge: (seconds: string) => `vor ${seconds} s`,
    feedUnread: 'noch nicht gelesen',
  },
  keys: {
    title: 'Signierschlüssel',
    text: (command: RichText): RichText => [
      'Schlüssel werden automatisch gewechselt. Um einen sofort zu ersetzen, führe ',
      command,
      ' aus.',
    ],
    states: { current: 'signiert', next: 'signiert als Nächstes', retired: 'abgelöst', revoked: 'widerrufen' },
    age: (duration: string) => `seit ${duration}`,
  },
  limits: {
    title: 'Limits',
    text: 'Laufende Zähler, nach Limit. Sie laufen von selbst ab.',
    none: 'Es läuft kein Zähler.',
  },
};
