import type { RichText } from '../rich-text.ts';

const count = new Intl.NumberFormat('en');
const times = (uses: number): string => (uses === 1 ? 'once' : `${count.format(uses)} times`);

/** Texts of the secrets of an application. */
export const secrets = {
  title: 'Secrets',
  intro:
    'To rotate a secret without downtime, add a new one, switch your servers to it, then retire the old one. Retiring a secret revokes all access tokens; your servers get new ones with the other secret.',
  none: 'No active secret. Add one, or the application cannot request tokens.',
  called: (day: string) => `Secret from ${day}`,
  created: (day: string) => `Added on ${day}`,
  neverUsed: 'never used',
  used: (uses: number, minute: string) => `used ${times(uses)}, most recently on ${minute}`,
  ends: (minute: string) => `expires on ${minute}`,
  noEnd: 'does not expire',
  soon: 'Expires soon',
  endsTag: (day: string) => `A secret expires on ${day}`,
  endingSoon: (name: RichText, minute: string): RichText => [
    'The secret “',
    name,
    `” expires on ${minute}. Add another and switch your servers to it before then, or their requests will fail.`,
  ],
  safe: 'Safe to retire',
  unusedSince: (day: string) => `Not used since ${day}`,
  neverUsedSince: (day: string) => `Not used since it was added on ${day}`,
  usedSince: (uses: number, day: string) => `used ${times(uses)} since ${day}`,
  safeReason: (unused: string, other: RichText, used: string): RichText => [
    `${unused}, while “`,
    other,
    `” is in use: ${used}. A job that requests tokens less than once a week may still need this one.`,
  ],
  rename: 'Rename',
  saveName: 'Save name',
  renamed: 'Secret renamed.',
  renameGone: 'This secret has expired. It was not renamed.',
  retire: 'Retire',
  retireText:
    'Requests with this secret fail at once, and every access token of the application is revoked. You cannot undo this.',
  retireNow: 'Retire this secret',
  nowLast: 'This is now the only active secret, so it was not retired. Confirm once more to retire it.',
  last: 'This is the only active secret. If you retire it, the application cannot get tokens until you add another one.',
  enough: (most: number) => `An application can have up to ${String(most)} secrets. Retire one before you add another.`,
  ended: (number: number) => (number === 1 ? '1 expired secret' : `${String(number)} expired secrets`),
  endedText: 'For 30 days, “Why requests failed” reports requests that still use one of these.',
  endedOn: (minute: string) => `expired on ${minute}`,
  manage: 'Manage credentials',
  addTitle: 'Add a secret',
  add: 'Add secret',
  name: 'Secret name',
  nameHint: (called: string) => `For example, the server that will use it. If empty, the name will be “${called}”.`,
  lifetime: 'Expiry',
  lifetimes: {
    never: 'No expiry',
    '90-days': '90 days',
    '1-year': '1 year',
    date: 'Custom date',
  },
  lastDay: 'Expiry date',
  lastDayHint: 'The secret expires at the end of this day, UTC.',
  lastDayOptional: 'for “Custom date”',
  errors: {
    nameTooLong: 'Secret name must be 60 characters or fewer.',
    nameUnprintable: 'The secret name contains a character that cannot be displayed.',
    lifetimeUnknown: 'Choose an expiry.',
    dayMissing: 'Enter an expiry date.',
    dayMalformed: 'Enter a date such as 2027-02-28.',
    dayPast: 'This date is in the past. Enter a future date.',
    dayTooFar: 'The expiry date must be within ten years. Enter an earlier date, or choose “No expiry”.',
  },
};
