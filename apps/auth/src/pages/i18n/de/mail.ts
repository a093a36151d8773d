/** Texts of mail, in German. */
export const mail = {
  footer: (service: string, origin: string, address: string) =>
    `${service} (${origin}) hat diese Nachricht an ${address} geschickt. Antworten darauf liest niemand.`,
  questions: (email: string) => `Wenn du eine Frage hast, schreib an ${email}.`,
  verifyEmail: {
    subject: (service: string) => `Bestätige deine E-Mail-Adresse für ${service}`,
    text: (username: string, service: string) =>
      `Willkommen bei ${service}. Bitte bestätige, dass diese Adresse dir gehört, ${username}.`,
    action: 'Adresse bestätigen',
    after: [
      'Der Link gilt 24 Stunden.',
      'Wenn du dieses Konto nicht erstellt hast, brauchst du nichts zu tun: Ohne die Bestätigung gilt die Adresse als niemandes.',
    ],
  },
  registrationApproved: {
    subject: (service: string) => `Dein Konto bei ${service} ist bereit`,
    text: (username: string, service: string) =>
      `Die Administration von ${service} hat deine Registrierung als ${username} angenommen. Bitte bestätige, dass diese E-Mail-Adresse dir gehört, und melde dich dann mit deinem Passwort an.`,
    after: [
      'Dieser Link gilt 24 Stunden.',
      'Wenn du kein Konto angefragt hast, ignoriere diese E-Mail. Die Adresse bleibt unbestätigt.',
    ],
  },
  registrationRefused: {
    subject: (service: string) => `Deine Registrierung bei ${service} wurde abgelehnt`,
    text: (username: string, service: string) =>
      `Die Administration von ${service} hat die Registrierung als ${username} mit dieser E-Mail-Adresse abgelehnt. Es gibt kein Konto, und wir haben die Angaben gelöscht.`,
    after: ['Wenn du kein Konto angefragt hast, kannst du diese E-Mail ignorieren.'],
  },
  resetPassword: {
    subject: (service: string) => `Ein neues Passwort für ${service}`,
    text: (username: string, service: string) =>
      `Jemand, hoffentlich du, hat um ein neues Passwort für das Konto ${username} bei ${service} gebeten.`,
    action: 'Neues Passwort wählen',
    after: [
      'Der Link gilt 30 Minuten und nur ein Mal.',
      'Wenn du es nicht warst, brauchst du nichts zu tun: Dein Passwort bleibt, wie es ist.',
    ],
  },
  changeEmail: {
    subject: (service: string) => `Bestätige deine neue E-Mail-Adresse für ${service}`,
    text: (username: string, service: string) =>
      `Das Konto ${username} bei ${service} soll diese Adresse verwenden. Bitte bestätige, dass sie dir gehört.`,
    action: 'Diese Adresse verwenden',
    after: [
      'Der Link gilt 24 Stunden. Bis dahin behält das Konto seine bisherige Adresse.',
      'Wenn du davon nichts weißt, brauchst du nichts zu tun: Vielleicht hat sich jemand bei der eigenen Adresse vertippt.',
    ],
  },
  addressInUse: {
    subject: (service: string) => `Du hast schon ein Konto bei ${service}`,
    text: (username: string, service: string) =>
      `Jemand wollte diese Adresse für ein anderes Konto bei ${service} verwenden. Sie gehört zu deinem Konto ${username}; deshalb wurde nichts geändert.`,
    after: ['Wenn du es warst: Melde dich bei jenem Konto an und gib ihm zuerst eine andere Adresse.'],
  },
  emailChangeAsked: {
    subject: (service: string) => `Deine E-Mail-Adresse bei ${service} soll geändert werden`,
    text: (username: string, service: string, email: string) =>
      `Jemand, der das Passwort kennt, möchte, dass das Konto ${username} bei ${service} die Adresse ${email} verwendet. Das geschieht, sobald jene Adresse bestätigt ist.`,
    after: ['Wenn du es nicht warst: Ändere jetzt dein Passwort. Damit ist auch der Wunsch zurückgenommen.'],
    action: 'Passwort ändern',
  },
  emailChanged: {
    subject: (service: string) => `Deine E-Mail-Adresse bei ${service} wurde geändert`,
    text: (username: string, service: string, time: string) =>
      `Das Konto ${username} bei ${service} hat seit ${time} eine andere E-Mail-Adresse. An diese hier gehen keine Nachrichten mehr.`,
    after: [
      'Wenn du es nicht warst: Melde dich mit deinem Benutzernamen an und ändere Passwort und Adresse. Gelingt das nicht, wende dich an die Administration des Dienstes.',
    ],
    action: 'Zu deinem Konto',
  },
  passwordChanged: {
    subject: (service: string) => `Dein Passwort bei ${service} wurde geändert`,
    text: (username: string, service: string, time: string) =>
      `Das Passwort des Kontos ${username} bei ${service} wurde am ${time} geändert. Alle anderen Browser wurden abgemeldet, und Apps müssen dich neu fragen.`,
    after: [
      'Wenn du es nicht warst: Wähle jetzt ein neues Passwort, über den Link „Passwort vergessen?“ bei der Anmeldung.',
    ],
    action: 'Neues Passwort wählen',
  },
  signInAttempts: {
    subject: (service: string) => `Jemand versucht, dein Passwort bei ${service} zu erraten`,
    text: (username: string, service: string, time: string) =>
      `Für dein Konto ${username} bei ${service} wurden bis ${time} mehr als 20 falsche Passwörter eingegeben. Damit hat sich niemand angemeldet. Weitere Versuche müssen jetzt warten, außer in Browsern, mit denen du schon angemeldet warst.`,
    after: [
      'Wenn du es warst: Setze dein Passwort bei der Anmeldung über „Passwort vergessen?“ zurück.',
      'Wenn du es nicht warst: Achte darauf, dass dein Passwort lang ist und du es nirgends sonst verwendest. Ein Passkey oder eine Authenticator-App schützt dein Konto, auch wenn jemand das Passwort errät.',
    ],
    action: 'Konto schützen',
  },
  accountDeleted: {
    subject: (service: string) => `Dein Konto bei ${service} wurde gelöscht`,
    text: (username: string, service: string, time: string) =>
      `Dein Konto ${username} bei ${service} wurde am ${time} gelöscht. Niemand kann es mehr sehen oder verwenden.`,
    undo: (time: string) =>
      `Bis ${time} kannst du das rückgängig machen: Melde dich an und wähle „Mein Konto behalten“. Dann ist alles wieder da: deine Beiträge, Follower und Einstellungen. Danach wird das Konto endgültig gelöscht.`,
    action: 'Anmelden und Konto behalten',
    after: [
      'Wenn das Konto gelöscht werden soll, brauchst du nichts zu tun.',
      'Wenn du es nicht gelöscht hast, kennt jemand dein Passwort. Wähle bei der Anmeldung über „Passwort vergessen?“ ein neues, melde dich an und behalte dein Konto.',
    ],
  },
  accountRestored: {
    subject: (service: string) => `Dein Konto bei ${service} ist wieder da`,
    text: (username: string, service: string, time: string) =>
      `Dein gelöschtes Konto ${username} bei ${service} wurde am ${time} wiederhergestellt. Es bleibt bestehen.`,
    after: ['Wenn du es nicht warst: Setze dein Passwort bei der Anmeldung über „Passwort vergessen?“ zurück.'],
    action: 'Zu deinem Konto',
  },
  accountSuspended: {
    subject: (service: string) => `Dein Konto bei ${service} wurde gesperrt`,
    text: (username: string, service: string, time: string) =>
      `Dein Konto ${username} bei ${service} wurde am ${time} von der Administration gesperrt. Niemand sonst sieht es, und du kannst es nicht benutzen.`,
    reason: (reason: string) => `Der Grund: ${reason}`,
    action: 'Anmelden',
    after: [
      'Nach der Anmeldung mit deinem Passwort kannst du Einspruch erheben, deine Daten herunterladen oder das Konto löschen.',
    ],
  },
  suspensionEnded: {
    subject: (service: string) => `Dein Konto bei ${service} ist nicht mehr gesperrt`,
    text: (username: string, service: string, time: string) =>
      `Dein Konto ${username} bei ${service} wurde am ${time} wieder freigegeben. Alles ist wieder da, und du kannst dich anmelden.`,
    action: 'Anmelden',
  },
  reportedSubjects: {
    account: (username: string) => `das Konto ${username}`,
    post: (username: string) => `einen Beitrag von ${username}`,
    comment: (username: string) => `einen Kommentar von ${username}`,
  },
  reportDecided: {
    subject: (service: string) => `Deine Meldung bei ${service}`,
    reported: (subject: string, service: string) =>
      `Du hast ${subject} bei ${service} gemeldet. Wir haben uns das angesehen.`,
    acted: (rule: string) => `Wir haben etwas unternommen, denn es verstößt gegen eine Regel: ${rule}.`,
    dismissed: (rule: string) =>
      `Wir haben nichts unternommen, denn wir fanden keinen Verstoß gegen die Regel: ${rule}.`,
    after: ['Danke für deine Meldung. Was genau wir tun, bleibt zwischen uns und der Person.'],
  },
  contentDeleted: {
    subject: (service: string) => `Etwas von dir bei ${service} wurde gelöscht`,
    subjectOfAll: (service: string) => `Deine Beiträge bei ${service} wurden gelöscht`,
    quoted: (text: string) => `„${text}“`,
    deleted: {
      post: (username: string, service: string) =>
        `Dieser Beitrag deines Kontos ${username} bei ${service} wurde von der Administration gelöscht:`,
      comment: (username: string, service: string) =>
        `Dieser Kommentar deines Kontos ${username} bei ${service} wurde von der Administration gelöscht:`,
    },
    allDeleted: (username: string, service: string) =>
      `Alle Beiträge und Kommentare deines Kontos ${username} bei ${service} wurden von der Administration gelöscht.`,
    withSuspension: 'Alle Beiträge und Kommentare des Kontos wurden gelöscht.',
    rule: (rule: string) => `Die Regel, gegen die es verstößt: ${rule}.`,
    appealTo: (email: string, number: string) =>
      `Wenn du das für falsch hältst, schreib an ${email} und nenne den Fall ${number}.`,
    appeal: (number: string) =>
      `Wenn du das für falsch hältst, wende dich an die Administration des Dienstes und nenne den Fall ${number}.`,
  },
  newSignIn: {
    subject: (service: string) => `Neue Anmeldung bei ${service}`,
    text: (username: string, service: string, time: string) =>
      `Jemand hat sich am ${time} beim Konto ${username} von ${service} angemeldet, mit einem Browser oder aus einem Netz, das wir noch nicht kannten:`,
    where: (browser: string, address: string) => `${browser}, Adresse ${address}`,
    unknownAddress: 'unbekannt',
    after: ['Wenn du es nicht warst: Beende jene Sitzung und ändere dein Passwort.'],
    action: 'Sitzungen ansehen',
  },
  newApplication: {
    subject: (service: string) => `Eine neue App kann dein Konto bei ${service} nutzen`,
    text: (application: string, owner: string, username: string) =>
      `Die App „${application}“ von ${owner} kann jetzt dein Konto ${username} nutzen.`,
    builtIn: (service: string, application: string, username: string) =>
      `„${application}“, das Werkzeug der API-Referenz von ${service}, kann jetzt dein Konto ${username} nutzen.`,
    selfRegistered: (application: string, username: string) =>
      `Die App „${application}“, die sich selbst registriert hat und nicht geprüft ist, kann jetzt dein Konto ${username} nutzen.`,
    documented: (application: string, host: string, username: string) =>
      `Die App „${application}“ von ${host}, die nicht geprüft ist, kann jetzt dein Konto ${username} nutzen.`,
    time: (service: string, time: string) => `Das wurde ihr bei ${service} am ${time} erlaubt.`,
    after: ['Wenn du es nicht warst: Trenne die App und ändere dein Passwort.'],
    action: 'Verbundene Apps ansehen',
  },
  importEnded: {
    finished: {
      subject: (service: string) => `Deine Beiträge sind jetzt bei ${service}`,
      text: (username: string, service: string) => `Der Import für dein Konto ${username} bei ${service} ist fertig.`,
    },
    failed: {
      subject: (service: string) => `Dein Import zu ${service} ist fehlgeschlagen`,
      text: (username: string, service: string) =>
        `Der Import für dein Konto ${username} bei ${service} ist fehlgeschlagen.`,
    },
    kept: 'Was gespeichert ist, bleibt.',
    action: 'Import ansehen',
  },
  proposals: {
    subject: (service: string) => `Vorschläge für dich bei ${service}`,
    text: (username: string, service: string) =>
      `Das wurde für dein Konto ${username} bei ${service} vorgeschlagen. Es geschieht nichts, bevor du entscheidest.`,
    from: (application: string, calls: string) => `„${application}“: ${calls}`,
    calls: {
      '/post/create': (count: number) => (count === 1 ? '1 Beitrag' : `${String(count)} Beiträge`),
      '/comment/create': (count: number) => (count === 1 ? '1 Kommentar' : `${String(count)} Kommentare`),
      '/likes/add': (count: number) =>
        count === 1 ? '1 Beitrag mit „Gefällt mir“ markieren' : `${String(count)} Beiträge mit „Gefällt mir“ markieren`,
      '/reposts/add': (count: number) => (count === 1 ? '1 Beitrag teilen' : `${String(count)} Beiträge teilen`),
      '/follows/add': (count: number) => (count === 1 ? '1 Person folgen' : `${String(count)} Personen folgen`),
    },
    action: 'Vorschläge ansehen',
    after: (settings: string) => `Diese E-Mail kommt höchstens einmal in der Stunde. Ausschalten: ${settings}`,
  },
  webhookOff: {
    subject: (service: string) => `Ein Webhook deiner Anwendung bei ${service} wurde abgeschaltet`,
    reasons: {
      failed: (application: string, account: string, time: string) =>
        `Die Anwendung „${application}“ in deinem Konto ${account} war fünf Tage lang nicht erreichbar. Wir haben diesen Webhook am ${time} abgeschaltet.`,
      full: (application: string, account: string, time: string) =>
        `Für die Anwendung „${application}“ in deinem Konto ${account} warteten zu viele Nachrichten. Wir haben diesen Webhook am ${time} abgeschaltet.`,
      gone: (application: string, account: string, time: string) =>
        `Die Anwendung „${application}“ in deinem Konto ${account} hat mit Status 410 geantwortet. Wir haben diesen Webhook am ${time} abgeschaltet.`,
    },
    after:
      'Korrigiere die Adresse oder deinen Server und schalte den Webhook wieder ein. Was inzwischen geschieht, wird nicht gesendet.',
    action: 'Webhook prüfen',
  },
  applicationNotice: {
    created: {
      subject: (service: string) => `In deinem Konto bei ${service} wurde eine Anwendung angelegt`,
      text: (application: string, account: string, time: string) =>
        `Die Anwendung „${application}“ wurde am ${time} in deinem Konto ${account} angelegt.`,
    },
    changed: {
      subject: (service: string) => `Eine Anwendung in deinem Konto bei ${service} darf mehr`,
      text: (application: string, account: string, time: string) =>
        `Die Anwendung „${application}“ in deinem Konto ${account} darf seit ${time} mehr.`,
    },
    gained: {
      'act-as-owner': () => 'Sie kann mit ihren eigenen Zugangsdaten als dein Konto handeln.',
      implicit: () => 'Sie kann Access-Tokens im Browser erhalten (response_type=token).',
      scopes: (scopes: string) => `Ihre Berechtigungen: ${scopes}.`,
      settings: (settings: string) => `Mehr vom Protokoll ist erlaubt: ${settings}.`,
    },
    after: 'Wenn du das nicht warst, lösche die Anwendung und ändere dein Passwort.',
    action: 'Anwendungen ansehen',
  },
  factorChanged: {
    passkey_added: {
      subject: (service: string) => `Ein Passkey wurde deinem Konto bei ${service} hinzugefügt`,
      text: (account: string, time: string, names: string) =>
        `Seit ${time} kann man sich beim Konto ${account} mit dem Passkey ${names} anmelden, ohne Passwort.`,
    },
    passkey_removed: {
      subject: (service: string) => `Ein Passkey wurde aus deinem Konto bei ${service} entfernt`,
      text: (account: string, time: string, names: string) =>
        `Am ${time} aus dem Konto ${account} entfernt: Passkey ${names}. Damit meldet sich niemand mehr an.`,
    },
    identity_added: {
      subject: (service: string) => `Ein anderer Dienst wurde mit deinem Konto bei ${service} verknüpft`,
      text: (account: string, time: string, names: string) =>
        `Seit ${time} kann man sich beim Konto ${account} mit ${names} anmelden, ohne Passwort.`,
    },
    identity_removed: {
      subject: (service: string) => `Ein Dienst ist nicht mehr mit deinem Konto bei ${service} verknüpft`,
      text: (account: string, time: string, names: string) =>
        `Am ${time} vom Konto ${account} getrennt: ${names}. Damit meldet sich niemand mehr an.`,
    },
    totp_added: {
      subject: (service: string) => `Eine Authenticator-App wurde deinem Konto bei ${service} hinzugefügt`,
      text: (account: string, time: string) =>
        `Seit ${time} fragt die Anmeldung beim Konto ${account} nach dem Passwort auch nach einem Code der App. Mit ihr wurden Wiederherstellungscodes erstellt.`,
    },
    totp_removed: {
      subject: (service: string) => `Die Authenticator-App wurde aus deinem Konto bei ${service} entfernt`,
      text: (account: string, time: string) =>
        `Seit ${time} genügt beim Konto ${account} wieder das Passwort allein. Mit der App sind auch die Wiederherstellungscodes weg.`,
    },
    recovery_codes_made: {
      subject: (service: string) => `Neue Wiederherstellungscodes für dein Konto bei ${service}`,
      text: (account: string, time: string) =>
        `Die Wiederherstellungscodes des Kontos ${account} wurden am ${time} neu erstellt. Die bisherigen gelten nicht mehr.`,
    },
    /** How the texts refer to the account. */
    account: (username: string, service: string) => `${username} bei ${service}`,
    quote: (name: string) => `„${name}“`,
    after:
      'Wenn du es nicht warst: Entferne, was du nicht kennst, erstelle neue Wiederherstellungscodes und ändere dein Passwort.',
    action: 'Sicherheit deines Kontos ansehen',
  },
};
