import { expect, test } from 'vitest';

import { routesByName } from '@linnet/contract/routes';

/** The scope of each path, or of its first segments; `null`: any valid token. */
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
  'hashtags/follows': 'users',
  'search/posts': 'posts',
  'search/users': 'users',
  mentions: 'posts',
  notifications: 'posts',
  auth: null,
};

test.each(Object.values(routesByName))(
  'D19 $path: the scope follows from the path, with :read if the endpoint does not write',
  (route) => {
    const [, segment = '', second = ''] = route.path.split('/');
    const both = `${segment}/${second}`;
    const scope = scopes[both in scopes ? both : segment];
    const isPlain = scope === null || route.writes;
    // Drafts are read by those who propose, and not by `:read`: nobody else sees them.
    expect(route.scope).toBe(isPlain ? scope : `${String(scope)}:${segment === 'drafts' ? 'propose' : 'read'}`);
  },
);
