import { expect, test } from 'vitest';

import { routesByName } from '@linnet/contract/routes';

/** The scope of each path, or of its first segment; `null`: any valid token. */
const scopes: Readonly<Record<string, string | null>> = {
  users: 'users',
  account: 'users',
  follows: 'users',
  followers: 'users',
  blocks: 'users',
  mutes: 'users',
  filters: 'users',
  reports: 'users',
  post: 'posts',
  drafts: 'posts',
  comment: 'posts',
  likes: 'posts',
  bookmarks: 'posts',
  media: 'posts',
  reposts: 'posts',
  feed: 'posts',
  timeline: 'posts',
  hashtags: 'posts',
  'search/posts': 'posts',
  'search/users': 'users',
  mentions: 'posts',
  notifications: 'posts',
  auth: null,
};

test.each(Object.values(routesByName))(
  'D19 $path: the scope follows from the path, with :read if the endpoint does not write',
  (route) => {
    const [, segment = ''] = route.path.split('/');
    const scope = scopes[segment in scopes ? segment : route.path.slice(1)];
    const isPlain = scope === null || route.writes;
    // Drafts are read by those who propose, and not by `:read`: nobody else sees them.
    expect(route.scope).toBe(isPlain ? scope : `${String(scope)}:${segment === 'drafts' ? 'propose' : 'read'}`);
  },
);
