import type { RichText } from '../rich-text.ts';

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
    codeHint: 'Sechs Ziffern. Hast du dein Telefon nicht bei dir, gib einen deiner Wiederherstellungscodes ein.',
    wrong: 'Dieser Code ist falsch, zu alt oder schon verwendet. Warte auf den nächsten und versuche es noch einmal.',
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
