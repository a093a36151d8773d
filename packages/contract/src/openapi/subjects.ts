/** The tags that group the operations of the document, in reading order. */
import type { Route } from '../route.ts';

const subjects = {
  Posts: 'Create, read, edit and delete posts; read the feed, the public timeline and mentions.',
  Drafts: 'Keep posts and comments until you publish them.',
  Hashtags: 'Find posts by hashtag, search hashtags, and list those that trend.',
  Search: 'Find posts by their text, and accounts by their names.',
  Comments: 'Comment on posts.',
  Likes: 'Like posts, and list liked posts.',
  Reposts: 'Repost posts.',
  Bookmarks: 'Keep posts for yourself.',
  Follows: 'Follow accounts, answer follow requests, and find accounts to follow.',
  Notifications: 'See what others did that concerns the acting account, and choose what it wants to know.',
  Events: 'Hear of what happens at once.',
  Safety: 'Block and mute accounts, filter words, and report what breaks the rules.',
  Accounts: 'Register, read, change and delete accounts.',
  Media: 'Upload images for posts and profiles.',
  Grants: 'What the acting account granted to this application.',
} as const;

type Subject = keyof typeof subjects;

/** The subject of the first path segment. */
const bySegment: Readonly<Record<string, Subject>> = {
  post: 'Posts',
  drafts: 'Drafts',
  feed: 'Posts',
  timeline: 'Posts',
  hashtags: 'Hashtags',
  search: 'Search',
  mentions: 'Posts',
  comment: 'Comments',
  likes: 'Likes',
  reposts: 'Reposts',
  bookmarks: 'Bookmarks',
  follows: 'Follows',
  followers: 'Follows',
  notifications: 'Notifications',
  events: 'Events',
  blocks: 'Safety',
  mutes: 'Safety',
  filters: 'Safety',
  reports: 'Safety',
  auth: 'Accounts',
  account: 'Accounts',
  users: 'Accounts',
  media: 'Media',
};

/** Paths whose subject is not that of their first segment. */
const byPath: Readonly<Record<string, Subject>> = {
  '/users/favorites': 'Likes',
  '/users/followers': 'Follows',
  '/users/following': 'Follows',
  '/users/suggested': 'Follows',
  '/account/grants': 'Grants',
  '/account/grants/narrow': 'Grants',
  '/account/grants/revoke': 'Grants',
};

/** @throws TypeError if the first segment of the path has no subject. */
export function subjectOf({ path }: Pick<Route, 'path'>): Subject {
  const [, segment = ''] = path.split('/');
  const subject = byPath[path] ?? bySegment[segment];
  if (subject === undefined) throw new TypeError(`add a subject for ${path} to subjects.ts`);
  return subject;
}

const order = Object.keys(subjects);

function position(route: Route): number {
  return order.indexOf(subjectOf(route));
}

/** By subject; within one, by path. */
export function inReadingOrder(routes: readonly Route[]): readonly Route[] {
  return routes.toSorted((a, b) => position(a) - position(b) || (a.path < b.path ? -1 : 1));
}

/** The tags of these rows. */
export function tagsOf(routes: readonly Route[]): { name: string; description: string }[] {
  const used = new Set<string>(routes.map(subjectOf));
  return Object.entries(subjects)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
