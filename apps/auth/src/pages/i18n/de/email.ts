import type { RichText } from '../rich-text.ts';

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
    title: 'Bestätige deine E-Mail-Adresse',
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
