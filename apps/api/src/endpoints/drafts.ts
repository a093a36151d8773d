import type { DraftCall } from '@linnet/contract/draft';
import { createComment } from '@linnet/contract/routes/comment';
import {
  createDraft,
  deleteDraft as deleteDraftRoute,
  listDrafts,
  publishDraft as publishDraftRoute,
  showDraft,
  updateDraft as updateDraftRoute,
} from '@linnet/contract/routes/drafts';
import { createPost } from '@linnet/contract/routes/post';
import type { Queryable } from '@linnet/db/statement/transaction';
import {
  addDraft,
  deleteDraft,
  findDraft,
  findDrafts,
  publishDraft,
  updateDraft,
} from '@linnet/social/draft/draft-store';
import type { DraftKey, DraftRow, DraftedCall } from '@linnet/social/draft/draft-store';
import { toCallParameters, toDraft } from '@linnet/social/draft/draft-view';
import type { ViewContext } from '@linnet/social/view-context';

import { ApiError, accountGone, notFound } from '../http/api-error.ts';
import { endpoint, parseInput, within } from '../http/endpoint.ts';
import type { Endpoint, PlainEndpoint } from '../http/endpoint.ts';
import { findMediaError, toMediaIds } from './create-post.ts';

/** POST /drafts/create */
export function createCreateDraft(context: ViewContext): Endpoint {
  return endpoint(createDraft, async (input, { accountId }, db) => {
    const drafted = parseCall(input.item_id === undefined ? '/post/create' : '/comment/create', input);
    const row = await addDraft(db, accountId, drafted);
    if (row === undefined) throw accountGone();
    if (row !== 'refused') return toDraft(row, context);
    throw (await findMediaError(db, accountId, drafted.mediaIds)) ?? new ApiError('too-many-drafts');
  });
}

/** POST /drafts/update */
export function createUpdateDraft(context: ViewContext): Endpoint {
  return endpoint(updateDraftRoute, async ({ id, version, ...input }, { accountId }, db) => {
    const key = { id, accountId, version };
    const { call, parameters } = await requireDraft(db, key);
    const { item_id, type } = parameters;
    const drafted = parseCall(call, item_id === undefined ? input : { ...input, item_id, type });
    const row = await updateDraft(db, key, drafted);
    if (row !== undefined) return toDraft(row, context);
    const current = await requireDraft(db, key);
    const isUnchanged = current.status === 'draft' && current.version === version;
    const mediaError = isUnchanged ? await findMediaError(db, accountId, drafted.mediaIds) : undefined;
    throw mediaError ?? new ApiError('draft-changed');
  });
}

/** POST /drafts/publish. `calls`: the endpoints of the calls that a draft can be of. */
export function createPublishDraft(context: ViewContext, calls: readonly PlainEndpoint[]): Endpoint {
  return endpoint(publishDraftRoute, async ({ id, version }, caller, db) => {
    const key = { id, accountId: caller.accountId, version };
    const published = await publishDraft(db, key, async (tx, draft) => {
      const called = calls.find(({ route }) => route.path === draft.call);
      if (called === undefined) throw new TypeError(`no endpoint for ${draft.call}`);
      const work = called.prepare({ values: toCallParameters(draft), problems: [] }, caller);
      return idOf(await within(tx, work));
    });
    const row = published ?? (await requireDraft(db, key));
    // It is the same for everybody who publishes it.
    if (row.status !== 'published') throw new ApiError('draft-changed');
    return toDraft(row, context);
  });
}

/** The id of the post or comment in the response of a call. */
function idOf(response: unknown): number | undefined {
  const { id, items } = response as { readonly id?: number; readonly items?: { readonly id: number } }; // of one of `calls`
  return items?.id ?? id;
}

/** GET /drafts/show */
export function createShowDraft(context: ViewContext): Endpoint {
  return endpoint(showDraft, async ({ id }, { accountId }, db) =>
    toDraft(await requireDraft(db, { id, accountId }), context),
  );
}

/** GET /drafts */
export function createListDrafts(context: ViewContext): Endpoint {
  return endpoint(listDrafts, async ({ status }, { accountId }, db) => {
    const items = (await findDrafts(db, accountId, status)).map((row) => toDraft(row, context));
    return { total: items.length, count: items.length, items };
  });
}

/** POST /drafts/delete */
export function createDeleteDraft(): Endpoint {
  return endpoint(deleteDraftRoute, async ({ id }, { accountId }, db) => {
    if (!(await deleteDraft(db, { id, accountId }))) throw notFound('draft');
    return { status: 'succeeded', message: 'The draft was deleted.' };
  });
}

async function requireDraft(db: Queryable, key: DraftKey): Promise<DraftRow> {
  const row = await findDraft(db, key);
  if (row === undefined) throw notFound('draft');
  return row;
}

/** The call with its parameters, checked as the call itself does. @throws ApiError */
function parseCall(call: DraftCall, values: Readonly<Record<string, unknown>>): DraftedCall {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const raw = { values: given, problems: [] };
  if (call === '/comment/create') return { call, parameters: parseInput(createComment, raw), mediaIds: [] };
  const { media, attachments, ...parameters } = parseInput(createPost, raw);
  return { call, parameters, mediaIds: toMediaIds({ media, attachments }) };
}
