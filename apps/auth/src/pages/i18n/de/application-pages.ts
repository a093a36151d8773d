import type { RichText } from '../text-types.ts';

const count = new Intl.NumberFormat('de');
const callsOf = (number: number): string => (number === 1 ? 'einen Aufruf' : `${count.format(number)} Aufrufe`);
const people = (number: number): string => (number === 1 ? 'Eine Person' : `${count.format(number)} Personen`);

/** Texts of the pages of one application, in German. */
export const pages = {
  navigation: 'Seiten dieser Anwendung',
  overview: 'Übersicht',
  credentials: 'Zugangsdaten',
  settings: 'Berechtigungen und Redirect-URIs',
  profile: 'Aussehen',
  playground: 'Ausprobieren',
  webhooks: 'Webhooks',
  activity: 'Aktivität',
  usage: 'Nutzung und Limits',
  history: 'Verlauf',
  danger: 'Gefahrenzone',
};

/** Summary of an application’s usage. */
export const usageSummary = {
  title: 'Im Einsatz',
  people: (number: number) =>
    number === 0 ? 'Niemand hat sie zugelassen' : `${people(number)} ${number === 1 ? 'hat' : 'haben'} sie zugelassen`,
  lastUsed: (minute: string) => `zuletzt verwendet ${minute}`,
  neverUsed: 'nie verwendet',
  lastUse: 'Zuletzt verwendet',
  peopleTitle: 'Personen',
  week: 'Letzte 7 Tage',
  weekText: (tokens: number, calls: number) => `${count.format(tokens)} Tokens, ${callsOf(calls)}`,
  failures: 'Fehlgeschlagene Anfragen',
  failuresText: (number: number) => `${count.format(number)} in den letzten 24 Stunden, ohne Wiederholungen`,
  more: 'Tag für Tag',
};

/** Links from the overview of an application to the guides, which are in English. */
export const guideLinks = {
  title: 'Anleitungen für diese Anwendung',
  links: {
    'sign-in': 'Personen anmelden',
    backend: 'Tokens für die Anwendung selbst holen',
    devices: 'Auf Geräten anmelden',
    tokens: 'Tokens erneuern und widerrufen',
    'pushed-requests': 'Hinterlegte Anfragen und Schlüssel',
    dpop: 'Tokens an einen Schlüssel binden (DPoP)',
    'going-live': 'Vor dem Start prüfen',
  },
};

export const pause = {
  title: 'Anhalten',
  text: 'Sie bekommt keine Tokens, die vorhandenen enden binnen einer Sekunde, und niemand kann sie zulassen. Geheimnisse, Einstellungen und Zustimmungen bleiben; setze sie fort, wann du willst.',
  submit: 'Diese Anwendung anhalten',
  paused: 'Du hast diese Anwendung angehalten. Sie bekommt keine Tokens, und niemand kann sie zulassen.',
  resume: 'Fortsetzen',
  donePaused: 'Die Anwendung ist angehalten. Ihre Tokens sind beendet.',
  doneResumed: 'Die Anwendung arbeitet wieder. Sie muss neue Tokens holen.',
  tag: 'Angehalten',
};

export const removal = {
  breaks: 'Was damit endet:',
  people: (number: number) =>
    number === 0
      ? 'Niemand ist verbunden.'
      : `${people(number)} ${number === 1 ? 'wird' : 'werden'} getrennt und müsste${number === 1 ? '' : 'n'} eine andere Anwendung zulassen.`,
  used: (minute: string, tokens: number, calls: number): string =>
    `Zuletzt wurde sie am ${minute} verwendet; in den letzten 7 Tagen hat sie ${count.format(tokens)} Tokens bekommen und ${callsOf(calls)} gemacht. All das schlägt sofort fehl.`,
  unused: 'Sie wurde nie verwendet.',
  pauseFirst: 'Wenn du nicht sicher bist, halte sie erst an und sieh, wer sich meldet.',
};

export const usage = {
  title: 'Nutzung',
  intro: 'Die letzten 30 Tage, in UTC. Was eben geschah, steht binnen zwei Sekunden hier.',
  charts: {
    tokens: { title: 'Tokens', text: 'Zugriffstokens, die sie bekommen hat' },
    people: { title: 'Personen', text: 'wie viele sie am Ende des Tages zugelassen hatten' },
    calls: { title: 'Aufrufe', text: 'Aufrufe der API mit ihren Tokens' },
    errors: { title: 'Fehler', text: 'Aufrufe, die mit 4xx oder 5xx beantwortet wurden' },
  },
  total: (number: number) => `${count.format(number)} in 30 Tagen`,
  now: (number: number) => `jetzt ${count.format(number)}`,
  most: (number: number, day: string) => `am meisten am ${day}: ${count.format(number)}`,
  nothing: 'noch nichts',
  bar: (day: string, number: number) => `${day}: ${count.format(number)}`,
  table: 'Dasselbe als Tabelle',
  day: 'Tag',
  endpoints: {
    title: 'Aufrufe je Endpunkt',
    intro:
      'Aufrufe der API in den letzten 90 Tagen, nach Art des Status, in UTC. Neue Aufrufe stehen binnen zehn Sekunden hier.',
    endpoint: 'Endpunkt',
    succeeded: 'Gelungen (2xx, 3xx)',
    rejected: 'Abgelehnt (4xx)',
    failed: 'Fehlgeschlagen (5xx)',
    none: 'Noch keine Aufrufe der API',
    download: 'CSV herunterladen',
  },
  refused: (link: RichText): RichText => [
    'Abgelehnte Anfragen nach Tokens und Zustimmung stehen nicht hier, sondern unter ',
    link,
    '.',
  ],
};

export const limits = {
  title: 'Anfragelimits',
  intro:
    'So viele Aufrufe werden durchgelassen; einer zu viel wird mit 429 und Retry-After beantwortet. Jede Antwort nennt in RateLimit, was noch übrig ist.',
  /** For more than one process. */
  shares: (processes: number) =>
    `Der Dienst läuft in ${String(processes)} Prozessen. Jeder erlaubt einen gleichen Anteil der ersten vier Limits. Diesen Anteil zeigen die Tabelle und die RateLimit-Header einer Antwort.`,
  off: 'Dieser Dienst hat seine Anfragelimits abgeschaltet.',
  limit: 'Limit',
  calls: 'Aufrufe',
  counted: 'Gezählt für',
  perMinute: (quota: number) => `${count.format(quota)} je Minute`,
  perHour: (quota: number) => `${count.format(quota)} je Stunde`,
  names: {
    'user-reads': 'diese Anwendung im Namen eines Kontos: Aufrufe, die nichts ändern',
    'user-writes': 'diese Anwendung im Namen eines Kontos: Aufrufe, die etwas ändern',
    'application-reads': 'diese Anwendung mit allen Personen: Aufrufe, die nichts ändern',
    'application-writes': 'diese Anwendung mit allen Personen: Aufrufe, die etwas ändern',
    'is-email': 'diese Anwendung: GET und POST /auth/is_email',
    'check-username': 'diese Anwendung: GET /account/check_username',
    register: 'diese Anwendung: POST /auth/register',
  },
};

export const history = {
  title: 'Verlauf',
  intro: 'Was mit dieser Anwendung geschah, das Neueste zuerst. Einträge kommen nur hinzu.',
  none: 'Es gibt nichts zu zeigen.',
  older: 'Ältere Einträge',
  actors: {
    person: 'du',
    application: 'die Anwendung',
    operator: 'die Administration',
    service: 'der Dienst',
    unknown: 'durch direkten Zugriff auf die Datenbank',
  },
  events: {
    'application.created': 'Erstellt',
    'application.changed': 'Einstellungen gespeichert',
    'application.described': 'Aussehen geändert',
    'application.verified': 'Verifiziert',
    'application.unverified': 'Verifizierung entfernt',
    'application.paused': 'Angehalten',
    'application.resumed': 'Fortgesetzt',
    'application.suspended': 'Gesperrt',
    'application.unsuspended': 'Sperre aufgehoben',
    'secret.added': 'Geheimnis hinzugefügt',
    'secret.renamed': 'Geheimnis umbenannt',
    'secret.retired': 'Geheimnis zurückgezogen',
    'secret.removed': 'Abgelaufenes Geheimnis entfernt',
    'code.replayed': 'Ein Autorisierungscode wurde zweimal verwendet; was er gab, ist beendet',
    'token.reused': 'Ein Refresh-Token wurde zweimal verwendet; diese Anmeldung ist beendet',
    'webhook.added': 'Webhook-Endpunkt hinzugefügt',
    'webhook.changed': 'Webhook-Ereignisse geändert',
    'webhook.secret_changed': 'Webhook-Geheimnis gewechselt',
    'webhook.switched_off': 'Webhook-Endpunkt abgeschaltet, weil keine Nachricht ankam',
    'webhook.switched_on': 'Webhook-Endpunkt eingeschaltet',
    'webhook.removed': 'Webhook-Endpunkt gelöscht',
  },
  secret: (name: RichText): RichText => ['Geheimnis „', name, '“'],
  secretId: (id: string) => `Geheimnis Nummer ${id}`,
  scopes: (scopes: string) => `Berechtigungen: ${scopes}`,
  settings: (settings: string) => `geändert: ${settings}`,
};

export const profile = {
  title: 'Aussehen',
  intro: 'Was andere von deiner Anwendung sehen, wenn sie gebeten werden, sie zuzulassen.',
  logo: 'Logo der Anwendung',
  logoText:
    'PNG oder JPEG, bis 2 MB. Es wird neu gezeichnet und verkleinert, und sonst bleibt nichts von der Datei. Am besten sieht ein Quadrat von 400 Pixeln aus.',
  logoFile: 'Bild',
  upload: 'Hochladen',
  removeLogo: 'Logo entfernen',
  links: 'Links zur Anwendung',
  linksText: 'Sie stehen dort, wo man sich entscheidet, mit dem Host, zu dem sie führen. Mit https oder http.',
  website: 'Website',
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutzerklärung',
  save: 'Links speichern',
  saved: 'Die Links wurden gespeichert.',
  logoSaved: 'Das Logo wurde gespeichert.',
  logoRemoved: 'Das Logo wurde entfernt.',
  preview: 'So sehen es andere',
  errors: {
    'bad-address': 'Gib eine vollständige Adresse wie https://app.example.com/ ein, oder nichts.',
    'too-long': 'Die Adresse darf höchstens 2048 Zeichen haben.',
    missing: 'Wähle ein Bild.',
    'too-large': 'Das Bild ist größer als 2 MB. Wähle ein kleineres.',
    busy: 'Es sind zu viele Bilder in Arbeit. Versuche es gleich noch einmal.',
  },
};

/** The first request of an application. */
export const quickstart = {
  title: 'Probier es aus',
  token:
    'Das holt ein Token im Namen der Anwendung selbst. curl fragt nach dem Geheimnis, damit es nicht im Verlauf deiner Shell bleibt:',
  authorize: 'Schicke den Browser hierher, mit eigenen Werten für code_challenge und state:',
  metadata: 'Wo alles zu finden ist:',
};
