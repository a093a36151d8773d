import type { RichText } from '../text-types.ts';

const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
const shortDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const numbers = new Intl.NumberFormat('en');
const minute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const second = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** Texts of more than one page. */
export const everyPage = {
  language: 'en',
  languageName: 'English',
  imageProblems: {
    heic: 'This is an HEIC picture. Choose a PNG or JPEG. iPhone: Settings › Camera › Formats › Most Compatible.',
    avif: 'This is an AVIF picture. Save it as PNG or JPEG, and choose that file.',
    webp: 'This is a WebP picture. Save it as PNG or JPEG, and choose that file.',
    gif: 'This is a GIF. Save it as PNG or JPEG, and choose that file.',
    other: 'This is not a PNG or JPEG picture. Choose another file.',
    hdr: 'This PNG is HDR (PQ or HLG). Save it with standard dynamic range (SDR), and choose that file.',
    'too-many-pixels': 'This picture has more than 40 megapixels. Make it smaller, or choose another.',
    damaged: 'This picture is damaged. Choose another file.',
  },
  formatNumber: (number: number) => numbers.format(number),
  /** Without the year. */
  formatShortDay: (date: Date) => shortDay.format(date),
  formatDay: (date: Date) => day.format(date),
  formatMinute: (date: Date) => `${minute.format(date)} UTC`,
  formatSecond: (date: Date) => `${second.format(date)} UTC`,
  layout: {
    skip: 'Skip to content',
    navigation: 'Main',
    menu: 'Menu',
    home: 'Home',
    applications: 'My applications',
    account: 'Account',
    admin: 'Administration',
    signIn: 'Sign in',
    signOut: 'Sign out',
    languages: 'Language',
    siteLinks: 'About this service',
    reference: 'API reference',
    contact: 'Contact',
    terms: 'Terms',
    privacy: 'Privacy',
    status: 'Status',
  },
  copying: {
    copy: 'Copy',
    copied: 'Copied',
    download: 'Download as a file',
  },
  form: {
    optional: 'optional',
    /** When a form is shown again. */
    returned: {
      ended: 'Your session had ended.',
      check: 'Check what you typed and send it again.',
      lost: 'What you sent was not saved. Enter it again.',
    },
    problems: (count: number) =>
      count === 1 ? 'There is a problem with the form' : `There are ${String(count)} problems with the form`,
  },
  errors: {
    reference: 'Request ID',
    sentBy: (app: RichText): RichText => ['The request came from ', app, '.'],
    /** For the owner of the application. */
    explanation: 'Why did this request fail?',
    startAgain: 'Start over',
    backTo: (host: RichText): RichText => ['Back to ', host],
    /** Before an error goes to the application's site, while nobody is signed in. */
    destination: {
      text: (app: RichText, host: RichText): RichText => [
        app,
        ' sent you here with a request that is not valid. You can return to its site at ',
        host,
        '.',
      ],
      warning: 'You are about to leave this service. Do not enter your password for it anywhere else.',
      continue: (host: RichText): RichText => ['Continue to ', host],
    },
    toStart: 'Go to the home page',
    'not-found': {
      title: 'Page not found',
      text: 'This page does not exist. It may have moved, or the link may be incomplete.',
    },
    'stale-form': {
      title: 'This page has expired',
      text: 'The form no longer matches your session, so nothing was changed. Reload the page and try again.',
    },
    'no-cookies': {
      title: 'Cookies are required',
      text: 'Your browser sent no cookies, so nothing was changed. Allow cookies for this website in your browser’s settings and start over. If you began in another browser, continue there.',
    },
    'cross-site': {
      title: 'Request blocked',
      text: 'This request came from another website. To protect your account, nothing was changed.',
    },
    'bad-form': {
      title: 'This form could not be read',
      text: 'The submitted data is damaged or too large. Nothing was changed.',
    },
    'bad-authorization': {
      title: 'Invalid authorization request',
      text: 'The app sent you here with a request that is not valid. You can’t fix this yourself. Please contact the app’s developer.',
    },
    'bad-sign-out': {
      title: 'Invalid sign-out request',
      text: 'The app sent you here with a request that is not valid, so nothing has changed. You can still sign out in your account.',
    },
    'ended-interaction': {
      // A hyphen where no line breaks.
      title: 'This sign\u2011in has expired',
      text: 'It took too long, was already completed, or was started in another browser. Go back to the app and start over.',
    },
    'playground-answer': {
      title: 'No matching playground run',
      text: 'The playground was not expecting this response in this browser. The run may have finished or expired, or someone else may have started it. The response was discarded. Start over in the application’s playground.',
    },
    'too-many-attempts': {
      title: 'Too many attempts',
      text: 'Wait a few minutes and try again.',
    },
    forbidden: {
      title: 'Access denied',
      text: 'Your account does not have permission to do this.',
    },
    unavailable: {
      title: 'Temporarily unavailable',
      text: 'The service is temporarily unavailable. Try again in a moment.',
    },
    internal: {
      title: 'Something went wrong',
      text: 'This is an error on our side, and it has been logged. Please try again.',
    },
  },
  durations: {
    legend: 'Access expires',
    keep: 'Keep the current setting',
    choices: {
      hour: { label: 'After 1 hour' },
      day: { label: 'After 24 hours' },
      month: { label: 'After 30 days' },
      until_stopped: {
        label: 'When you revoke it',
        text: 'Access also expires after 30 days without use, and after one year at the latest.',
      },
    },
  },
  scopes: {
    users: {
      label: 'Manage your account and who you follow',
      text: 'Read profiles and follower lists, follow and unfollow people, change your profile and username, and export your data.',
    },
    posts: {
      label: 'Read and write posts as you',
      text: 'Publish and delete posts and comments, upload pictures, like, repost, and read your feed.',
    },
    email: {
      label: 'See your e-mail address',
      text: 'Read your account’s e-mail address. This does not allow sending mail.',
    },
    'users:read': {
      label: 'Read accounts',
      text: 'Read profiles and follower lists, and export your account data. This does not allow changes.',
    },
    'posts:read': {
      label: 'Read posts',
      text: 'Read the posts, comments and pictures you can see. This does not allow publishing.',
    },
    'posts:propose': {
      label: 'Propose posts',
      text: 'Suggest posts, comments, likes, reposts and follows. Nothing happens until you accept it.',
    },
    openid: { label: 'Recognize your account', text: 'Recognize your account when you sign in again.' },
    profile: { label: 'See your name', text: 'Read your name, username and picture.' },
    unknown: 'No description is available for this permission.',
  },
};

const count = new Intl.NumberFormat('en');

/** Texts about the names of people and applications, and what helps to judge them. */
export const names = {
  /** Of a text that is no name. */
  textUnprintable: 'This contains a character that cannot be displayed. Remove it.',
  errors: {
    unprintable: 'The name contains a character that cannot be displayed. Remove it.',
    'mixed-scripts': 'The name mixes scripts that look alike, such as Latin and Cyrillic. Use one of them.',
    badge: 'Remove check marks and other signs of verification from the name.',
    reserved: 'This name could be taken for the service or its administrators. Choose another one.',
    imitates: 'This name looks like a verified one. Choose another one.',
    blocked: 'This service does not allow a word in this name. Choose another one.',
  },
  changeEndsVerification:
    'Your account is verified under its current names. If you change one of them, the verified mark is removed.',
  verification: 'Verification',
  verified: 'Verified',
  verifiedBy: (service: string) => `Verified by ${service}`,
  notVerifiedBy: (service: string) => `Not verified by ${service}`,
  applicationChangeEndsVerification:
    'This application is verified. If you change its name, logo or website, the verified mark is removed.',
  created: 'Created',
  createdRecently: 'In the last 7 days',
  usedBy: 'Used by',
  fewPeople: 'Fewer than 10 people',
  minPeople: (people: number) => `${count.format(people)}+ people`,
};
