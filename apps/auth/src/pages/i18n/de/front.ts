import { describeMinutes } from '../counted.ts';
import type { RichText } from '../text-types.ts';

/** Texts of the landing page and of the home page, in German. */
export const front = {
  landing: {
    title: 'Kurze Beiträge und eine API für alles',
    lead: (service: string) =>
      `Auf ${service} schreibst du kurze Beiträge und folgst anderen. Alles, was du hier tun kannst, kann auch eine App für dich tun, wenn du es erlaubst.`,
    latest: 'Neueste Beiträge',
    more: 'Mehr Beiträge ansehen',
    build: {
      title: 'Mit der API entwickeln',
      text: 'OAuth 2.0, OpenID Connect und eine JSON-API. Füge diese Zeilen in ein Terminal ein:',
      next: 'Erstelle eine Anwendung, um eine Client-ID zu bekommen, und probiere jeden Schritt im Playground aus.',
    },
  },
  home: {
    title: (name: RichText): RichText => ['Willkommen, ', name],
    yours: 'Dein Konto',
    client: 'Beiträge lesen und schreiben',
    profileTitle: 'Dein öffentliches Profil',
    texts: {
      profile: 'Was andere von dir sehen.',
      account: 'Dein Name und Bild, deine E-Mail-Adresse und deine Daten.',
      connected: 'Was Apps in deinem Namen dürfen. Du kannst ihnen den Zugriff entziehen.',
      followers: 'Schütze deine Beiträge und beantworte Anfragen.',
      notifications: 'Wähle, worüber du Mitteilungen bekommst.',
      security: 'Passkeys und Zwei-Faktor-Authentifizierung.',
      developers: 'Registriere eine Anwendung und probiere die API im Playground aus.',
      guides: 'Wie du eine Anwendung baust, mit Beispielen in drei Sprachen.',
      reference: 'Jeder Aufruf mit seinen Parametern und Antworten.',
      admin: 'Personen und Anwendungen finden, sperren und freigeben; das Audit-Protokoll durchsuchen.',
    },
  },
};

/** Texts around the guides of the documentation, in German. */
export const guides = {
  title: 'Dokumentation',
  all: 'Alle Anleitungen',
  navigation: 'Anleitungen',
  /** The guides themselves are not translated. */
  inEnglish: 'Die Dokumentation ist auf Englisch.',
  copyMarkdown: 'Als Markdown kopieren',
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

/** Texts of the pages about errors of the API, in German. */
export const problems = {
  title: 'Fehler der API',
  intro: 'Jede Fehlerantwort der API hat einen dieser Codes.',
  code: 'Code des Fehlers',
  status: 'HTTP-Status',
  meaning: 'Wann er auftritt',
  remedy: 'Was zu tun ist',
  example: 'Beispielantwort',
  calls: 'Endpunkte, die so antworten',
  every: 'Jeder Endpunkt.',
  all: 'Alle Fehler',
};

const percents = new Intl.NumberFormat('de', { style: 'percent', maximumFractionDigits: 2 });

/** Texts of the status page. */
export const status = {
  title: 'Status',
  lead: 'Was jetzt funktioniert und in den letzten 24 Stunden funktioniert hat. Jede Minute geprüft.',
  allWell: 'Alles funktioniert.',
  notAll: (parts: string) => `Nicht verfügbar: ${parts}.`,
  now: { up: 'Verfügbar', down: 'Nicht verfügbar' },
  parts: { sign_in: 'Anmeldung', api: 'API', database: 'Datenbank', media: 'Bilder' },
  share: (share: number) => `In den letzten 24 Stunden zu ${percents.format(share)} verfügbar`,
  since: (share: number, time: string) => `Seit ${time} zu ${percents.format(share)} verfügbar`,
  unknown: 'Noch keine Daten.',
  strip: (part: string, share: string) => `${part}, die letzten 24 Stunden in Viertelstunden. ${share}`,
  ends: ['Vor 24 Stunden', 'Jetzt'],
  interruptions: 'Unterbrechungen',
  none: 'Keine in dieser Zeit.',
  duration: describeMinutes,
  ongoing: 'dauert an',
  outage: (time: string | undefined) =>
    time === undefined
      ? 'Die Datenbank antwortet nicht, deshalb fehlen die letzten 24 Stunden.'
      : `Die Datenbank antwortet nicht. Was nach ${time} war, ist noch nicht bekannt.`,
  machine: 'Dasselbe als JSON',
  note: 'Unterbrechungen von weniger als einer Minute erscheinen nicht.',
};
