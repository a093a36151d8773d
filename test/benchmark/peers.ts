/**
 * R of other products, measured in November 2026 on the same kind of machine with the same method (docs/evidence/performance.md).
 * Keys are the names of targets.
 */
export const peers: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'POST /oauth/token': { 'oidc-provider alone': 0.072, Logto: 0.004 },
  'GET /post/show': { Misskey: 0.023, 'Bluesky PDS': 0.015 },
  'GET /post, 70 posts': { 'Bluesky PDS': 0.008, Misskey: 0.0009 },
  'POST /post/create': { Misskey: 0.019, 'Bluesky PDS': 0.0027 },
};
