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
  scheduleDraft as scheduleDraftRoute,
  showDraft,
  updateDraft as updateDraftRoute,
} from '@linnet/contract/routes/drafts';
import { addFollow } from '@linnet/contract/routes/follows';
import { addLike } from '@linnet/contract/routes/likes';
import { createPost } from '@linnet/contract/routes/post';
import { addRepost } from '@linnet/contract/routes/reposts';
import { effectiveScopes, scopes as everyScope } from '@linnet/contract/scopes';
import { DatabaseUnavailable } from '@linnet/db/connection/database-error';
import type { Queryable, Transaction, Transactional } from '@linnet/db/statement/transaction';
import {
  addDraft,
  deleteDraft,
  expireDrafts,
  failDraft,
  findDraft,
  findDrafts,
  publishDraft,
  publishDueDraft,
  rejectDraft,
  scheduleDraft,
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
  return endpoint(createDraft, async ({ publish_at: publishAt, ...input }, caller, db) => {
    const drafted = parseCall(input.item_id === undefined ? '/post/create' : '/comment/create', input);
    const { accountId, clientId } = caller;
    const by = proposes(caller, createDraft) ? { accountId, clientId } : { accountId };
    return toDraft(await keepDraft(db, by, { ...drafted, publishAt }), context);
  });
}

/** @throws ApiError */
async function keepDraft(
  db: Transactional,
  by: Parameters<typeof addDraft>[1],
  drafted: Parameters<typeof addDraft>[2],
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
    const isUnchanged = ['draft', 'proposed', 'scheduled'].includes(current.status) && current.version === version;
    const mediaError = isUnchanged ? await findMediaError(db, accountId, drafted.mediaIds) : undefined;
    throw mediaError ?? new ApiError('draft-changed');
  });
}

/** POST /drafts/publish. `calls`: the endpoints of the calls that a draft can be of. */
export function createPublishDraft(context: ViewContext, calls: readonly PlainEndpoint[]): Endpoint {
  return endpoint(publishDraftRoute, async ({ id, version }, caller, db) => {
    const key = { id, accountId: caller.accountId, version };
    const published = await publishDraft(db, key, async (tx, draft) => await makeCall(tx, draft, { calls, caller }));
    const row = published ?? (await requireDraft(db, key));
    // It is the same for everybody who publishes it.
    if (row.status !== 'published') throw new ApiError('draft-changed');
    return toDraft(row, context);
  });
}

interface Calling {
  readonly calls: readonly PlainEndpoint[];
  readonly caller: Caller;
}

/** Makes the call of a draft. Returns the id of what it published. @throws ApiError */
async function makeCall(tx: Transaction, draft: DraftRow, { calls, caller }: Calling): Promise<number | undefined> {
  const called = calls.find(({ route }) => route.path === draft.call);
  if (called === undefined) throw new TypeError(`no endpoint for ${draft.call}`);
  requireScopeOf(called.route, caller);
  const work = called.prepare({ values: toCallParameters(draft), problems: [] }, caller);
  return idOf(await within(tx, work));
}

/** POST /drafts/schedule */
export function createScheduleDraft(context: ViewContext): Endpoint {
  return endpoint(scheduleDraftRoute, async ({ id, version, publish_at: publishAt }, caller, db) => {
    const key = { id, accountId: caller.accountId, version };
    requireScopeOf(routes[(await requireDraft(db, key)).call], caller);
    const row = await scheduleDraft(db, key, publishAt);
    if (row !== undefined) return toDraft(row, context);
    const { status, version: current } = await requireDraft(db, key);
    const isAccepted = status === 'proposed' && publishAt !== undefined && (version ?? current) === current;
    throw new ApiError(isAccepted ? 'too-many-drafts' : 'draft-changed');
  });
}

/** What is published at the same time. */
const lanes = 4;

/**
 * Publishes what is due, as the person who scheduled it. What cannot be published then is a draft that says why.
 * @throws what is not the fault of the draft, after everything else was published
 */
export async function publishDueDrafts(
  db: Transactional,
  calls: readonly PlainEndpoint[],
  stopping?: AbortSignal,
): Promise<void> {
  await expireDrafts(db);
  const faults = new Map<number, unknown>();
  const isStopping = () => stopping?.aborted === true;
  const publishInTurn = async () => {
    while (!isStopping()) {
      const done = await publishDueDraft(
        db,
        [...faults.keys()],
        async (tx, draft) => await makeCall(tx, draft, { calls, caller: schedulerFor(draft) }),
      );
      if (done === undefined) return;
      if (done.error instanceof DatabaseUnavailable) throw done.error;
      if (done.error instanceof ApiError) await failDraft(db, done.draft, failureOf(done.error));
      else if (done.error !== undefined) faults.set(done.draft.id, done.error);
    }
  };
  await Promise.all(Array.from({ length: lanes }, publishInTurn));
  for (const fault of faults.values()) throw fault;
}

/** No token: it was checked when the person scheduled the draft. */
function schedulerFor({ accountId }: DraftRow): Caller {
  const nobody = { clientId: 'scheduler', grantId: undefined, boundTo: undefined, expiresAt: Infinity };
  const token = { jti: '', kid: '', client_id: 'scheduler', ce: 0, ge: 0, ae: 0, acct: accountId };
  return { ...nobody, token, accountId, scopes: effectiveScopes(everyScope), hasConsent: true, isIdentified: false };
}

function failureOf({ code }: ApiError): string {
  return code === 'user-context-required' ? 'account-hidden' : code;
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
const routes: Readonly<Record<DraftCall, Pick<Route, 'input' | 'scope'>>> = {
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
