import { searchHashtags } from '@linnet/contract/routes/hashtags';
import { foldCase } from '@linnet/db/text/search-words';

import { searchHashtags as findHashtags } from '@linnet/social/hashtag/hashtag-search-store';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET /hashtags/search */
export function createSearchHashtags(): Endpoint {
  return endpoint(searchHashtags, async ({ hashtag, count }, caller, db) => {
    const items = await findHashtags(db, { prefix: foldCase(hashtag), viewer: caller.accountId ?? null, limit: count });
    return { total: items.length, count: items.length, items };
  });
}
