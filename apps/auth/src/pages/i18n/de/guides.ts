import type { RichText } from '../rich-text.ts';

/** Texts around the guides of the documentation, in German. */
export const guides = {
  title: 'Dokumentation',
  all: 'Alle Anleitungen',
  navigation: 'Anleitungen',
  /** The guides themselves are not translated. */
  inEnglish: 'Die Dokumentation ist auf Englisch.',
  read: 'Anleitung lesen',
  onThisPage: 'Auf dieser Seite',
  previous: 'Zurück',
  next: 'Weiter',
  neighbours: 'Vorige und nächste Anleitung',
  groups: { start: 'Erste Schritte', access: 'Zugriff', api: 'Die API', launch: 'Veröffentlichen' },
  application: { label: 'Anwendung in den Beispielen', submit: 'Anzeigen' },
  search: {
    title: 'Dokumentation durchsuchen',
    label: 'Dokumentation durchsuchen',
    submit: 'Suchen',
    results: (count: number, query: RichText): RichText => {
      if (count === 0) return ['Nichts gefunden für „', query, '“.'];
      return count === 1 ? ['1 Treffer für „', query, '“'] : [`${String(count)} Treffer für „`, query, '“'];
    },
  },
};
