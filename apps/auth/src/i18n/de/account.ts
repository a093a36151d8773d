import type { RichText } from '../rich-text.ts';

/** Texts of the account area, in German. */
export const account = {
  title: 'Konto',
  navigation: 'Konto',
  overview: 'Übersicht',
  overviewPage: {
    username: 'Benutzername',
    name: 'Name',
    email: 'E-Mail-Adresse',
    since: 'Dabei seit',
    applicationsText: 'Sieh nach, welche Anwendungen dein Konto verwenden können, und trenne sie.',
    sessionsText: 'Sieh nach, wo du angemeldet bist, und melde dich anderswo ab.',
    passwordText: 'Wähle ein neues Passwort.',
  },
  applications: {
    title: 'Verbundene Anwendungen',
    intro: 'Diese Anwendungen können dein Konto verwenden. Trennst du eine, endet ihr Zugriff binnen einer Sekunde.',
    empty: 'Keine Anwendung kann dein Konto verwenden.',
    disconnected: 'Die Anwendung wurde getrennt.',
    madeBy: (owner: RichText): RichText => ['von ', owner],
    since: (day: string) => `Verbunden am ${day}`,
    actsAsOwner: 'Handelt mit eigenen Zugangsdaten als du, weil du das für diese deine Anwendung angekreuzt hast.',
    clientId: 'Client-ID',
    can: 'Was sie kann',
    disconnect: 'Trennen',
  },
  sessions: {
    title: 'Sitzungen',
    intro: 'Jeder Browser, in dem du angemeldet bist. Kennst du einen nicht, melde ihn ab und ändere dein Passwort.',
    current: 'Dieser Browser',
    ended: 'Die Sitzung wurde beendet.',
    unknownBrowser: 'Unbekannter Browser',
    browserOn: (browser: string, system: string) => `${browser} auf ${system}`,
    signedIn: (minute: string) => `Angemeldet ${minute}`,
    lastSeen: (minute: string) => `Zuletzt verwendet ${minute}`,
    end: 'Abmelden',
    everywhere: 'Überall abmelden',
    everywhereText: 'Beendet jede Sitzung, auch diese, und den Zugriff, den Anwendungen jetzt auf dein Konto haben.',
    everywhereSubmit: 'Überall abmelden',
  },
  password: {
    title: 'Passwort',
    intro:
      'Ein neues Passwort meldet dich in allen anderen Browsern ab, und Anwendungen müssen dich neu um Zugriff bitten.',
    current: 'Bisheriges Passwort',
    next: 'Neues Passwort',
    nextHint:
      'Mindestens 6 Zeichen. Am sichersten sind lange: Ein paar Wörter ohne Zusammenhang sind ein gutes Passwort.',
    submit: 'Passwort ändern',
    changed: 'Das Passwort wurde geändert.',
    currentMissing: 'Gib dein bisheriges Passwort ein.',
    currentWrong: 'Das ist nicht dein bisheriges Passwort.',
    throttled: 'Zu viele Versuche. Bitte warte einige Minuten und versuche es dann noch einmal.',
  },
};
