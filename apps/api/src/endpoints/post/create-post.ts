import { createPost } from '@linnet/contract/routes';

import { insertPost } from '../../domain/post/post-store.ts';
import { findEntities } from '../../domain/post/post-text.ts';
import { toPost } from '../../domain/post/post-view.ts';
import type { Wire } from '../../domain/wire.ts';
import { ApiError, accountGone } from '../../http/api-error.ts';
import { actingAccount } from '../../http/caller.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** GET and POST /post/create */
export function createCreatePost(wire: Wire): Endpoint {
  return endpoint(createPost, async ({ message, media }, caller, db) => {
    // Nobody owns a media record yet; another person's and an unknown one answer alike (Details 9).
    if (media !== undefined) throw new ApiError('media-not-usable');
    const authorId = actingAccount(caller);
    const row = await insertPost(db, { authorId, text: message, entities: findEntities(message) });
    if (row === undefined) throw accountGone();
    return { status: 'succeeded', message: 'The post was created.', items: toPost(row, wire) };
  });
}
