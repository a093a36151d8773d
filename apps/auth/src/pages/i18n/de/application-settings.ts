import type { RichText, SettingMessages } from '../text-types.ts';

/** Texts of protocol settings, in German. */
export const settings: SettingMessages = {
  advanced: 'Erweiterte Einstellungen',
  limitedTo: (seconds) =>
    `Die Administration dieses Dienstes erlaubt höchstens ${String(seconds)} Sekunden. Kein Token gilt länger, was auch immer du hier einträgst.`,
  texts: {
    strict: {
      label: 'Streng (FAPI 2.0)',
      text: 'Für Anwendungen mit hohem Schutzbedarf. Verlangt Pushed Authorization Requests, PKCE, DPoP und Anmeldung der Anwendung mit Schlüsseln und schaltet Gerätecode und response_type=token aus. ID-Tokens werden mit ES256 signiert. Refresh-Tokens wechseln nicht, weil sie an deinen Schlüssel gebunden sind. Solange es an ist, lässt sich nichts davon ändern.',
    },
    grantTypes: {
      label: 'Grant-Typen',
      text: 'Auf welchen Wegen die Anwendung Tokens bekommen darf. Lass aus, was sie nicht benutzt.',
    },
    requirePkce: {
      label: 'PKCE verlangen',
      text: 'Empfohlen. Lehnt Autorisierungsanfragen ohne code_challenge (S256) ab, damit ein gestohlener Code nichts nützt. Schalte es nur für Clients aus, die PKCE nicht können. Nur für vertrauliche Anwendungen; die anderen brauchen es immer.',
    },
    requirePushedAuthorizationRequests: {
      label: 'Pushed Authorization Requests verlangen',
      text: 'Lehnt Autorisierungsanfragen ab, die nicht zuerst an /oauth/par gesendet wurden, damit niemand sie im Browser ändern kann.',
    },
    dpopBoundAccessTokens: {
      label: 'DPoP verlangen',
      text: 'Stellt nur Tokens aus, die an einen Schlüssel der Anwendung gebunden sind, damit ein gestohlenes Token nichts nützt.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Algorithmus der Client-Assertions',
      text: 'Für Anwendungen, die sich mit Schlüsseln ausweisen (private_key_jwt). Mit einer anderen Wahl als „Beliebig“ werden alle übrigen Algorithmen abgelehnt.',
    },
    acceptEndpointAudience: {
      label: 'Token-Endpunkt als Audience annehmen',
      text: 'Für Anwendungen, die sich mit Schlüsseln ausweisen (private_key_jwt) und deren Bibliothek den Token-Endpunkt als „aud“ sendet (Spring Security, Authlib und andere). Der Issuer ist sicherer: Eine Assertion für ihn nützt anderswo nichts. Nicht mit „Streng“.',
    },
    accessTokenLifetime: {
      label: 'Gültigkeit von Zugriffstokens in Sekunden',
      text: 'Von 60 bis 3600. Leer gilt die Vorgabe von einer Stunde.',
    },
    refreshTokenLifetime: {
      label: 'Gültigkeit unbenutzter Refresh-Tokens in Sekunden',
      text: 'Von 300 bis 31536000. Leer gilt die Vorgabe von 30 Tagen.',
    },
    idTokenSignedResponseAlg: {
      label: 'Signatur von ID-Tokens',
      text: 'Wähle ES256 nur, wenn jeder Client, der die ID-Tokens prüft, es unterstützt. Frühere ID-Tokens bleiben gültig.',
    },
    postLogoutRedirectUris: {
      label: 'Adressen nach dem Abmelden',
      text: 'Wohin die Leute gelangen, nachdem deine Anwendung sie zu /oauth/logout geschickt hat. Eine URI pro Zeile, genau so, wie deine Anwendung sie sendet, ohne den Parameter state.',
    },
    backchannelLogoutUri: {
      label: 'Back-Channel-Logout-URI',
      text: 'Endet eine Sitzung, in der sich jemand bei dieser Anwendung angemeldet hat, wird ein Logout-Token hierhin gesendet. Verwende https und eine öffentliche Adresse.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Sitzungs-ID in Logout-Tokens verlangen',
      text: 'Manche Bibliotheken fragen danach. Logout-Tokens enthalten sid immer.',
    },
  },
  choices: {
    authorization_code: {
      label: 'Autorisierungscode',
      text: 'Menschen melden sich im Browser an und erlauben den Zugriff.',
    },
    any: { label: 'Beliebig', text: 'ES256, PS256, EdDSA oder, wenn nicht streng, RS256.' },
    ES256: { label: 'ES256', text: 'ECDSA mit P-256.' },
    PS256: { label: 'PS256', text: 'RSA-PSS mit SHA-256.' },
    EdDSA: { label: 'EdDSA', text: 'Schlüssel der Art Ed25519.' },
    RS256: { label: 'RS256', text: 'RSA mit PKCS #1 v1.5 und SHA-256.' },
    refresh_token: { label: 'Refresh-Token', text: 'Sie bleibt verbunden, ohne erneut zu fragen.' },
    client_credentials: {
      label: 'Client-Zugangsdaten',
      text: 'Sie bekommt Tokens für sich selbst. Nur für vertrauliche Anwendungen.',
    },
    'urn:ietf:params:oauth:grant-type:device_code': {
      label: 'Gerätecode',
      text: 'Für Fernseher, Konsolen und Programme im Terminal: Menschen geben einen Code auf einem anderen Gerät ein. Das kann jeder beginnen, der die Client-ID kennt. Schalte es also nur ein, wenn du es brauchst.',
    },
  },
  problems: {
    'unknown-choice': (value) => `„${value}“ steht nicht zur Wahl.`,
    'not-for-type': (value) => `Anwendungen dieses Typs können „${value}“ nicht verwenden.`,
    'not-a-number': (value) => `„${value}“ ist keine ganze Zahl.`,
    'out-of-range': (value) => `${value} liegt außerhalb des erlaubten Bereichs.`,
    'bad-address': (value) => `${value} ist keine erlaubte Adresse.`,
    'too-many': (value) => `Gib höchstens ${value} an.`,
    'not-with-strict': () => 'Eine strenge Anwendung kann diesen Wert nicht haben. Schalte zuerst „Streng“ aus.',
    'needs-keys': () => 'Strenge Anwendungen weisen sich mit Schlüsseln aus. Gib der Anwendung zuerst Schlüssel.',
  },
  on: 'an',
  off: 'aus',
  standard: 'Vorgabe',
};

/** Texts about how an application authenticates. */
export const authentication = {
  keysTitle: 'Schlüssel statt Geheimnissen verwenden',
  otherKeysTitle: 'Andere Schlüssel verwenden',
  keysText:
    'Die Anwendung signiert ihre Anfragen dann mit eigenen Schlüsseln (private_key_jwt). Alle ihre Geheimnisse gelten sofort nicht mehr, und ihre Zugriffstokens enden.',
  otherKeysText: 'Die jetzigen Schlüssel gelten sofort nicht mehr, und die Zugriffstokens der Anwendung enden.',
  keys: 'Öffentliche Schlüssel',
  keysHint:
    'Eine https-Adresse, unter der sie stehen, wie https://app.example.com/jwks.json, oder ein JWK Set als JSON. ES256, PS256, EdDSA oder RS256.',
  setKeys: 'Diese Schlüssel verwenden',
  keysUsed: 'Die Anwendung weist sich jetzt nur noch mit diesen Schlüsseln aus.',
  secretTitle: 'Ein Geheimnis statt Schlüsseln verwenden',
  secretText:
    'Die Schlüssel gelten sofort nicht mehr, und die Zugriffstokens der Anwendung enden. Das Geheimnis wird nur einmal angezeigt.',
  setSecret: 'Geheimnis erstellen',
  hasSecret: 'Die Anwendung hat bereits ein Geheimnis.',
};

const count = new Intl.NumberFormat('de');
const times = (uses: number): string => (uses === 1 ? 'einmal' : `${count.format(uses)}-mal`);

/** Texts of an application’s secrets, in German. */
export const secrets = {
  title: 'Geheimnisse',
  intro:
    'Um ein Geheimnis ohne Unterbrechung zu wechseln, füge ein weiteres hinzu, stelle deine Server um und ziehe dann das alte zurück. Damit enden auch die Zugriffstokens; deine Server holen sich mit dem anderen neue.',
  none: 'Es gibt kein gültiges Geheimnis. Füge eines hinzu, sonst kann die Anwendung keine Tokens holen.',
  called: (day: string) => `Geheimnis vom ${day}`,
  created: (day: string) => `Hinzugefügt am ${day}`,
  neverUsed: 'nie verwendet',
  used: (uses: number, minute: string) => `${times(uses)} verwendet, zuletzt am ${minute}`,
  ends: (minute: string) => `endet am ${minute}`,
  noEnd: 'ohne Ende',
  soon: 'Endet bald',
  endsTag: (day: string) => `Ein Geheimnis endet am ${day}`,
  endingSoon: (name: RichText, minute: string): RichText => [
    'Das Geheimnis „',
    name,
    `“ endet am ${minute}. Füge vorher ein weiteres hinzu und stelle deine Server um, sonst werden ihre Anfragen abgelehnt.`,
  ],
  safe: 'Entbehrlich',
  unusedSince: (day: string) => `Seit dem ${day} nicht verwendet`,
  neverUsedSince: (day: string) => `Nie verwendet, seit es am ${day} hinzugefügt wurde`,
  usedSince: (uses: number, day: string) => `seit dem ${day} ${times(uses)} verwendet`,
  safeReason: (unused: string, other: RichText, used: string): RichText => [
    `${unused}, während „`,
    other,
    `“ im Einsatz ist: ${used}. Was seltener als einmal in der Woche Tokens holt, könnte dieses noch brauchen.`,
  ],
  rename: 'Umbenennen',
  saveName: 'Namen speichern',
  renamed: 'Das Geheimnis heißt jetzt anders.',
  renameGone: 'Dieses Geheimnis gilt inzwischen nicht mehr. Sein Name bleibt, wie er war.',
  retire: 'Zurückziehen',
  retireText:
    'Anfragen mit diesem Geheimnis schlagen sofort fehl, und alle Zugriffstokens der Anwendung enden. Das lässt sich nicht rückgängig machen.',
  retireNow: 'Dieses Geheimnis zurückziehen',
  nowLast:
    'Das ist jetzt das einzige aktive Geheimnis und wurde deshalb nicht zurückgezogen. Bestätige noch einmal, um es zurückzuziehen.',
  last: 'Das ist das einzige aktive Geheimnis. Wenn du es zurückziehst, bekommt die Anwendung keine Tokenss mehr, bis du ein neues hinzufügst.',
  enough: (most: number) =>
    `Mehr als ${String(most)} Geheimnisse sind nicht möglich. Ziehe eines zurück, bevor du ein weiteres hinzufügst.`,
  ended: (number: number) =>
    number === 1 ? 'Ein Geheimnis ist abgelaufen' : `${String(number)} Geheimnisse sind abgelaufen`,
  endedText: 'Wird ein abgelaufenes Geheimnis noch gesendet, nennt „Warum Anfragen fehlschlugen“ es 30 Tage lang.',
  endedOn: (minute: string) => `abgelaufen am ${minute}`,
  manage: 'Zugangsdaten verwalten',
  addTitle: 'Geheimnis hinzufügen',
  add: 'Geheimnis hinzufügen',
  name: 'Name des Geheimnisses',
  nameHint: (called: string) => `Etwa der Server, der es verwenden wird. Bleibt das Feld leer, heißt es „${called}“.`,
  lifetime: 'Es gilt',
  lifetimes: {
    never: 'ohne Ende',
    '90-days': '90 Tage lang',
    '1-year': 'ein Jahr lang',
    date: 'bis zu einem Tag deiner Wahl',
  },
  lastDay: 'Letzter Tag',
  lastDayHint: 'Es gilt bis zum Ende dieses Tages, UTC.',
  lastDayOptional: 'für „bis zu einem Tag deiner Wahl“',
  errors: {
    nameTooLong: 'Der Name des Geheimnisses darf höchstens 60 Zeichen haben.',
    nameUnprintable: 'Der Name des Geheimnisses enthält ein Zeichen, das sich nicht anzeigen lässt.',
    lifetimeUnknown: 'Wähle, wie lange das Geheimnis gilt.',
    dayMissing: 'Gib den letzten Tag des Geheimnisses ein.',
    dayMalformed: 'Gib einen Tag wie 2027-02-28 ein.',
    dayPast: 'Dieser Tag ist vorbei. Gib einen künftigen ein.',
    dayTooFar: 'Ein Geheimnis endet binnen zehn Jahren oder gar nicht. Gib einen früheren Tag ein.',
  },
};

/** Texts of the page of an application’s webhooks, in German. */
export const webhooks = {
  intro:
    'Wir können deiner Anwendung eine Nachricht senden, wenn etwas geschieht, das die Personen betrifft, die ihr Zugriff geben. Eine Nachricht enthält IDs; lies die Objekte über die API.',
  guide: 'Webhooks empfangen',
  none: 'Noch kein Endpunkt.',
  listen: 'Ohne öffentliche Adresse',
  listenText:
    'Während du entwickelst, sendet dieser Befehl neue Ereignisse an einen Server auf deinem Rechner, signiert wie Webhooks. Er braucht Node und das Geheimnis der Anwendung.',
  add: 'Endpunkt hinzufügen',
  addSubmit: 'Prüfen und hinzufügen',
  url: 'URL',
  urlHint:
    'Eine öffentliche Adresse mit https oder http. Wir senden ihr jetzt eine Prüfung, und sie muss mit deren Text antworten.',
  events: 'Ereignisse',
  eventsHint:
    'Nur für Personen, die die Berechtigung erteilt haben: posts:read oder posts, für das Folgen users:read oder users.',
  eventNames: {
    'mention.created': 'Jemand erwähnt die Person',
    'quote.created': 'Die Person zitiert einen Beitrag, oder jemand zitiert ihren',
    'comment.created': 'Ein Kommentar der Person, oder zu ihrem Beitrag oder Kommentar',
    'comment.deleted': 'Ein solcher Kommentar oder einer, der die Person erwähnt hat, wird gelöscht',
    'like.created': 'Ein „Gefällt mir“ der Person oder für ihren Beitrag',
    'like.deleted': 'Ein solches „Gefällt mir“ wird zurückgenommen',
    'repost.created': 'Die Person teilt einen Beitrag, oder jemand teilt ihren',
    'repost.deleted': 'Ein Beitrag wird nicht mehr geteilt',
    'post.created': 'Die Person veröffentlicht einen Beitrag',
    'post.edited': 'Ein Beitrag der Person wird bearbeitet, oder eine Erwähnung der Person wird entfernt',
    'post.deleted': 'Ein Beitrag der Person oder einer, der sie erwähnt hat, wird gelöscht',
    'follow.created': 'Die Person folgt jemandem oder hat einen neuen Follower',
    'follow.deleted': 'Jemand folgt nicht mehr',
    'follow_request.created': 'Eine Folgeanfrage der Person oder an sie',
    'draft.proposed': 'Eine Anwendung schlägt der Person etwas vor',
    'draft.scheduled': 'Die Person plant einen Vorschlag ein',
    'draft.published': 'Die Person veröffentlicht einen Vorschlag',
    'draft.rejected': 'Die Person lehnt einen Vorschlag ab',
    'draft.failed': 'Ein geplanter Entwurf ließ sich nicht veröffentlichen',
  },
  errors: {
    'bad-url': 'Gib eine vollständige URL mit https oder http ein, ohne Benutzernamen, Passwort und Fragment.',
    'no-events': 'Wähle mindestens ein Ereignis.',
    'not-public': 'Zu diesem Namen und Port finden wir keine öffentliche Adresse.',
    tls: 'Die TLS-Verbindung scheitert. Prüfe das Zertifikat, seine Namen und seine Kette.',
    timeout: 'Die Adresse hat nicht innerhalb von fünf Sekunden geantwortet.',
    'no-connection': 'Die Verbindung wurde abgelehnt oder geschlossen.',
    'wrong-status': 'Die Adresse hat nicht mit Status 200 geantwortet.',
    'wrong-challenge': 'Die Adresse hat mit Status 200, aber nicht mit dem Text der Prüfung geantwortet.',
    'too-many-or-known': 'Die Anwendung hat diese URL schon, oder so viele Endpunkte, wie sie haben kann.',
    'too-often': 'Zu viele Prüfungen oder Testereignisse in der letzten Stunde. Versuche es später noch einmal.',
  },
  done: {
    'events-saved': 'Ereignisse gespeichert.',
    'turned-on': 'Der Endpunkt ist eingeschaltet.',
    'test-sent': 'Das Testereignis ist unterwegs. Lade die Seite neu, um die Antwort zu sehen.',
    replayed: 'Wird noch einmal gesendet.',
    'endpoint-deleted': 'Endpunkt gelöscht.',
  },
  enough: (number: number) => `Eine Anwendung kann ${String(number)} Endpunkte haben.`,
  created: (day: string) => `Hinzugefügt am ${day}`,
  waiting: (number: number) => (number === 1 ? '1 Nachricht wartet' : `${String(number)} Nachrichten warten`),
  previousUntil: (time: string) => `das vorige Geheimnis signiert noch bis ${time}`,
  failing: (time: string) =>
    `Seit ${time} kommt keine Nachricht an. Wir versuchen es bei jeder Nachricht drei Tage lang und schalten den Endpunkt nach fünf Tagen ab.`,
  off: (time: string) =>
    `Abgeschaltet am ${time}: Fünf Tage lang kam keine Nachricht an, die Antwort war Status 410, oder zu viele warteten. Was inzwischen geschieht, wird nicht gesendet.`,
  turnOn: 'Prüfen und einschalten',
  test: 'Test',
  testKind: 'Art des Ereignisses',
  sendTest: 'Testereignis senden',
  payload: 'Inhalt',
  log: 'Letzte Nachrichten',
  logEmpty: 'Keine Nachrichten in den letzten sieben Tagen.',
  states: {
    pending: 'wartet',
    delivered: 'zugestellt',
    failed: 'aufgegeben',
    dropped: 'nicht gesendet: kein Zugriff mehr oder nicht mehr sichtbar',
  },
  attempts: (number: number) => (number === 1 ? '1 Versuch' : `${String(number)} Versuche`),
  status: (status: number) => `Status ${String(status)}`,
  took: (milliseconds: number) => `nach ${String(milliseconds)}\u00a0ms`,
  noAnswer: 'keine Antwort',
  next: (time: string) => `nächster Versuch: ${time}`,
  replay: 'Noch einmal senden',
  sendNow: 'Jetzt senden',
  sendAllNow: 'Alle aufgegebenen und wartenden jetzt senden',
  changeEvents: 'Ereignisse ändern',
  saveEvents: 'Ereignisse speichern',
  changeSecret: 'Geheimnis wechseln',
  changeSecretText:
    '24 Stunden lang werden Nachrichten mit beiden Geheimnissen signiert, damit beim Wechsel keine verloren geht.',
  changeSecretSubmit: 'Neues Geheimnis erstellen',
  remove: 'Endpunkt löschen',
  removeText: 'Wartende Nachrichten werden nicht gesendet.',
  removeSubmit: 'Endpunkt löschen',
  secretTitle: 'Webhook-Geheimnis',
  secret: 'Geheimnis',
  secretOnce: 'Kopiere das Geheimnis jetzt und bewahre es sicher auf. Du kannst es später nicht mehr ansehen.',
  back: 'Zu den Webhooks',
};
