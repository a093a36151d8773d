import type { RichText } from '../text-types.ts';

/** Texts of the first page for operators. */
export const overview = {
  title: 'Overview',
  allEvents: 'All events',
  about: (count: string) => `about ${count}`,
  durations: {
    days: (count: number): string => (count === 1 ? '1 day' : `${String(count)} days`),
    hours: (count: number): string => (count === 1 ? '1 hour' : `${String(count)} hours`),
    minutes: (count: number): string => (count === 1 ? '1 minute' : `${String(count)} minutes`),
  },
  counts: {
    reports: 'Open reports',
    registrations: 'Waiting registrations',
    people: 'People',
    suspended: 'Suspended',
    applications: 'Applications',
    posts: 'Posts',
    sessions: 'Active sessions',
  },
  health: {
    title: 'Health',
    mail: 'Queued mail',
    onTime: 'on time',
    late: (duration: string) => `${duration} late`,
    logoutNotices: 'Queued sign-out notices',
    removedMedia: 'Files to delete',
    feed: 'Revocations read',
    feedAge: (seconds: string) => `${seconds} s ago`,
    feedUnread: 'not read yet',
  },
  keys: {
    title: 'Signing keys',
    text: (command: RichText): RichText => ['Keys rotate automatically. To replace one now, run ', command, '.'],
    states: { current: 'signs', next: 'signs next', retired: 'retired', revoked: 'revoked' },
    age: (duration: string) => `for ${duration}`,
  },
  limits: {
    title: 'Limits',
    text: 'Active counters, by limit. They expire on their own.',
    none: 'No active counters.',
  },
};
