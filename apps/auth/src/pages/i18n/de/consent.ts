import type { RichText } from '../rich-text.ts';

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
    submit: 'Weiter',
  },
};
