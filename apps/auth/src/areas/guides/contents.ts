/** The guides by group, in the order of the navigation. Each is a file in docs/developers. */
export const guideGroups = [
  { group: 'start', slugs: ['quickstart', 'sign-in', 'backend', 'devices', 'agents'] },
  { group: 'access', slugs: ['scopes', 'tokens', 'pushed-requests', 'dpop'] },
  {
    group: 'api',
    slugs: [
      'errors',
      'paging',
      'posts',
      'discovery',
      'notifications',
      'events',
      'safety',
      'webhooks',
      'idempotency',
      'rate-limits',
      'media',
    ],
  },
  { group: 'launch', slugs: ['going-live'] },
] as const;

/** The page at `/developers`, without a group. */
export const overviewSlug = 'overview';

/** In the order in which they are read. */
export const guideSlugs: readonly string[] = [overviewSlug, ...guideGroups.flatMap(({ slugs }) => slugs)];

/** What the guides show where a value of the reader belongs. */
export const placeholders = {
  baseUrl: 'http://localhost:3000',
  clientId: 'YOUR_CLIENT_ID',
} as const;

/** A guide without its content. */
export interface Guide {
  readonly slug: string;
  readonly title: string;
  /** What the reader achieves: the first paragraph, as text. */
  readonly description: string;
  readonly sections: readonly GuideSection[];
}

export interface GuideSection {
  /** The anchor. */
  readonly id: string;
  readonly heading: string;
}
