import type { RichText } from '../rich-text.ts';

const count = new Intl.NumberFormat('en');
const tokensOf = (number: number): string => (number === 1 ? 'one token' : `${count.format(number)} tokens`);
const callsOf = (number: number): string => (number === 1 ? 'one call' : `${count.format(number)} calls`);
const people = (number: number): string => (number === 1 ? 'one person' : `${count.format(number)} people`);

/** Texts of the pages of one application. */
export const pages = {
  navigation: 'Pages of this application',
  overview: 'Overview',
  playground: 'Playground',
  profile: 'Appearance',
  usage: 'Usage and limits',
  history: 'History',
};

/** How much an application is in use. */
export const standing = {
  title: 'In use',
  people: (number: number) => (number === 0 ? 'Nobody has let it in' : `${people(number)} let it in`),
  lastUsed: (minute: string) => `last used ${minute}`,
  neverUsed: 'never used',
  lastUse: 'Last use',
  peopleTitle: 'People',
  week: 'Last 7 days',
  weekText: (tokens: number, calls: number) => `${tokensOf(tokens)}, ${callsOf(calls)}`,
  more: 'Day by day',
};

export const pause = {
  title: 'Pause',
  text: 'It gets no tokens, those it has end within a second, and nobody can let it in. Secrets, settings and what people allowed stay; resume it whenever you like.',
  submit: 'Pause this application',
  paused: 'You paused this application. It gets no tokens, and nobody can let it in.',
  resume: 'Resume',
  donePaused: 'The application is paused. Its tokens have ended.',
  doneResumed: 'The application works again. It has to ask for new tokens.',
  tag: 'Paused',
};

export const removal = {
  breaks: 'What breaks:',
  people: (number: number) =>
    number === 0
      ? 'Nobody is connected.'
      : `${people(number)} will be disconnected and would have to let another application in.`,
  used: (minute: string, tokens: number, calls: number): string =>
    `It was used last on ${minute}; in the last 7 days it was given ${tokensOf(tokens)} and made ${callsOf(calls)}. All of this fails at once.`,
  unused: 'It has never been used.',
  pauseFirst: 'If you are not sure, pause it first and see who complains.',
};

export const usage = {
  title: 'Usage',
  intro: 'The last 30 days, in UTC. What just happened shows within two seconds.',
  charts: {
    tokens: { title: 'Tokens', text: 'access tokens it was given' },
    people: { title: 'People', text: 'how many had let it in at the end of the day' },
    calls: { title: 'Calls', text: 'calls of the API with its tokens' },
    errors: { title: 'Errors', text: 'those of the calls that were answered with 4xx or 5xx' },
  },
  total: (number: number) => `${count.format(number)} in 30 days`,
  now: (number: number) => `${count.format(number)} now`,
  most: (number: number, day: string) => `most on ${day}: ${count.format(number)}`,
  nothing: 'nothing yet',
  bar: (day: string, number: number) => `${day}: ${count.format(number)}`,
  table: 'The same as a table',
  day: 'Day',
  refused: (link: RichText): RichText => [
    'Refused requests for tokens and permission are not in here: ',
    link,
    ' has them.',
  ],
};

export const limits = {
  title: 'Rate limits',
  intro:
    'So many calls are let through; one too many is answered 429 with Retry-After. Each answer tells in RateLimit what is left.',
  off: 'This service has its rate limits switched off.',
  limit: 'Limit',
  calls: 'Calls',
  counted: 'Counted for',
  perMinute: (quota: number) => `${count.format(quota)} a minute`,
  perSeconds: (quota: number, seconds: number) => `${count.format(quota)} in ${count.format(seconds)} seconds`,
  names: {
    'user-reads': 'this application acting as one account: calls that change nothing',
    'user-writes': 'this application acting as one account: calls that change something',
    'application-reads': 'this application with all its people: calls that change nothing',
    'application-writes': 'this application with all its people: calls that change something',
    'is-email': 'this application: GET and POST /auth/is_email',
    'check-username': 'this application: GET /account/check_username',
    register: 'this application: POST /auth/register',
  },
};

export const history = {
  title: 'History',
  intro: 'What was done to this application, the latest first. Entries are only ever added.',
  none: 'There is nothing to show.',
  older: 'Older entries',
  actors: {
    person: 'you',
    application: 'the application',
    operator: 'an operator',
    service: 'the service',
    unknown: 'by direct access to the database',
  },
  events: {
    'application.created': 'Created',
    'application.changed': 'Settings saved',
    'application.described': 'Appearance changed',
    'application.paused': 'Paused',
    'application.resumed': 'Resumed',
    'application.suspended': 'Suspended',
    'application.unsuspended': 'Suspension ended',
    'secret.added': 'Secret added',
    'secret.renamed': 'Secret renamed',
    'secret.retired': 'Secret retired',
    'secret.removed': 'Ended secret removed',
    'code.replayed': 'An authorization code was used twice; what it gave has ended',
    'token.reused': 'A refresh token was used twice; its consent has ended',
  },
  secret: (name: RichText): RichText => ['secret “', name, '”'],
  secretId: (id: string) => `secret number ${id}`,
  scopes: (scopes: string) => `permissions: ${scopes}`,
};

export const profile = {
  title: 'Appearance',
  intro: 'What people see of your application when they are asked to let it in.',
  logo: 'Logo',
  logoText:
    'PNG or JPEG, up to 2 MB. It is drawn anew and made small, and nothing else of the file is kept. A square of 400 pixels looks best.',
  logoFile: 'Picture',
  upload: 'Upload',
  removeLogo: 'Remove the logo',
  links: 'Links',
  linksText: 'Shown where people decide, with the host they lead to. Use https, or http.',
  website: 'Website',
  terms: 'Terms of service',
  privacy: 'Privacy policy',
  save: 'Save links',
  saved: 'The links were saved.',
  logoSaved: 'The logo was saved.',
  logoRemoved: 'The logo was removed.',
  preview: 'As people see it',
  errors: {
    'bad-address': 'Enter a complete address such as https://app.example.com/, or nothing.',
    'too-long': 'The address can have at most 2048 characters.',
    missing: 'Choose a picture.',
    'not-an-image':
      'This is no PNG or JPEG picture, or it is damaged or has more than 40 megapixels. Choose another one.',
    'too-large': 'The picture is larger than 2 MB. Choose a smaller one.',
    busy: 'Too many pictures are being worked on. Please try again in a moment.',
  },
};
