import type { RichText } from '../text-types.ts';

const count = new Intl.NumberFormat('en');
const tokensOf = (number: number): string => (number === 1 ? '1 token' : `${count.format(number)} tokens`);
const callsOf = (number: number): string => (number === 1 ? '1 API request' : `${count.format(number)} API requests`);
const people = (number: number): string => (number === 1 ? '1 person' : `${count.format(number)} people`);

/** Texts of the pages of one application. */
export const pages = {
  navigation: 'Application',
  overview: 'Overview',
  credentials: 'Credentials',
  settings: 'Permissions and redirect URIs',
  profile: 'Branding',
  playground: 'Playground',
  webhooks: 'Webhooks',
  activity: 'Activity',
  usage: 'Usage and limits',
  history: 'History',
  danger: 'Danger zone',
};

/** Summary of an application’s usage. */
export const usageSummary = {
  title: 'Usage',
  people: (number: number) =>
    number === 0 ? 'No one has authorized this application yet' : `Authorized by ${people(number)}`,
  lastUsed: (minute: string) => `last used ${minute}`,
  neverUsed: 'never used',
  lastUse: 'Last used',
  peopleTitle: 'People',
  week: 'Last 7 days',
  weekText: (tokens: number, calls: number) => `${tokensOf(tokens)}, ${callsOf(calls)}`,
  failures: 'Failed requests',
  failuresText: (number: number) => `${count.format(number)} in the last 24 hours, repeats not counted`,
  more: 'Daily usage',
};

/** Links from the overview of an application to the guides, which are in English. */
export const guideLinks = {
  title: 'Guides for this application',
  links: {
    'sign-in': 'Sign people in',
    backend: 'Get tokens for the application itself',
    devices: 'Sign in on devices',
    tokens: 'Refresh and revoke tokens',
    'pushed-requests': 'Pushed requests and keys',
    dpop: 'Bind tokens to a key (DPoP)',
    'going-live': 'Check before going live',
  },
};

export const pause = {
  title: 'Pause',
  text: 'Revokes the application’s tokens within a second. It cannot get new ones, and no one can authorize it, until you resume it. Its secrets, settings and grants are kept.',
  submit: 'Pause this application',
  paused: 'You paused this application. It cannot get tokens, and no one can authorize it.',
  resume: 'Resume',
  donePaused: 'Application paused. Its tokens are revoked.',
  doneResumed: 'Application resumed. It has to request new tokens.',
  tag: 'Paused',
};

export const removal = {
  breaks: 'What will stop working:',
  people: (number: number) => (number === 0 ? 'No one is connected.' : `${people(number)} will be disconnected.`),
  used: (minute: string, tokens: number, calls: number): string =>
    `Last used on ${minute}. In the last 7 days it received ${tokensOf(tokens)} and made ${callsOf(calls)}. These requests will fail immediately.`,
  unused: 'It has never been used.',
  pauseFirst: 'Not sure? Pause it first. You can undo that.',
};

export const usage = {
  title: 'Usage',
  intro: 'The last 30 days, in UTC. New activity appears within two seconds.',
  charts: {
    tokens: { title: 'Tokens', text: 'access tokens issued' },
    people: { title: 'People', text: 'with access at the end of each day' },
    calls: { title: 'API requests', text: 'made with its tokens' },
    errors: { title: 'Errors', text: 'API requests with status 4xx or 5xx' },
  },
  total: (number: number) => `${count.format(number)} in 30 days`,
  now: (number: number) => `${count.format(number)} now`,
  most: (number: number, day: string) => `peak on ${day}: ${count.format(number)}`,
  nothing: 'No activity yet',
  bar: (day: string, number: number) => `${day}: ${count.format(number)}`,
  table: 'Show as table',
  day: 'Day',
  endpoints: {
    title: 'Requests by endpoint',
    intro: 'API requests in the last 90 days by status class, in UTC. New requests appear within ten seconds.',
    endpoint: 'Endpoint',
    succeeded: 'Succeeded (2xx, 3xx)',
    rejected: 'Rejected (4xx)',
    failed: 'Failed (5xx)',
    none: 'No API requests yet',
    download: 'Download CSV',
  },
  refused: (link: RichText): RichText => [
    'Rejected token and authorization requests are not included. See ',
    link,
    '.',
  ],
};

export const limits = {
  title: 'Rate limits',
  intro:
    'Requests above the limit get a 429 response with Retry-After. The RateLimit header of every response shows what is left.',
  /** For more than one process. */
  shares: (processes: number) =>
    `The service runs ${String(processes)} processes. Each process allows an equal share of the first four limits. The table and the RateLimit headers show this share.`,
  off: 'Rate limits are turned off on this service.',
  limit: 'Limit',
  calls: 'Requests',
  counted: 'Applies to',
  perMinute: (quota: number) => `${count.format(quota)} per minute`,
  perHour: (quota: number) => `${count.format(quota)} per hour`,
  names: {
    'user-reads': 'read requests from this application, per account it acts for',
    'user-writes': 'write requests from this application, per account it acts for',
    'application-reads': 'all read requests from this application',
    'application-writes': 'all write requests from this application',
    'is-email': 'GET and POST /auth/is_email from this application',
    'check-username': 'GET /account/check_username from this application',
    register: 'POST /auth/register from this application',
  },
};

export const history = {
  title: 'History',
  intro: 'Changes to this application, latest first. Entries cannot be edited or removed.',
  none: 'No entries.',
  older: 'Older entries',
  actors: {
    person: 'you',
    application: 'the application',
    operator: 'an administrator',
    service: 'the service',
    unknown: 'direct database access',
  },
  events: {
    'application.created': 'Created',
    'application.changed': 'Settings saved',
    'application.described': 'Branding changed',
    'application.verified': 'Verified',
    'application.unverified': 'Verified mark removed',
    'application.paused': 'Paused',
    'application.resumed': 'Resumed',
    'application.suspended': 'Suspended',
    'application.unsuspended': 'Suspension lifted',
    'secret.added': 'Secret added',
    'secret.renamed': 'Secret renamed',
    'secret.retired': 'Secret retired',
    'secret.removed': 'Expired secret removed',
    'code.replayed': 'An authorization code was used twice; its tokens were revoked',
    'token.reused': 'A refresh token was used twice; that sign-in was ended',
    'webhook.added': 'Webhook endpoint added',
    'webhook.changed': 'Webhook events changed',
    'webhook.secret_changed': 'Webhook secret changed',
    'webhook.switched_off': 'Webhook endpoint switched off, because no message could be delivered',
    'webhook.switched_on': 'Webhook endpoint switched on',
    'webhook.removed': 'Webhook endpoint deleted',
  },
  secret: (name: RichText): RichText => ['secret “', name, '”'],
  secretId: (id: string) => `secret #${id}`,
  scopes: (scopes: string) => `permissions: ${scopes}`,
  settings: (settings: string) => `changed: ${settings}`,
};

export const profile = {
  title: 'Branding',
  intro: 'What people see on your application’s consent page.',
  logo: 'Logo',
  logoText:
    'PNG or JPEG, up to 2 MB. A square image of 400 × 400 pixels looks best. We re-encode it, so metadata is not kept.',
  logoFile: 'Image',
  upload: 'Upload',
  removeLogo: 'Remove logo',
  links: 'Links',
  linksText: 'The consent page shows these links with their hosts. Use https or http.',
  website: 'Website',
  terms: 'Terms of service',
  privacy: 'Privacy policy',
  save: 'Save links',
  saved: 'Links saved.',
  logoSaved: 'Logo saved.',
  logoRemoved: 'Logo removed.',
  preview: 'Preview',
  errors: {
    'bad-address': 'Enter a full URL such as https://app.example.com/, or leave this empty.',
    'too-long': 'The URL must be 2048 characters or fewer.',
    missing: 'Choose an image.',
    'too-large': 'The image is larger than 2 MB. Choose a smaller one.',
    busy: 'We are processing many images right now. Try again in a moment.',
  },
};

/** The first request of an application. */
export const quickstart = {
  title: 'Try it',
  token: 'Request a token for the application itself. curl asks for the secret, so it stays out of your shell history:',
  authorize: 'Send people to this URL, with your own code_challenge and state:',
  metadata: 'All endpoints:',
};
