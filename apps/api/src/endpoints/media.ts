import {
  deleteMedia as deleteMediaRoute,
  listMedia,
  showMedia,
  updateMedia as updateMediaRoute,
} from '@linnet/contract/routes/media';
import { toListResponse, toPage } from '@linnet/social/list/page';
import { deleteMedia, findMedia, findMediaOf, maxListedMedia, updateMedia } from '@linnet/social/media/media-store';
import { toMediaRecord } from '@linnet/social/media/media-view';
import type { ViewContext } from '@linnet/social/view-context';

import { ApiError, invalidParameters, notFound, notOwner } from '../http/api-error.ts';
import type { Caller } from '../http/caller.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** POST /media/delete */
export function createDeleteMedia(): Endpoint {
  return endpoint(deleteMediaRoute, async ({ id }, caller, db) => {
    const outcome = await deleteMedia(db, id, caller.accountId);
    if (outcome === undefined) throw notFound('media record');
    if (outcome === 'not-owner') throw notOwner('media record');
    return { status: 'succeeded', message: 'The media was deleted.' };
  });
}

/** GET /media */
export function createListMedia(context: ViewContext): Endpoint {
  return endpoint(listMedia, async ({ user_id, ...paging }, caller, db) => {
    const ownerId = user_id ?? caller.accountId;
    if (ownerId === undefined) {
      throw invalidParameters([
        { parameter: 'user_id', code: 'missing', detail: 'is required when the access token acts for no account' },
      ]);
    }
    const filter = { ownerId, viewer: caller.accountId ?? null, uploader: uploaderOf(caller) };
    const found = await findMediaOf(db, filter, toPage(paging, maxListedMedia));
    if (found === undefined) throw notFound('account');
    if (found === 'hidden') throw new ApiError('protected-account');
    return toListResponse(found, (row) => toMediaRecord(row, context));
  });
}

/** Whose media that no post uses a caller sees: those of drafts, so as drafts, with `posts`. */
function uploaderOf({ accountId, scopes }: Caller): number | null {
  return scopes.has('posts') ? (accountId ?? null) : null;
}

/** GET /media/show */
export function createShowMedia(context: ViewContext): Endpoint {
  return endpoint(showMedia, async ({ id }, caller, db) => {
    const row = await findMedia(db, id, caller.accountId ?? null);
    if (row === undefined || (row.postId === null && uploaderOf(caller) === null)) throw notFound('media record');
    const record = toMediaRecord(row, context);
    return { ...record, items: [record] };
  });
}

function othersMedia(): ApiError {
  const detail = 'The media record belongs to another account; only that account can describe it.';
  return new ApiError('not-owner', { detail });
}

/** POST /media/update */
export function createUpdateMedia(context: ViewContext): Endpoint {
  return endpoint(updateMediaRoute, async ({ id, alt }, { accountId }, db) => {
    const row = await updateMedia(db, { id, accountId, alt });
    if (row === undefined) throw notFound('media record');
    if (row === 'not-owner') throw othersMedia();
    return toMediaRecord(row, context);
  });
}
