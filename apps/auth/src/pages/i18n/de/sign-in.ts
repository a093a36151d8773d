import type { RichText } from '../rich-text.ts';

/** Texts of sign-in, sign-out and registration, in German. */
export const signIn = {
  continueTo: (application: RichText): RichText => ['um fortzufahren zu ', application],
  login: {
    title: 'Anmelden',
    login: 'E-Mail-Adresse oder Benutzername',
    password: 'Passwort',
    submit: 'Anmelden',
    failed: 'Name und Passwort passen zu keinem Konto. Bitte prüfe beides.',
    throttled: 'Zu viele Versuche. Bitte warte einige Minuten und versuche es dann noch einmal.',
    noAccount: 'Neu hier?',
    register: 'Konto erstellen',
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
    invitationHint: 'Du hast ihn mit dem Link bekommen, von der Administration dieses Dienstes.',
    proof: {
      working:
        'Dein Browser führt eine kurze Berechnung durch, die automatische Registrierungen abhält. Du musst nichts tun.',
      done: 'Die Berechnung ist fertig.',
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
