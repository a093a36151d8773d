import type { RichText } from '../text-types.ts';

/** Texts of the pages about e-mail addresses and of the pages behind mail links, in German. */
export const email = {
  page: {
    title: 'E-Mail-Adresse',
    present: 'Adresse',
    verified: 'Bestätigt',
    unverified: 'Noch nicht bestätigt',
    unverifiedText:
      'Öffne den Link in der Nachricht, die wir an diese Adresse geschickt haben. Es kann einige Minuten dauern, bis sie ankommt.',
    refused: (address: RichText): RichText => [
      'Die Nachricht an ',
      address,
      ' konnte nicht zugestellt werden. Prüfe, ob die Adresse stimmt und das Postfach Nachrichten annimmt.',
    ],
    resend: 'Nachricht noch einmal schicken',
    resent: 'Die Nachricht ist unterwegs.',
    changeTitle: 'Eine andere Adresse verwenden',
    changeText: 'Wir schicken einen Link an die neue Adresse. Sobald du ihn geöffnet hast, gilt sie.',
    next: 'Neue E-Mail-Adresse',
    password: 'Aktuelles Passwort',
    submit: 'Link schicken',
    sent: 'Ein Link ist unterwegs an die neue Adresse. Bis du ihn öffnest, bleibt die bisherige.',
    same: 'Das ist schon deine Adresse.',
    providerRefused: 'Dieser E-Mail-Anbieter wird hier nicht angenommen. Nimm eine Adresse eines anderen.',
    pendingTitle: 'Eine Adresse wartet auf die Bestätigung',
    pendingText:
      'Öffne den Link in der Nachricht, die wir dorthin geschickt haben. Bis dahin bleibt die bisherige Adresse.',
    pendingUntil: 'Der Link gilt bis',
    resendChange: 'Link noch einmal schicken',
    cancelChange: 'Änderung zurücknehmen',
    changeCancelled: 'Die Änderung ist zurückgenommen. Die Links, die wir dafür geschickt haben, gelten nicht mehr.',
    changeGone:
      'Es wartet nichts mehr auf eine Bestätigung: Die Adresse wurde bestätigt oder zurückgenommen, oder die Zeit ist um.',
    throttled: 'Das war zu oft. Bitte warte eine Stunde und versuche es dann noch einmal.',
  },
  verify: {
    title: 'Bestätige deine Adresse',
    text: (address: RichText): RichText => ['Ist ', address, ' deine Adresse?'],
    submit: 'Bestätigen',
    doneTitle: 'Deine Adresse ist bestätigt',
    doneText: 'Danke. Du kannst diese Seite schließen oder weitermachen.',
    continue: 'Zu deinem Konto',
    firstProof:
      'Damit endet alles, was in diesem Konto bisher eingerichtet wurde: Sitzungen, Passkeys, Authenticator-App, verbundene Apps und offene Änderungen. Deine eigenen Anwendungen werden angehalten, ihre Secrets und Schlüssel gelöscht.',
    firstProofDone:
      'Alles, was in diesem Konto bisher eingerichtet war, wurde beendet: Sitzungen, Passkeys, Authenticator-App, verbundene Apps und offene Änderungen. Deine Anwendungen sind angehalten und haben keine Secrets und Schlüssel mehr. Setze nur die fort, die du selbst erstellt hast, und melde dich neu an.',
    notYourPassword: 'Hat jemand anderes das Passwort dieses Kontos gewählt?',
    goneTitle: 'Dieser Link gilt nicht mehr',
    goneText:
      'Er wurde schon benutzt, ist zu alt, oder es wurde ein neuerer geschickt. In deinem Konto kannst du einen anderen anfordern.',
    withdrawnText:
      'Die Änderung der Adresse wurde zurückgenommen, oder danach wurde eine andere Adresse gewünscht. Es wurde nichts geändert.',
  },
  required: {
    title: 'Bestätige zuerst deine E-Mail-Adresse',
    text: (application: RichText): RichText => [
      'Bevor du ',
      application,
      ' dein Konto nutzen lässt, müssen wir wissen, dass deine Adresse dir gehört.',
    ],
    next: 'Öffne den Link in der Nachricht, die wir dir geschickt haben, und mach dann hier weiter.',
    continue: 'Weiter',
  },
  forgot: {
    link: 'Passwort vergessen?',
    title: 'Passwort vergessen?',
    text: 'Gib die E-Mail-Adresse deines Kontos ein. Wir schicken dir einen Link, über den du ein neues Passwort wählst.',
    email: 'E-Mail-Adresse',
    submit: 'Link schicken',
    malformed: 'Gib eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
    sentTitle: 'Sieh in dein Postfach',
    sentText:
      'Wenn es ein Konto mit dieser Adresse gibt, ist ein Link unterwegs. Er gilt 30 Minuten. Es kommt nichts? Sieh im Spam-Ordner nach oder prüfe die Adresse.',
    back: 'Zurück zur Anmeldung',
    throttled: 'Zu viele Versuche. Bitte warte eine Stunde und versuche es dann noch einmal.',
  },
  reset: {
    title: 'Neues Passwort wählen',
    text: (username: RichText): RichText => [
      'Für das Konto ',
      username,
      '. Du wirst überall abgemeldet, und Apps müssen dich neu um Zugriff bitten.',
    ],
    next: 'Neues Passwort',
    submit: 'Passwort setzen',
    goneTitle: 'Dieser Link gilt nicht mehr',
    goneText: 'Er wurde schon benutzt oder ist älter als 30 Minuten.',
    again: 'Einen neuen anfordern',
    firstProofDone:
      'Das Passwort wurde geändert, und deine Adresse ist bestätigt. Alles, was in diesem Konto bisher eingerichtet war, wurde beendet: Sitzungen, Passkeys, Authenticator-App, verbundene Apps und offene Änderungen. Deine Anwendungen sind angehalten und haben keine Secrets und Schlüssel mehr; setze nur die fort, die du selbst erstellt hast. Melde dich mit dem neuen Passwort an.',
    done: 'Das Passwort wurde geändert. Melde dich mit dem neuen an.',
  },
};

function codesLeft(count: number): string {
  if (count === 0) return 'Es ist kein Wiederherstellungscode mehr übrig. Erstelle neue.';
  return count === 1
    ? 'Ein Wiederherstellungscode ist noch übrig.'
    : `${String(count)} Wiederherstellungscodes sind noch übrig.`;
}

/** Texts of passkeys, authenticator apps and recovery codes, in German. */
export const factors = {
  passkeys: {
    signIn: 'Mit Passkey anmelden',
    use: 'Stattdessen einen Passkey verwenden',
    refused: 'Dieser Passkey wurde nicht angenommen. Bitte versuche es noch einmal.',
    failed: 'Der Browser hat keinen Passkey gegeben. Bitte versuche es noch einmal.',
    impossible: 'Dieser Browser kennt keine Passkeys.',
    needScript: 'Passkeys brauchen JavaScript, das in diesem Browser aus ist. Alles andere geht auch ohne.',
  },
  secondFactor: {
    title: 'Zwei-Faktor-Authentifizierung',
    code: 'Code aus deiner Authenticator-App',
    wrong: 'Dieser Code ist falsch, zu alt oder schon verwendet. Warte auf den nächsten und versuche es noch einmal.',
    useRecovery: 'Stattdessen einen Wiederherstellungscode verwenden',
    recovery: 'Wiederherstellungscode',
    recoveryWrong: 'Dieser Wiederherstellungscode ist falsch oder schon verwendet.',
    submit: 'Weiter',
    back: 'Zurück zur Anmeldung',
    recoveryUsed: 'Du hast einen Wiederherstellungscode verwendet',
    recoveryLeft: codesLeft,
    recoveryAdvice:
      'Jeder Code gilt einmal. Hast du dein Telefon verloren, entferne unter „Sicherheit“ seine Authenticator-App.',
    continue: 'Weiter',
    toSecurity: 'Sicherheit deines Kontos',
  },
  reauthenticate: {
    title: 'Bestätige, dass du es bist',
    intro: (username: RichText): RichText => [
      'Du hast dich vor einer Weile als ',
      username,
      ' angemeldet. Was jetzt kommt, betrifft die Sicherheit deines Kontos. Was du eingegeben hast, bleibt erhalten.',
    ],
    passwordWrong: 'Das ist nicht dein Passwort.',
    submit: 'Bestätigen',
    withPasskey: 'Mit einem Passkey bestätigen',
  },
  security: {
    title: 'Sicherheit',
    overviewText: 'Passkeys, Authenticator-App und Wiederherstellungscodes.',
    intro: 'Ein Passwort kann erraten oder gestohlen werden. Schütze dein Konto mit etwas, das nur du hast.',
    unconfirmed: 'Bestätige deine E-Mail-Adresse, bevor du einen Passkey oder eine Authenticator-App hinzufügst.',
    passkeyAdded: 'Der Passkey wurde hinzugefügt. Du kannst dich jetzt mit ihm anmelden.',
    passkeyRemoved: 'Der Passkey wurde entfernt. Du kannst ihn auch auf deinem Gerät löschen.',
    appRemoved:
      'Die Authenticator-App wurde entfernt, mit ihr die Wiederherstellungscodes. Dein Passwort allein genügt wieder.',
    providers: 'Andere Dienste',
    providersText: 'Melde dich mit deinem Konto bei einem anderen Dienst an, ohne Passwort.',
    linkProvider: (provider: RichText): RichText => [provider, ' verknüpfen'],
    providerLinked: 'Verknüpft. Du kannst dich jetzt damit anmelden.',
    providerRemoved: 'Verknüpfung entfernt. Andere Browser, die sich damit angemeldet hatten, sind abgemeldet.',
    providerNeeded: 'Du kannst dich nur so anmelden. Setze zuerst ein Passwort oder füge einen Passkey hinzu.',
    appThere: 'Dein Konto hat schon eine Authenticator-App.',
    appAdded:
      'Die Authenticator-App wurde hinzugefügt. Von jetzt an fragen wir nach dem Passwort auch nach ihrem Code.',
    passkeys: 'Passkeys',
    passkeysText: 'Melde dich mit Fingerabdruck, Gesicht oder der PIN deines Geräts an, ohne Passwort.',
    passkeysImpossible: 'Passkeys brauchen eine https-Adresse mit einem Namen; dieser Dienst hat keine solche.',
    addPasskey: 'Passkey hinzufügen',
    added: (day: string) => `Hinzugefügt am ${day}`,
    lastUsed: (minute: string) => `Zuletzt verwendet ${minute}`,
    neverUsed: 'Nie verwendet',
    remove: 'Entfernen',
    app: 'Authenticator-App',
    appText:
      'Eine App auf deinem Telefon zeigt alle 30 Sekunden einen neuen Code, nach dem wir nach dem Passwort fragen.',
    addApp: 'Authenticator-App hinzufügen',
    appOn: 'An',
    appSince: (day: string) => `Seit dem ${day} fragen wir nach dem Passwort auch nach ihrem Code.`,
    removeApp: 'Authenticator-App entfernen',
    recoveryCodes: 'Wiederherstellungscodes',
    recoveryCodesText: 'Mit ihnen kommst du hinein, wenn du dein Telefon nicht hast, mit jedem einmal.',
    codesLeft,
    renewCodes: 'Neue Wiederherstellungscodes erstellen',
    newCodesTitle: 'Wiederherstellungscodes',
    codesRenewed: 'Das sind deine neuen Wiederherstellungscodes. Die bisherigen gelten nicht mehr.',
    codesOnce:
      'Drucke sie aus oder bewahre sie an einem sicheren Ort auf: Sie werden nur jetzt gezeigt. Jeder von ihnen gilt einmal.',
    codesKept: 'Ich habe sie aufbewahrt',
  },
  newPasskey: {
    title: 'Passkey hinzufügen',
    intro:
      'Dein Browser fragt, wo er aufbewahrt werden soll: auf diesem Gerät, auf deinem Telefon oder auf einem Sicherheitsschlüssel.',
    name: 'Name',
    nameHint: 'Damit du ihn wiedererkennst, zum Beispiel das Gerät, auf dem er ist.',
    nameProposal: 'Mein Passkey',
    nameWrong: 'Gib einen Namen mit höchstens 60 Zeichen ein.',
    submit: 'Passkey erstellen',
    refused:
      'Der Passkey wurde nicht hinzugefügt: Er gehört zu einer anderen Seite, ist schon da, oder dein Konto hat schon 20.',
  },
  authenticator: {
    title: 'Authenticator-App hinzufügen',
    scan: 'Scanne diesen Code mit einer Authenticator-App, etwa Aegis, 2FAS oder der in deinem Passwortmanager.',
    qrCode: 'QR-Code für deine Authenticator-App',
    orType: 'Oder gib diesen Schlüssel in die App ein:',
    code: 'Code, den die App jetzt zeigt',
    codeHint: 'Sechs Ziffern.',
    submit: 'Einschalten',
    wrong:
      'Das ist nicht der Code zu diesem Schlüssel. Geht die Uhr deines Telefons richtig? Versuche es mit dem nächsten.',
  },
};

/** Texts of the security activity, in German. */
export const activity = {
  title: 'Sicherheitsaktivität',
  overviewText: 'Sieh Anmeldungen und Änderungen deines Kontos.',
  intro:
    'Anmeldungen und Änderungen deines Kontos, die neuesten zuerst. Wenn du etwas nicht kennst, wähle „Das war ich nicht“.',
  none: 'Noch ist nichts geschehen.',
  wasNotMe: 'Das war ich nicht',
  events: {
    'account.registered': 'Konto erstellt',
    'account.renamed': 'Benutzername geändert',
    'account.password_changed': 'Passwort geändert',
    'account.password_change_refused': 'Falsches Passwort beim Ändern des Passworts',
    'account.email_changed': 'E-Mail-Adresse geändert',
    'account.email_confirmed': 'E-Mail-Adresse bestätigt',
    'account.signed_out_everywhere': 'Überall abgemeldet',
    'account.exported': 'Daten exportiert',
    'account.imported': 'Beiträge importiert',
    'account.import_undone': 'Import rückgängig gemacht',
    'account.deleted': 'Konto gelöscht',
    'account.restored': 'Konto wiederhergestellt',
    'account.suspended': 'Konto gesperrt',
    'account.unsuspended': 'Konto entsperrt',
    'session.begun': 'Angemeldet',
    'session.new_place': 'Erste Anmeldung mit diesem Browser oder aus diesem Netz; du hast eine E-Mail bekommen',
    'session.confirmation_refused': 'Falsches Passwort beim Bestätigen deiner Identität',
    'factor.added': 'Authenticator-App hinzugefügt',
    'factor.removed': 'Authenticator-App entfernt',
    'factor.recovery_codes_made': 'Wiederherstellungscodes erzeugt',
    'consent.given': 'App verbunden',
    'consent.widened': 'App hat mehr Zugriff bekommen',
    'consent.narrowed': 'Zugriff einer App verringert',
    'consent.ended': 'Zugriff einer App beendet',
    'authorization.ended': 'Anmeldung bei einer App beendet, von ihr oder nach einem wiederholten Code oder Token',
    'invitation.created': 'Einladungslink erstellt',
    'test_person.created': 'Testperson angelegt',
    'test_person.deleted': 'Testperson gelöscht',
    'application.created': 'Eigene Anwendung angelegt',
    'application.deleted': 'Eigene Anwendung gelöscht',
    'secret.added': 'Geheimnis einer eigenen Anwendung hinzugefügt',
    'code.replayed': 'Anmeldecode einer App zweimal verwendet; diese Anmeldung wurde beendet',
    'token.reused': 'Refresh-Token einer App zweimal verwendet; diese Anmeldung wurde beendet',
  },
  identities: { added: 'Anderer Dienst verknüpft', removed: 'Verknüpfung mit anderem Dienst entfernt' },
  passkeys: { added: 'Passkey hinzugefügt', removed: 'Passkey entfernt' },
  actors: { operator: 'durch die Administration', application: 'durch eine App' },
  notMe: {
    title: 'Das war ich nicht',
    intro: 'Vielleicht hat jemand Zugriff auf dein Konto. Mit einem Knopf holst du es zurück.',
    consequences: [
      'Alle anderen Browser werden abgemeldet; dieser bleibt angemeldet.',
      'Alle verbundenen Apps verlieren ihren Zugriff und müssen dich neu fragen.',
      'Eine Änderung deiner E-Mail-Adresse, die noch nicht bestätigt ist, wird zurückgenommen.',
      'Danach wählst du ein neues Passwort.',
    ],
    submit: 'Allen anderen Zugriff beenden',
    back: 'Zurück',
    passwordUnknown: 'Dein Passwort stimmt nicht mehr?',
    done: 'Aller andere Zugriff ist beendet. Wähle jetzt ein neues Passwort, das du nirgends sonst verwendest.',
  },
};

/** Texts of the page of notifications, in German. */
export const notifications = {
  title: 'Mitteilungen',
  intro: 'Wähle, was du erfahren willst. Das gilt in jeder App.',
  legend: 'Teile mir mit, wenn jemand oder eine App',
  kinds: {
    mention: 'mich erwähnt',
    reply: 'meine Beiträge oder Kommentare kommentiert',
    quote: 'meine Beiträge zitiert',
    like: 'meine Beiträge mit „Gefällt mir“ markiert',
    repost: 'meine Beiträge teilt',
    follow: 'mir folgt',
    follow_request: 'mir folgen möchte',
    approved: 'meine Folgeanfrage annimmt',
    proposal: 'mir etwas vorschlägt',
    draft_failed: 'nicht veröffentlichen kann, was ich geplant habe',
  },
  back: 'Was du ausschaltest, wird nur ausgeblendet: Es ist wieder da, sobald du es einschaltest.',
  mailLegend: 'Schreib mir eine E-Mail, wenn eine App',
  mailText: 'Höchstens eine in der Stunde, an eine bestätigte Adresse.',
  save: 'Speichern',
  saved: 'Deine Auswahl wurde gespeichert.',
};
