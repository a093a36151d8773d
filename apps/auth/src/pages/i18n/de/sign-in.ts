import type { RichText } from '../text-types.ts';

/** Texts of sign-in, sign-out and registration, in German. */
export const signIn = {
  continueTo: (application: RichText): RichText => ['um fortzufahren zu ', application],
  login: {
    title: 'Anmelden',
    purposes: {
      'session-ended': 'Deine Sitzung ist abgelaufen. Melde dich an, um weiterzumachen, wo du warst.',
      'create-application': 'um eine Anwendung zu erstellen',
    },
    login: 'E-Mail-Adresse oder Benutzername',
    password: 'Passwort',
    submit: 'Anmelden',
    failed: 'Name und Passwort passen zu keinem Konto. Bitte prüfe beides.',
    throttled: 'Zu viele Versuche. Bitte warte einige Minuten und versuche es dann noch einmal.',
    noAccount: 'Neu hier?',
    register: 'Konto erstellen',
  },
  upstream: {
    continueWith: (provider: RichText): RichText => ['Weiter mit ', provider],
    back: 'Zurück',
    registering: (provider: RichText, email: RichText): RichText => [
      'Du hast dich mit ',
      provider,
      ' angemeldet, als ',
      email,
      '. Wähle deinen Namen hier. Ein Passwort brauchst du nicht.',
    ],
    link: {
      title: 'Ist das dein Konto?',
      submit: 'Verknüpfen und anmelden',
      text: (username: RichText, email: RichText, provider: RichText): RichText => [
        'Das Konto ',
        username,
        ' hat die Adresse ',
        email,
        '. Weise nach, dass es dir gehört. Danach kannst du dich auch mit ',
        provider,
        ' anmelden.',
      ],
      unproven: (username: RichText, email: RichText, provider: RichText): RichText => [
        'Das Konto ',
        username,
        ' hat die Adresse ',
        email,
        ', aber niemand hat sie bestätigt. Setze per E-Mail ein neues Passwort und melde dich dann noch einmal mit ',
        provider,
        ' an.',
      ],
    },
    problems: {
      denied: {
        title: 'Du hast dich nicht angemeldet',
        text: 'Der andere Dienst meldet, dass die Anmeldung abgebrochen oder nicht erlaubt wurde. Versuche es noch einmal oder melde dich anders an.',
      },
      unavailable: {
        title: 'Der andere Dienst antwortet nicht',
        text: 'Er war nicht erreichbar oder brauchte zu lange. Versuche es in einigen Minuten noch einmal oder melde dich anders an.',
      },
      refused: {
        title: 'Die Anmeldung ist fehlgeschlagen',
        text: 'Der andere Dienst hat eine Antwort geschickt, die wir nicht annehmen können. Versuche es noch einmal. Geschieht es wieder, wende dich an die Administration dieses Dienstes.',
      },
      ended: {
        title: 'Beginne von vorn',
        text: 'Diese Anmeldung wurde nicht in diesem Browser begonnen oder war zu lange offen. Beginne noch einmal auf der Anmeldeseite.',
      },
      unproven: {
        title: 'Deine E-Mail-Adresse ist nicht bestätigt',
        text: 'Der andere Dienst hat uns keine bestätigte E-Mail-Adresse gegeben. Bestätige sie dort oder erstelle hier ein Konto mit Passwort.',
      },
      'no-account': {
        title: 'Du hast hier noch kein Konto',
        text: 'Auf diesem Weg entstehen keine neuen Konten. Wenn du ein Konto hast, melde dich mit deinem Passwort an und verknüpfe den anderen Dienst unter „Sicherheit“.',
      },
      taken: {
        title: 'Das ist schon verknüpft',
        text: 'Dein Konto beim anderen Dienst gehört zu einem anderen Konto hier, oder dein Konto hier zu einer anderen Person dort. Entferne zuerst diese Verknüpfung.',
      },
    },
  },
  register: {
    title: 'Konto erstellen',
    firstName: 'Vorname',
    lastName: 'Nachname',
    username: 'Benutzername',
    usernameHint:
      '5 bis 32 Buchstaben, Ziffern oder Unterstriche. Bleibt das Feld leer, bilden wir einen aus deinem Namen.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    passwordHint:
      'Mindestens 6 Zeichen. Am sichersten sind lange: Ein paar Wörter ohne Zusammenhang sind ein gutes Passwort.',
    submit: 'Konto erstellen',
    haveAccount: 'Du hast schon ein Konto?',
    login: 'Anmelden',
    request: 'Konto anfragen',
    reason: 'Warum möchtest du ein Konto?',
    reasonHint: 'Die Administration dieses Dienstes liest es und entscheidet. Bis zu 500 Zeichen.',
    invitation: 'Einladungscode',
    invitationHint: 'Du hast ihn mit deinem Einladungslink bekommen.',
    proof: {
      working:
        'Dein Browser führt eine kurze Berechnung durch, die automatische Registrierungen abhält. Du musst nichts tun.',
      done: 'Bereit.',
      waiting: 'Einen Moment: Das Formular wird gesendet, sobald die Berechnung fertig ist.',
      failed:
        'Dein Browser kann die Berechnung nicht durchführen, die automatische Registrierungen abhält. Du kannst dich trotzdem registrieren: Die Betreiber entscheiden dann.',
      needScript:
        'Ohne JavaScript kann dein Browser die Berechnung nicht durchführen, die automatische Registrierungen abhält. Du kannst dich trotzdem registrieren: Die Betreiber entscheiden dann. Oder schalte JavaScript ein und lade diese Seite neu.',
    },
    notices: {
      closed: { title: 'Die Registrierung ist geschlossen', text: 'Derzeit kann hier niemand ein Konto erstellen.' },
      pending: {
        title: 'Deine Registrierung ist eingegangen',
        text: 'Die Administration dieses Dienstes entscheidet darüber. Du bekommst dann eine E-Mail. Bis dahin kannst du dich nicht anmelden.',
      },
    },
    errors: {
      invitation: 'Diese Einladung ist unbekannt, aufgebraucht oder abgelaufen.',
      reason: 'Das darf höchstens 500 Zeichen haben und keine Steuerzeichen enthalten.',
      firstNameMissing: 'Gib deinen Vornamen ein.',
      firstNameTooLong: 'Der Vorname darf höchstens 25 Zeichen haben.',
      lastNameMissing: 'Gib deinen Nachnamen ein.',
      lastNameTooLong: 'Der Nachname darf höchstens 30 Zeichen haben.',
      usernameMalformed: 'Ein Benutzername hat 5 bis 32 Buchstaben (ohne Umlaute), Ziffern oder Unterstriche.',
      usernameTaken: 'Dieser Benutzername ist vergeben. Versuche einen anderen.',
      emailMalformed: 'Gib eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
      emailTaken: 'Mit dieser E-Mail-Adresse gibt es schon ein Konto.',
      throttled: 'Von hier wurden zu viele Konten erstellt. Bitte versuche es später noch einmal.',
      proof:
        'Diese Seite war zu lange offen oder wurde schon gesendet. Gib dein Passwort ein und sende sie noch einmal.',
      refused:
        'Wir können diese Registrierung wegen des E-Mail-Anbieters, deines Netzes oder eines Namens nicht annehmen. Ändere die E-Mail-Adresse oder den Namen, oder frag die Betreiber dieses Dienstes.',
    },
  },
  passwordErrors: {
    tooShort: 'Das Passwort braucht mindestens 6 Zeichen.',
    tooLong: 'Das Passwort darf höchstens 256 Zeichen haben.',
    common: 'Dieses Passwort würden andere als eines der ersten erraten. Wähle ein anderes.',
    sameAsName: 'Das Passwort darf nicht dein Name, dein Benutzername oder deine E-Mail-Adresse sein.',
  },
  restoration: {
    title: 'Konto behalten?',
    deleted: (username: RichText, time: string): RichText => ['Dein Konto ', username, ` wurde am ${time} gelöscht.`],
    erased: (time: string) => `Am ${time} wird es endgültig gelöscht. Bis dahin kannst du es zurückholen.`,
    keepText:
      'Wenn du es behältst, ist alles wieder da: deine Beiträge, Follower, Einstellungen und die Anwendungen, die du angelegt hast. Verbundene Apps haben wieder Zugriff. Anderswo bleibst du abgemeldet.',
    keep: 'Mein Konto behalten',
    leave: 'Gelöscht lassen',
  },
  suspension: {
    title: 'Dein Konto ist gesperrt',
    suspended: (username: RichText, time: string): RichText => [
      'Dein Konto ',
      username,
      ` wurde am ${time} von der Administration gesperrt. Niemand sonst sieht es, und du kannst es nicht benutzen.`,
    ],
    appeal: {
      title: 'Einspruch',
      label: 'Warum soll das Konto wieder freigegeben werden?',
      hint: 'Nur die Administration liest das. Du kannst es einmal senden.',
      submit: 'Einspruch senden',
      sent: (time: string) => `Du hast das am ${time} gesendet. Wenn die Sperre endet, bekommst du eine E-Mail.`,
      errors: {
        missing: 'Gib einen Text ein.',
        tooLong: (max: number) => `Der Text darf höchstens ${String(max)} Zeichen haben.`,
      },
    },
    exportText: 'Eine ZIP-Datei mit deinen Beiträgen und Bildern.',
    deleteText:
      'Nach 14 Tagen wird alles endgültig gelöscht. Solange das Konto gesperrt ist, kannst du es nicht zurückholen.',
  },
  selectAccount: {
    title: 'Konto wählen',
    keep: (username: RichText): RichText => ['Weiter als ', username],
    other: 'Anderes Konto verwenden',
  },
  logout: {
    title: 'Abmelden?',
    text: (username: RichText, service: string): RichText => [
      'Du bist bei ',
      service,
      ' als ',
      username,
      ' angemeldet.',
    ],
    asked: (application: RichText): RichText => [application, ' bittet darum, dich auch hier abzumelden.'],
    applicationsStay: 'Verbundene Apps bleiben verbunden.',
    submit: 'Abmelden',
    stay: 'Angemeldet bleiben',
    doneTitle: 'Du bist abgemeldet',
    doneText: 'Bis bald.',
    signInAgain: 'Wieder anmelden',
  },
};

/** Texts of the device page, in German. */
export const device = {
  title: 'Gerät verbinden',
  userCode: 'Code',
  userCodeHint: 'Acht Buchstaben, die das Gerät oder Programm anzeigt, zum Beispiel WDJB-MJHT.',
  submit: 'Weiter',
  unknown: 'Mit diesem Code wartet kein Gerät. Prüfe ihn oder lass dir einen neuen geben: Codes gelten zehn Minuten.',
  throttled: 'Zu viele falsche Codes. Bitte warte einige Minuten und versuch es dann noch einmal.',
  heading: (application: RichText): RichText => [application, ' möchte auf einem anderen Gerät dein Konto verwenden'],
  compare: (code: RichText): RichText => [
    'Mach nur weiter, wenn du selbst damit begonnen hast und das Gerät vor dir ',
    code,
    ' anzeigt. Hat dir jemand den Code oder einen Link geschickt, lehne ab.',
  ],
  allowed: 'Das Gerät ist verbunden. Du kannst zu ihm zurückkehren.',
  denied: 'Das Gerät wurde abgelehnt. Es erhält keinen Zugriff.',
};

/** Texts of the consent page, in German. */
export const consent = {
  title: (application: string) => `${application} zulassen?`,
  heading: (application: RichText): RichText => [application, ' möchte dein Konto verwenden'],
  signedInAs: (username: RichText): RichText => ['Du bist als ', username, ' angemeldet.'],
  notYou: 'Nicht du? Anderes Konto verwenden',
  madeBy: 'Erstellt von',
  returnsTo: 'Führt dich zurück zu',
  required: 'Die App kann dann',
  optional: 'Wenn du möchtest, auch',
  /** The request is for the endpoint of agents. Its permissions are in groups. */
  agent: {
    notice:
      'Das ist ein Agent: ein Programm, das selbstständig in deinem Namen liest und handelt. Erlaube nur, was es braucht, und nur so lange.',
    groups: {
      reading: 'Lesen',
      proposing: 'Vorschlagen',
      writing: 'Veröffentlichen und löschen',
      account: 'Dein Konto',
    },
  },
  reason: (reason: RichText): RichText => ['Sie sagt dazu: „', reason, '“'],
  before: 'Du hast diese App schon einmal zugelassen. Worum sie darüber hinaus bittet, ist als neu markiert.',
  status: { new: 'neu', allowed: 'schon erlaubt' },
  /** What was granted before. `shared`: the new expiry applies to it, too; `separate`: it does not. */
  earlier: {
    title: 'Das darf diese App schon',
    until: (minute: string) => `bis ${minute}`,
    endless: 'bis du den Zugriff beendest',
    shared: 'Was du unten auswählst, gilt auch für diese Berechtigungen.',
    separate: 'Was du unten auswählst, ändert an diesen Berechtigungen nichts.',
    keep: (minute: string) => `Wie bisher: ${minute}`,
  },
  outside: {
    describes: (description: RichText): RichText => ['Wer die API entwickelt hat, schreibt: „', description, '“'],
    notice: (api: RichText, owner: RichText, service: string): RichText => [
      api,
      ' gehört nicht zu ',
      service,
      ', sondern ',
      owner,
      '. ',
      service,
      ' hat diese API nicht geprüft. Sie erfährt deinen Benutzernamen.',
    ],
    unproven: (owner: RichText): RichText => [' Nicht bestätigt ist, dass ', owner, ' diese Adresse betreibt.'],
  },
  nothing: 'Sie bittet um keine Berechtigung, etwas zu lesen oder zu ändern.',
  implicit:
    'Diese App erhält ihren Zugriff in der Adresszeile deines Browsers, wo andere Programme ihn sehen können. Das ist weniger sicher als der übliche Weg; deshalb muss sie alle 10 Minuten neu darum bitten.',
  publisherUnconfirmed: 'E-Mail-Adresse nicht bestätigt',
  trust: (owner: RichText): RichText => ['Lass diese App nur zu, wenn du ', owner, ' vertraust.'],
  builtIn: (service: string) => `Teil von ${service}`,
  builtInTrust: (service: string) =>
    `Das ist das Werkzeug der API-Referenz von ${service}. Lass es nur zu, wenn du dort gerade „Authorize“ gewählt hast.`,
  selfRegistered: 'unbekannt: Die App hat sich selbst registriert',
  unverified: (service: string, host: RichText): RichText => [
    service,
    ' weiß nicht, wer diese App anbietet, denn sie hat sich selbst registriert. Lass sie nur zu, wenn du das hier gerade selbst begonnen hast und ',
    host,
    ' vertraust.',
  ],
  /** `host`: of the URL that is the `client_id`. */
  documented: (host: RichText): RichText => [host, ', nicht geprüft'],
  unverifiedHost: (service: string, host: RichText): RichText => [
    service,
    ' hat nicht geprüft, wer diese App anbietet. Sie kommt nach eigener Angabe von ',
    host,
    '. Lass sie nur zu, wenn du das hier gerade selbst begonnen hast und ',
    host,
    ' vertraust.',
  ],
  onDevice: (host: RichText): RichText => [
    'Sie läuft auf deinem Gerät, und dort können sich auch andere Programme als App von ',
    host,
    ' ausgeben.',
  ],
  deny: 'Ablehnen',
  allow: 'Zulassen',
  later: 'Du kannst sie jederzeit in deinem Konto unter „Verbundene Apps“ trennen.',
  /** The page that posts the response to the application (`response_mode=form_post`). */
  returning: {
    title: (application: string) => `Zurück zu ${application}`,
    heading: (application: RichText): RichText => ['Zurück zu ', application],
    text: (host: RichText): RichText => ['Wenn du nicht von selbst zu ', host, ' gelangst, wähle „Weiter“.'],
    staying: 'Wenn sich die App geöffnet hat, kannst du diese Seite schließen.',
    submit: 'Weiter',
  },
};
