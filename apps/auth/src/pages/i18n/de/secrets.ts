import type { RichText } from '../rich-text.ts';

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
