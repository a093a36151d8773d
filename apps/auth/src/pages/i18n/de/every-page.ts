import type { RichText } from '../text-types.ts';

const day = new Intl.DateTimeFormat('de', { dateStyle: 'long', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat('de', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const numbers = new Intl.NumberFormat('de');
const minute = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const second = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** Texts of more than one page, in German. */
export const everyPage = {
  language: 'de',
  languageName: 'Deutsch',
  imageProblems: {
    heic: 'Das ist ein HEIC-Bild. Wähle ein PNG oder JPEG. iPhone: Einstellungen › Kamera › Formate › Maximale Kompatibilität.',
    avif: 'Das ist ein AVIF-Bild. Speichere es als PNG oder JPEG und wähle diese Datei.',
    webp: 'Das ist ein WebP-Bild. Speichere es als PNG oder JPEG und wähle diese Datei.',
    gif: 'Das ist ein GIF. Speichere es als PNG oder JPEG und wähle diese Datei.',
    other: 'Das ist kein PNG- oder JPEG-Bild. Wähle eine andere Datei.',
    hdr: 'Dieses PNG ist ein HDR-Bild (PQ oder HLG). Speichere es mit normalem Dynamikumfang (SDR) und wähle diese Datei.',
    'too-many-pixels': 'Dieses Bild hat mehr als 40 Megapixel. Verkleinere es oder wähle ein anderes.',
    damaged: 'Dieses Bild ist beschädigt. Wähle eine andere Datei.',
  },
  formatNumber: (number: number) => numbers.format(number),
  /** Without the year. */
  formatShortDay: (date: Date) => shortDay.format(date),
  formatDay: (date: Date) => day.format(date),
  formatMinute: (date: Date) => `${minute.format(date)} UTC`,
  formatSecond: (date: Date) => `${second.format(date)} UTC`,
  layout: {
    skip: 'Zum Inhalt springen',
    navigation: 'Hauptmenü',
    menu: 'Menü',
    home: 'Startseite',
    applications: 'Meine Anwendungen',
    account: 'Konto',
    admin: 'Administration',
    signIn: 'Anmelden',
    signOut: 'Abmelden',
    languages: 'Sprache',
    siteLinks: 'Über diesen Dienst',
    reference: 'API-Referenz',
    contact: 'Kontakt',
    terms: 'Nutzungsbedingungen',
    privacy: 'Datenschutz',
    status: 'Status',
  },
  copying: {
    copy: 'Kopieren',
    copied: 'Kopiert',
    download: 'Als Datei herunterladen',
  },
  form: {
    optional: 'freiwillig',
    returned: {
      ended: 'Deine Sitzung war abgelaufen.',
      check: 'Prüfe, was du eingegeben hast, und schicke es noch einmal ab.',
      lost: 'Was du abgeschickt hast, wurde nicht gespeichert. Gib es noch einmal ein.',
    },
    problems: (count: number) =>
      count === 1 ? 'Eine Angabe stimmt noch nicht' : `${String(count)} Angaben stimmen noch nicht`,
  },
  errors: {
    reference: 'Kennung der Anfrage',
    sentBy: (app: RichText): RichText => ['Die Anfrage kam von ', app, '.'],
    /** For the owner of the application. */
    explanation: 'Warum ist diese Anfrage gescheitert?',
    startAgain: 'Neu beginnen',
    backTo: (host: RichText): RichText => ['Zurück zu ', host],
    /** Before an error goes to the application's site, while nobody is signed in. */
    destination: {
      text: (app: RichText, host: RichText): RichText => [
        app,
        ' hat dich mit einer Anfrage hierher geschickt, die sich nicht erfüllen lässt. Damit die App davon erfährt, geh weiter zu ihrer Seite: ',
        host,
        '.',
      ],
      warning: 'Du verlässt damit diesen Dienst. Gib dein Passwort für diesen Dienst nirgendwo sonst ein.',
      continue: (host: RichText): RichText => ['Weiter zu ', host],
    },
    toStart: 'Zur Startseite',
    'not-found': {
      title: 'Seite nicht gefunden',
      text: 'Unter dieser Adresse gibt es nichts. Vielleicht ist die Seite umgezogen oder der Link unvollständig.',
    },
    'stale-form': {
      title: 'Diese Seite war zu lange offen',
      text: 'Was du abgeschickt hast, passt nicht mehr zur Sitzung deines Browsers. Es wurde nichts geändert. Bitte öffne die Seite neu und wiederhole deine Eingabe.',
    },
    'no-cookies': {
      title: 'Cookies werden benötigt',
      text: 'Dein Browser hat keine Cookies gesendet, deshalb wurde nichts geändert. Erlaube in den Einstellungen deines Browsers Cookies für diese Website und beginne neu. Wenn du in einem anderen Browser begonnen hast, mach dort weiter.',
    },
    'cross-site': {
      title: 'Anfrage abgelehnt',
      text: 'Diese Anfrage kam von einer fremden Website. Zu deiner Sicherheit wurde nichts geändert.',
    },
    'bad-form': {
      title: 'Das Formular ist nicht lesbar',
      text: 'Was ankam, ist beschädigt oder zu groß. Es wurde nichts geändert.',
    },
    'bad-authorization': {
      title: 'Die App hat einen Fehler gemacht',
      text: 'Sie hat dich mit einer Anfrage hierher geschickt, die sich nicht erfüllen lässt. Du kannst daran nichts ändern: Bitte melde es denen, die die App entwickeln.',
    },
    'bad-sign-out': {
      title: 'Die Anfrage zum Abmelden ist ungültig',
      text: 'Die App hat dich mit einer ungültigen Anfrage hierher geschickt; es hat sich nichts geändert. Abmelden kannst du dich weiterhin selbst.',
    },
    'ended-interaction': {
      title: 'Diese Anmeldung ist beendet',
      text: 'Sie hat zu lange gedauert, ist schon abgeschlossen oder wurde in einem anderen Browser begonnen. Bitte geh zurück zur App und beginne neu.',
    },
    'playground-answer': {
      title: 'Diese Antwort gehört zu keinem Lauf',
      text: 'Auf eine solche Antwort wird in diesem Browser nicht gewartet: Sie ist schon angekommen, der Lauf ist beendet, oder jemand anders hat ihn begonnen. Es wurde nichts damit getan. Beginne bei der Anwendung von vorn.',
    },
    'too-many-attempts': {
      title: 'Zu viele Versuche',
      text: 'Bitte warte einige Minuten und versuche es dann noch einmal.',
    },
    forbidden: {
      title: 'Nicht erlaubt',
      text: 'Dein Konto darf das nicht.',
    },
    unavailable: {
      title: 'Gleich wieder da',
      text: 'Der Dienst kann gerade nicht antworten. Bitte versuche es in Kürze noch einmal.',
    },
    internal: {
      title: 'Etwas ist schiefgegangen',
      text: 'Der Fehler liegt bei uns und wurde vermerkt. Bitte versuche es noch einmal.',
    },
  },
  durations: {
    legend: 'Zugriff gilt',
    keep: 'Wie bisher',
    choices: {
      hour: { label: 'Eine Stunde lang' },
      day: { label: '24 Stunden lang' },
      month: { label: '30 Tage lang' },
      until_stopped: {
        label: 'Bis du ihn beendest',
        text: 'Er endet auch von selbst, wenn die App ihn 30 Tage nicht nutzt, spätestens nach einem Jahr.',
      },
    },
  },
  scopes: {
    users: {
      label: 'Dein Konto verwalten und wem du folgst',
      text: 'Profile und Follower-Listen lesen, Leuten folgen und entfolgen, dein Profil und deinen Benutzernamen ändern, deine Daten exportieren.',
    },
    posts: {
      label: 'Beiträge lesen und in deinem Namen schreiben',
      text: 'Beiträge und Kommentare veröffentlichen und löschen, Bilder hochladen, mit „Gefällt mir“ markieren, teilen und deine Timeline lesen.',
    },
    email: {
      label: 'Deine E-Mail-Adresse sehen',
      text: 'Die Adresse lesen, mit der du registriert bist. Mails verschicken kann sie damit nicht.',
    },
    'users:read': {
      label: 'Konten lesen',
      text: 'Profile und Follower-Listen lesen und exportieren, was dein Konto enthält. Ändern kann sie nichts.',
    },
    'posts:read': {
      label: 'Beiträge lesen',
      text: 'Beiträge, Kommentare und Bilder lesen, die du sehen kannst. Veröffentlichen kann sie nichts.',
    },
    'posts:propose': {
      label: 'Beiträge vorschlagen',
      text: 'Vorschlagen, was du veröffentlichen, kommentieren, mit „Gefällt mir“ markieren oder teilen und wem du folgen könntest. Nichts davon geschieht, bevor du zustimmst.',
    },
    openid: {
      label: 'Wissen, dass du es bist',
      text: 'Dein Konto wiedererkennen, wenn du dich erneut damit anmeldest.',
    },
    profile: { label: 'Deinen Namen sehen', text: 'Deinen Namen, deinen Benutzernamen und dein Bild lesen.' },
    unknown: 'Der Dienst hat keine Beschreibung dieser Berechtigung.',
  },
};

const count = new Intl.NumberFormat('de');

/** Texts about the names of people and applications, and what helps to judge them. */
export const names = {
  /** Of a text that is no name. */
  textUnprintable: 'Hier ist ein Zeichen, das sich nicht anzeigen lässt. Entferne es.',
  errors: {
    unprintable: 'Der Name enthält ein Zeichen, das sich nicht anzeigen lässt. Entferne es.',
    'mixed-scripts':
      'Der Name mischt Schriften, die sich ähnlich sehen, zum Beispiel lateinische und kyrillische. Verwende nur eine davon.',
    badge: 'Entferne Häkchen und andere Zeichen einer Verifizierung aus dem Namen.',
    reserved: 'Diesen Namen könnte man für den Dienst oder seine Administration halten. Wähle einen anderen.',
    imitates: 'Dieser Name sieht einem verifizierten Namen zum Verwechseln ähnlich. Wähle einen anderen.',
    blocked: 'Dieser Name enthält ein Wort, das dieser Dienst nicht zulässt. Wähle einen anderen.',
  },
  changeEndsVerification:
    'Dein Konto ist unter seinen jetzigen Namen verifiziert. Wenn du einen davon änderst, entfällt das Zeichen für verifizierte Konten.',
  verification: 'Verifizierung',
  verified: 'Verifiziert',
  verifiedBy: (service: string) => `Von ${service} verifiziert`,
  notVerifiedBy: (service: string) => `Nicht von ${service} verifiziert`,
  applicationChangeEndsVerification:
    'Diese Anwendung ist verifiziert. Wenn du ihren Namen, ihr Logo oder ihre Website änderst, entfällt das Zeichen für verifizierte Anwendungen.',
  created: 'Angelegt',
  createdRecently: 'In den letzten 7 Tagen',
  usedBy: 'Genutzt von',
  fewPeople: 'Weniger als 10 Personen',
  minPeople: (people: number) => `Mindestens ${count.format(people)} Personen`,
};
