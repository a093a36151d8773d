import { countingIn } from '../counted.ts';
import type { Messages } from '../en/en.ts';
import type { RichText } from '../text-types.ts';

const counted = countingIn('de');

export const people: Messages['admin']['people'] = {
  title: 'Personen',
  field: 'Person finden',
  hint: 'Eine ID, der Anfang von Benutzername oder E-Mail-Adresse, oder ein Teil des Namens.',
  states: { active: 'Aktiv', limited: 'Eingeschränkt', suspended: 'Gesperrt', deleted: 'Gelöscht' },
  operator: 'Administrator',
  unconfirmed: 'Adresse nicht bestätigt',
  registered: (day) => `registriert am ${day}`,
  anyState: 'Jeder',
  fields: { domain: 'E-Mail-Domain', network: 'Netz', since: 'Registriert seit', state: 'Zustand' },
  hints: {
    domain: 'Mit Subdomains, zum Beispiel bad.example.',
    network: 'Aus dem Audit-Protokoll, zum Beispiel 192.0.2.0/24.',
  },
  errors: {
    domain: 'Gib eine Domain ein wie bad.example.',
    network: 'Gib ein Netz ein wie 192.0.2.0/24 oder 2001:db8::/32 (mindestens /8 oder /16).',
  },
  bulk: {
    intro: 'Wähle Personen und eine Aktion. Die nächste Seite zeigt, wen sie betrifft, und fragt nach dem Grund.',
    all: 'Alle auf dieser Seite auswählen',
    none: 'Wähle mindestens eine Person aus.',
    chosen: (count) => (count === 1 ? '1 Konto ausgewählt' : `${String(count)} Konten ausgewählt`),
    leftOut: (count) => (count === 1 ? '1 Konto ausgelassen' : `${String(count)} Konten ausgelassen`),
    leftOutText: 'Administratoren, und Konten, deren Zustand das nicht zulässt.',
    changedSince:
      'Die Konten unten wurden inzwischen geändert, deshalb ist mit ihnen nichts passiert. Alle anderen sind erledigt.',
    back: 'Zurück zu allen Personen',
    done: {
      limit: 'Die Konten sind eingeschränkt.',
      unlimit: 'Die Konten sind nicht mehr eingeschränkt.',
      suspend: 'Die Konten sind gesperrt.',
      restore: 'Die Konten sind wieder aktiv.',
      delete: 'Die Konten sind gelöscht.',
    },
  },
};

export const person: Messages['admin']['person'] = {
  facts: {
    id: 'ID',
    email: 'E-Mail-Adresse',
    state: 'Zustand',
    registered: 'Registriert',
    invitedBy: 'Eingeladen von',
    invited: 'Eingeladene Personen',
    factors: 'Zwei-Faktor-Authentifizierung',
    posts: 'Beiträge und Follower',
    applications: 'Anwendungen',
    limitReason: 'Grund der Einschränkung',
    suspensionReason: 'Grund, den die Person sieht',
    appeal: 'Einspruch',
  },
  confirmed: 'bestätigt',
  unconfirmed: 'nicht bestätigt',
  by: (username) => `durch ${username}`,
  limitedSince: (day) => `eingeschränkt seit ${day}`,
  suspendedSince: (day) => `gesperrt seit ${day}`,
  deletedSince: (day) => `gelöscht am ${day}; lässt sich 14 Tage lang wiederherstellen`,
  protected: 'geschützt',
  noFactors: 'keine',
  passkeys: (count) => (count === 1 ? '1 Passkey' : `${String(count)} Passkeys`),
  authenticator: 'Authenticator-App',
  postsAndFollowers: (posts, followers) =>
    [
      counted(posts, { one: (count) => `${count} Beitrag`, other: (count) => `${count} Beiträge` }),
      counted(followers, { one: (count) => `${count} Follower`, other: (count) => `${count} Follower` }),
    ].join(', '),
  sessions: 'Sitzungen',
  noSessions: 'Nirgends angemeldet.',
  grants: 'Verbundene Apps',
  noGrants: 'Keine verbundenen Apps.',
  acts: 'Aktionen',
  isOperator: (command): RichText => [
    'Das ist ein Administratorkonto. Nur der Befehl kann es ändern, nach ',
    command,
    '.',
  ],
  accessTexts: {
    'end-session': {
      label: 'Diese Sitzung beenden',
      text: 'Meldet die Person in diesem Browser ab. Verbundene Apps behalten ihren Zugriff.',
      submit: 'Sitzung beenden',
      done: 'Die Sitzung ist beendet.',
    },
    'end-grant': {
      label: 'Diese App trennen',
      text: 'Widerruft den Zugriff dieser App auf das Konto, mit ihren Tokens. Die Person kann sie wieder verbinden.',
      submit: 'App trennen',
      done: 'Die App ist getrennt.',
    },
  },
  actTexts: {
    suspend: {
      label: 'Sperren',
      text: 'Verhindert das Anmelden und beendet alle Sitzungen und Tokens innerhalb einer Sekunde. Niemand sonst sieht das Konto und seine Beiträge, bis es wiederhergestellt wird.',
      submit: 'Konto sperren',
      done: 'Das Konto ist gesperrt.',
    },
    limit: {
      label: 'Einschränken',
      text: 'Nur Follower begegnen den Beiträgen; andere sehen sie unter ihrer Adresse. Suche, öffentliche Timeline, Trends, Hashtags und Vorschläge lassen sie aus, und nur Follower erhalten Benachrichtigungen. Die Person erfährt nichts davon.',
      submit: 'Konto einschränken',
      done: 'Das Konto ist eingeschränkt.',
    },
    unlimit: {
      label: 'Einschränkung aufheben',
      text: 'Zeigt die Beiträge wieder überall.',
      submit: 'Einschränkung aufheben',
      done: 'Das Konto ist nicht mehr eingeschränkt.',
    },
    restore: {
      label: 'Wiederherstellen',
      text: 'Hebt eine Sperre auf oder macht eine Löschung rückgängig. Sitzungen und Tokens bleiben beendet.',
      submit: 'Konto wiederherstellen',
      done: 'Das Konto ist wieder aktiv.',
    },
    delete: {
      label: 'Löschen',
      text: 'Verbirgt das Konto und beendet alle Sitzungen und Tokens, als hätte die Person es selbst gelöscht. Es lässt sich 14 Tage lang wiederherstellen; danach werden die Daten entfernt.',
      submit: 'Konto löschen',
      done: 'Das Konto ist gelöscht.',
    },
    verify: {
      label: 'Verifizieren',
      text: 'Zeigt das Verifiziert-Zeichen, bis sich Name oder Benutzername ändert. Prüfe vorher, wer die Person ist.',
      submit: 'Als verifiziert kennzeichnen',
      done: 'Das Konto ist verifiziert.',
    },
    unverify: {
      label: 'Zeichen entfernen',
      text: 'Entfernt das Verifiziert-Zeichen.',
      submit: 'Verifiziert-Zeichen entfernen',
      done: 'Das Konto ist nicht mehr verifiziert.',
    },
    'end-access': {
      label: 'Alle Zugriffe beenden',
      text: 'Meldet die Person überall ab und trennt alle Apps. Sie kann sich wieder anmelden.',
      submit: 'Sitzungen und Tokens beenden',
      done: 'Alle Sitzungen und Tokens sind beendet.',
    },
    'resend-confirmation': {
      label: 'Bestätigungsmail erneut senden',
      text: 'Sendet noch einen Link, der die E-Mail-Adresse bestätigt.',
      submit: 'Link erneut senden',
      done: 'Der Link wird gleich gesendet.',
    },
    'reset-factors': {
      label: 'Zwei-Faktor-Authentifizierung zurücksetzen',
      text: 'Entfernt alle Passkeys, die Authenticator-App und die Wiederherstellungscodes und beendet alle Sitzungen und Tokens. Danach genügt das Passwort zum Anmelden, und die Person bekommt eine Mail. Prüfe, ob wirklich sie darum bittet.',
      submit: 'Zwei-Faktor-Authentifizierung zurücksetzen',
      done: 'Die Zwei-Faktor-Authentifizierung ist zurückgesetzt.',
    },
  },
};
