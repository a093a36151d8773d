import { describeMinutes } from '../counted.ts';
import type { RichText } from '../text-types.ts';

/** Texts of the landing page and of the home page. */
export const front = {
  landing: {
    title: 'Short posts, with an API for everything',
    lead: (service: string) =>
      `Share short posts and follow people on ${service}. Apps can do anything you can do here, once you allow it.`,
    latest: 'Latest posts',
    more: 'See more posts',
    build: {
      title: 'Build with the API',
      text: 'OAuth 2.0, OpenID Connect and a JSON API. Paste these lines into a terminal:',
      next: 'Create an application to get a client ID, then try every step in its playground.',
    },
  },
  home: {
    title: (name: RichText): RichText => ['Welcome, ', name],
    yours: 'Your account',
    client: 'Read and write posts',
    profileTitle: 'Your public profile',
    texts: {
      profile: 'What other people see.',
      account: 'Your name and picture, your e-mail address and your data.',
      connected: 'See what apps can do as you, and revoke their access.',
      followers: 'Protect your posts, and approve follow requests.',
      notifications: 'Choose what you are notified about.',
      security: 'Passkeys and two-factor authentication.',
      developers: 'Register an application, and try the API in the playground.',
      guides: 'How to build an application, with examples in three languages.',
      reference: 'Every endpoint, with its parameters and responses.',
      admin: 'Find people and applications, suspend and restore them, and search the audit log.',
    },
  },
};

/** Texts around the guides of the documentation. */
export const guides = {
  title: 'Documentation',
  all: 'All guides',
  navigation: 'Guides',
  /** The guides themselves are not translated. */
  inEnglish: 'The guides are in English.',
  copyMarkdown: 'Copy as Markdown',
  read: 'Read the guide',
  onThisPage: 'On this page',
  previous: 'Previous',
  next: 'Next',
  neighbours: 'Previous and next guide',
  groups: { start: 'Get started', access: 'Access', api: 'The API', launch: 'Launch' },
  application: { label: 'Application in the examples', submit: 'Show' },
  search: {
    title: 'Search the documentation',
    label: 'Search the documentation',
    submit: 'Search',
    results: (count: number, query: RichText): RichText => {
      if (count === 0) return ['Nothing found for “', query, '”.'];
      return count === 1 ? ['1 result for “', query, '”'] : [`${String(count)} results for “`, query, '”'];
    },
  },
};

/** Texts of the pages about errors of the API. */
export const problems = {
  title: 'API errors',
  intro: 'Every error response of the API has one of these codes.',
  code: 'Code',
  status: 'HTTP status',
  meaning: 'When it happens',
  remedy: 'What to do',
  example: 'Example response',
  calls: 'Endpoints that return it',
  every: 'Every endpoint.',
  all: 'All errors',
};

const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 });

/** Texts of the status page. */
export const status = {
  title: 'Status',
  lead: 'What works now, and what worked in the last 24 hours. Checked every minute.',
  allWell: 'Everything works.',
  notAll: (parts: string) => `Not available: ${parts}.`,
  now: { up: 'Available', down: 'Not available' },
  parts: { sign_in: 'Sign-in', api: 'API', database: 'Database', media: 'Pictures' },
  share: (share: number) => `Available ${percents.format(share)} of the last 24 hours`,
  since: (share: number, time: string) => `Available ${percents.format(share)} of the time since ${time}`,
  unknown: 'No data yet.',
  strip: (part: string, share: string) => `${part}, the last 24 hours in quarters of an hour. ${share}`,
  ends: ['24 hours ago', 'Now'],
  interruptions: 'Interruptions',
  none: 'None in this time.',
  duration: describeMinutes,
  ongoing: 'continues',
  outage: (time: string | undefined) =>
    time === undefined
      ? 'The database does not respond, so the last 24 hours cannot be shown.'
      : `The database does not respond. What happened after ${time} is not known yet.`,
  machine: 'The same as JSON',
  note: 'Interruptions shorter than a minute do not appear.',
};
