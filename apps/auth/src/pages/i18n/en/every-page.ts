import type { RichText } from '../rich-text.ts';

const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const numbers = new Intl.NumberFormat('en');
const minute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Texts of more than one page. */
export const everyPage = {
  language: 'en',
  languageName: 'English',
  formatNumber: (number: number) => numbers.format(number),
  /** Without the year. */
  formatShortDay: (date: Date) => shortDay.format(date),
  formatDay: (date: Date) => day.format(date),
  formatMinute: (date: Date) => `${minute.format(date)} UTC`,
  layout: {
    skip: 'Skip to content',
    navigation: 'Main',
    applications: 'My applications',
    account: 'Account',
    signIn: 'Sign in',
    signOut: 'Sign out',
    languages: 'Language',
  },
  form: {
    optional: 'optional',
    problems: (count: number) =>
      count === 1 ? 'Something needs your attention' : `${String(count)} things need your attention`,
  },
  errors: {
    reference: 'Reference',
    startAgain: 'Start again',
    backTo: (host: RichText): RichText => ['Back to ', host],
    toStart: 'To the start page',
    'not-found': {
      title: 'Page not found',
      text: 'There is nothing at this address. It may have been moved, or the link may be incomplete.',
    },
    'stale-form': {
      title: 'This page was open for too long',
      text: 'What you sent no longer fits your browser’s session, so nothing was changed. Please open the page again and repeat it.',
    },
    'cross-site': {
      title: 'Request refused',
      text: 'This request was made by another website. For your safety nothing was changed.',
    },
    'bad-form': {
      title: 'This form could not be read',
      text: 'What was sent is damaged or too large. Nothing was changed.',
    },
    'bad-authorization': {
      title: 'The application made a mistake',
      text: 'It sent you here with a request that cannot be followed. There is nothing you can mend: please tell the makers of the application.',
    },
    'ended-interaction': {
      // A hyphen where no line breaks.
      title: 'This sign\u2011in has ended',
      text: 'It took too long, was finished already, or was begun in another browser. Please go back to the application and start again.',
    },
    'playground-answer': {
      title: 'This answer belongs to no run',
      text: 'The playground waits for no such answer in this browser: it was taken already, has ended, or somebody else began it. Nothing was done with it. Start again in the playground of the application.',
    },
    'too-many-attempts': {
      title: 'Too many attempts',
      text: 'Please wait a few minutes and try again.',
    },
    forbidden: {
      title: 'Not allowed',
      text: 'Your account may not do this.',
    },
    unavailable: {
      title: 'Back in a moment',
      text: 'The service cannot answer just now. Please try again shortly.',
    },
    internal: {
      title: 'Something went wrong',
      text: 'The fault is ours, and it has been noted. Please try again.',
    },
  },
  durations: {
    legend: 'Access lasts',
    keep: 'As it is now',
    choices: {
      hour: { label: 'For one hour' },
      month: { label: 'For 30 days' },
      until_stopped: {
        label: 'Until you stop it',
        text: 'It also ends by itself after 30 days without use, and after a year at the latest.',
      },
    },
  },
  scopes: {
    users: {
      label: 'Manage your account and whom you follow',
      text: 'Read profiles and follower lists, follow and unfollow people, change your profile and username, export your data.',
    },
    posts: {
      label: 'Read and write posts as you',
      text: 'Publish and delete posts and comments, upload pictures, like, repost, and read your feed.',
    },
    email: {
      label: 'See your e-mail address',
      text: 'Read the address your account is registered with. It cannot send mail.',
    },
    'users:read': {
      label: 'Read accounts',
      text: 'Read profiles and follower lists, and export what your account holds. It cannot change anything.',
    },
    'posts:read': {
      label: 'Read posts',
      text: 'Read posts, comments and pictures that you can see. It cannot publish anything.',
    },
    openid: { label: 'Know that it is you', text: 'Recognise your account when you sign in with it again.' },
    profile: { label: 'See your name', text: 'Read your name, your username and your picture.' },
    unknown: 'The service has no description of this permission.',
  },
};
