import { isDraftCall } from '@linnet/contract/draft';
import type { CallParameters, DraftCall } from '@linnet/contract/draft';
import type { Route } from '@linnet/contract/route';
import { createComment } from '@linnet/contract/routes/comment';
import {
  createDraft,
  deleteDraft as deleteDraftRoute,
  listDrafts,
  publishDraft as publishDraftRoute,
  rejectDraft as rejectDraftRoute,
  showDraft,
  updateDraft as updateDraftRoute,
} from '@linnet/contract/routes/drafts';
import { addFollow } from '@linnet/contract/routes/follows';
import { addLike } from '@linnet/contract/routes/likes';
import { createPost } from '@linnet/contract/routes/post';
import { addRepost } from '@linnet/contract/routes/reposts';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import {
  addDraft,
  deleteDraft,
  findDraft,
  findDrafts,
  publishDraft,
  rejectDraft,
  updateDraft,
} from '@linnet/social/draft/draft-store';
import type { DraftKey, DraftRow, DraftedCall } from '@linnet/social/draft/draft-store';
import { toCallParameters, toDraft } from '@linnet/social/draft/draft-view';
import type { ViewContext } from '@linnet/social/view-context';

import { ApiError, accountGone, notFound } from '../http/api-error.ts';
import { findMediaError, toMediaIds } from '../http/attached-media.ts';
import { proposes, requireAccount } from '../http/caller.ts';
import type { Caller, CallerOf } from '../http/caller.ts';
import { endpoint, parseInput, within } from '../http/endpoint.ts';
import type { Endpoint, PlainEndpoint } from '../http/endpoint.ts';

/** POST /drafts/create */
export function createCreateDraft(context: ViewContext): Endpoint {
  return endpoint(createDraft, async (input, { accountId }, db) => {
    const drafted = parseCall(input.item_id === undefined ? '/post/create' : '/comment/create', input);
    return toDraft(await keepDraft(db, { accountId }, drafted), context);
  });
}

/** @throws ApiError */
async function keepDraft(
  db: Transactional,
  by: Parameters<typeof addDraft>[1],
  drafted: DraftedCall,
): Promise<DraftRow> {
  const row = await addDraft(db, by, drafted);
  if (row === undefined) throw accountGone();
  if (row !== 'refused') return row;
  throw (await findMediaError(db, by.accountId, drafted.mediaIds)) ?? new ApiError('too-many-drafts');
}

/** The same endpoint, which keeps a proposal instead if the caller may only propose the call. */
export function orPropose(called: PlainEndpoint): PlainEndpoint {
  const { route } = called;
  return {
    ...called,
    prepare: (raw, caller) => {
      if (!proposes(caller, route)) return called.prepare(raw, caller);
      const { accountId, clientId } = requireAccount({ requiresAccount: true }, caller);
      if (!isDraftCall(route.path)) throw new TypeError(`${route.id} cannot be a draft`);
      const drafted = toDrafted(route.path, parseInput(route, raw));
      return async (db) => {
        const { id } = await keepDraft(db, { accountId, clientId }, drafted);
        return { status: 'proposed', message: 'The person decides whether this happens.', id };
      };
    },
  };
}

/** POST /drafts/update */
export function createUpdateDraft(context: ViewContext): Endpoint {
  return endpoint(updateDraftRoute, async ({ id, version, ...input }, { accountId }, db) => {
    const key = { id, accountId, version };
    const { call, parameters } = await requireDraft(db, key);
    const { item_id, type, id: account } = parameters;
    const drafted = parseCall(call, { ...input, item_id, type, id: account });
    const row = await updateDraft(db, key, drafted);
    if (row !== undefined) return toDraft(row, context);
    const current = await requireDraft(db, key);
    const isUnchanged = ['draft', 'proposed'].includes(current.status) && current.version === version;
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
      requireScopeOf(called.route, caller);
      const work = called.prepare({ values: toCallParameters(draft), problems: [] }, caller);
      return idOf(await within(tx, work));
    });
    const row = published ?? (await requireDraft(db, key));
    // It is the same for everybody who publishes it.
    if (row.status !== 'published') throw new ApiError('draft-changed');
    return toDraft(row, context);
  });
}

/** What a token may publish is what it may do. @throws ApiError */
function requireScopeOf({ scope }: Pick<Route, 'scope'>, { scopes }: Caller): void {
  if (scope === null || scopes.has(scope)) return;
  const detail = `Publishing this requires the scope \`${scope}\`.`;
  throw new ApiError('insufficient_scope', { detail, members: { scope } });
}

/** The id of the post or comment in the response of a call. */
function idOf(response: unknown): number | undefined {
  const { id, items } = response as { readonly id?: number; readonly items?: { readonly id: number } }; // of one of `calls`
  return items?.id ?? id;
}

/** GET /drafts/show */
export function createShowDraft(context: ViewContext): Endpoint {
  return endpoint(showDraft, async ({ id }, caller, db) =>
    toDraft(await requireDraft(db, { id, ...readerOf(caller) }), context),
  );
}

/** GET /drafts */
export function createListDrafts(context: ViewContext): Endpoint {
  return endpoint(listDrafts, async ({ status }, caller, db) => {
    const items = (await findDrafts(db, readerOf(caller), status)).map((row) => toDraft(row, context));
    return { total: items.length, count: items.length, items };
  });
}

/** Whose drafts a caller reads: with `posts` all of the account, otherwise what its application proposed. */
function readerOf({ accountId, clientId, scopes }: CallerOf<true>): Omit<DraftKey, 'id'> {
  return scopes.has('posts') ? { accountId } : { accountId, clientId };
}

/** POST /drafts/reject */
export function createRejectDraft(context: ViewContext): Endpoint {
  return endpoint(rejectDraftRoute, async ({ id, reason }, { accountId }, db) => {
    const rejected = await rejectDraft(db, { id, accountId }, reason === '' ? undefined : reason);
    const row = rejected ?? (await requireDraft(db, { id, accountId }));
    if (row.status !== 'rejected') throw new ApiError('draft-changed');
    return toDraft(row, context);
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

/** Every call that a draft can be of. */
const routes: Readonly<Record<DraftCall, Pick<Route, 'input'>>> = {
  '/post/create': createPost,
  '/comment/create': createComment,
  '/likes/add': addLike,
  '/reposts/add': addRepost,
  '/follows/add': addFollow,
};

/** The call with its parameters, checked as the call itself does. @throws ApiError */
function parseCall(call: DraftCall, values: Readonly<Record<string, unknown>>): DraftedCall {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  return toDrafted(call, parseInput(routes[call], { values: given, problems: [] }));
}

type Parsed = CallParameters & { readonly media?: number };

function toDrafted(call: DraftCall, parsed: unknown): DraftedCall {
  const { media, attachments, ...parameters } = parsed as Parsed; // the input of one of the routes
  return { call, parameters, mediaIds: toMediaIds({ media, attachments }) };
}
