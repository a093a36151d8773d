import type { RichText } from '../rich-text.ts';

const count = new Intl.NumberFormat('en');
const times = (uses: number): string => (uses === 1 ? 'once' : `${count.format(uses)} times`);

/** Texts of the secrets of an application. */
export const secrets = {
  title: 'Secrets',
  intro:
    'To change a secret without a break, add another, move your servers to it, then retire the old one. Access tokens end when a secret is retired; your servers ask for new ones with the other.',
  none: 'There is no secret that works. Add one, or the application cannot ask for tokens.',
  called: (day: string) => `Secret of ${day}`,
  created: (day: string) => `Added on ${day}`,
  neverUsed: 'never used',
  used: (uses: number, minute: string) => `used ${times(uses)}, last on ${minute}`,
  ends: (minute: string) => `ends on ${minute}`,
  noEnd: 'without an end',
  soon: 'Ends soon',
  endsTag: (day: string) => `A secret ends on ${day}`,
  endingSoon: (name: RichText, minute: string): RichText => [
    'The secret “',
    name,
    `” ends on ${minute}. Add another and move your servers to it before then, or their requests will be refused.`,
  ],
  safe: 'Safe to retire',
  unusedSince: (day: string) => `Not used since ${day}`,
  neverUsedSince: (day: string) => `Never used since it was added on ${day}`,
  usedSince: (uses: number, day: string) => `used ${times(uses)} since ${day}`,
  safeReason: (unused: string, other: RichText, used: string): RichText => [
    `${unused}, while “`,
    other,
    `” is in use: ${used}. Whatever asks for tokens less than once a week may still need this one.`,
  ],
  rename: 'Rename',
  saveName: 'Save the name',
  renamed: 'The secret has another name now.',
  renameGone: 'This secret has ended meanwhile. Its name stays as it was.',
  retire: 'Retire',
  enough: (most: number) => `${String(most)} secrets are the most. Retire one before you add another.`,
  ended: (number: number) => (number === 1 ? 'One secret has ended' : `${String(number)} secrets have ended`),
  endedText: 'For 30 days after its end, “Why requests failed” names a secret that is still sent.',
  endedOn: (minute: string) => `ended on ${minute}`,
  addTitle: 'Add a secret',
  add: 'Add a secret',
  name: 'Name of the secret',
  nameHint: (called: string) => `Such as the server that will use it. Left empty, it is called “${called}”.`,
  lifetime: 'It works',
  lifetimes: {
    never: 'without an end',
    '90-days': 'for 90 days',
    '1-year': 'for one year',
    date: 'until a day of your choice',
  },
  lastDay: 'Last day',
  lastDayHint: 'It works to the end of that day, UTC.',
  lastDayOptional: 'for “until a day of your choice”',
  errors: {
    nameTooLong: 'The name of the secret can have at most 60 characters.',
    nameUnprintable: 'The name of the secret holds a character that cannot be shown.',
    lifetimeUnknown: 'Choose how long the secret works.',
    dayMissing: 'Enter the last day of the secret.',
    dayMalformed: 'Enter a day such as 2027-02-28.',
    dayPast: 'This day is over. Enter one that is to come.',
    dayTooFar: 'A secret ends within ten years, or not at all. Enter an earlier day.',
  },
};
