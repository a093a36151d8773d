import type { Accounts } from '@linnet/accounts/accounts';
import { isUsername } from '@linnet/accounts/profile';
import { pagingParameters } from '@linnet/contract/paging';
import { filterTextParameter } from '@linnet/contract/word-filter';
import type { Db } from '@linnet/db/database';
import { findBlocks, addBlock, removeBlock } from '@linnet/social/block/block-store';
import { addWordFilter, findWordFilters, removeWordFilter } from '@linnet/social/filter/word-filter-store';
import { toPage } from '@linnet/social/list/page';
import { addMute, findMutes, removeMute } from '@linnet/social/mute/mute-store';

import type { AreaForm, AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Form } from '../../pages/form/form.ts';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { HiddenPage, hiddenDone, hiddenActions, readEnds, toEnd } from './hidden-page.tsx';
import type { HiddenPageProps, HiddenValues } from './hidden-page.tsx';
import { photoOf } from './profile.tsx';

interface HiddenRouteOptions {
  readonly db: Db;
  readonly accounts: Pick<Accounts, 'findByUsername'>;
  readonly throttle: Pick<Throttle, 'countSocialAct'>;
}

type Done = (typeof hiddenDone)[number];
interface State extends Pick<HiddenPageProps, 'values' | 'errors' | 'isThrottled'> {
  readonly status?: number;
}
type HiddenTexts = Visit['frame']['messages']['hidden'];
/** What an added entry led to. */
type Outcome = Done | Required<Pick<State, 'errors'>>;

/** `/account/hidden`: word filters, and the accounts that are muted or blocked. */
export function hiddenRoute(options: HiddenRouteOptions): AreaPage {
  const { db, throttle } = options;

  const adding = (
    read: (form: Form) => HiddenValues,
    add: (visit: Visit, values: HiddenValues) => Promise<Outcome>,
  ): AreaForm => ({
    stepUp: 'none',
    act: async (visit, form) => {
      const values = read(form);
      const wait = await throttle.countSocialAct(visit.session.accountId);
      if (wait !== undefined) {
        visit.ctx.set('Retry-After', String(wait));
        await show(db, visit, { values, isThrottled: true, status: 429 });
        return;
      }
      const outcome = await add(visit, values);
      if (typeof outcome === 'string') redirectTo(visit.ctx, pagePaths.hidden, outcome);
      else await show(db, visit, { values, ...outcome, status: 422 });
    },
  });

  return {
    path: pagePaths.hidden,
    show: async (visit) => await show(db, visit, {}),
    forms: {
      [hiddenActions.addFilter]: adding(
        (form) => ({ text: form.text('text').trim(), isPart: form.has('part'), ends: readEnds(form) }),
        async (visit, values) => await addFilter(db, visit, values),
      ),
      [hiddenActions.mute]: adding(
        (form) => ({ mute: readUsername(form, 'mute'), ends: readEnds(form) }),
        async (visit, values) => await addPerson(options, visit, { field: 'mute', values }),
      ),
      [hiddenActions.block]: adding(
        (form) => ({ block: readUsername(form, 'block') }),
        async (visit, values) => await addPerson(options, visit, { field: 'block', values }),
      ),
      [hiddenActions.removeFilter]: removing('filterRemoved', async (accountId, id) => {
        await removeWordFilter(db, accountId, id);
      }),
      [hiddenActions.unmute]: removing('unmuted', async (accountId, id) => {
        await removeMute(db, accountId, id);
      }),
      [hiddenActions.unblock]: removing('unblocked', async (accountId, id) => {
        await removeBlock(db, accountId, id);
      }),
    },
  };
}

/** People type usernames with a leading @. */
function readUsername(form: Form, field: 'mute' | 'block'): string {
  return form.text(field).trim().replace(/^@/, '');
}

async function addFilter(db: Db, { frame, session }: Visit, values: HiddenValues): Promise<Outcome> {
  const { errors } = frame.messages.hidden;
  const { text = '', isPart = false, ends = 'never' } = values;
  const parsed = filterTextParameter().safeParse(text);
  if (!parsed.success) return { errors: { text: errors.text } };
  const endsAt = toEnd(ends, new Date());
  const { accountId } = session;
  const added = await addWordFilter(db, { accountId, text: parsed.data, isPart, endsAt });
  return added === undefined ? { errors: { text: frame.messages.hidden.filters.full } } : 'filterAdded';
}

interface AddedPerson {
  readonly field: 'mute' | 'block';
  readonly values: HiddenValues;
}

/** Mutes or blocks the account with the username in `field`. */
async function addPerson(
  { db, accounts }: HiddenRouteOptions,
  { frame, session }: Visit,
  { field, values }: AddedPerson,
): Promise<Outcome> {
  const refuse = (reason: keyof HiddenTexts['errors']) => ({
    errors: { [field]: frame.messages.hidden.errors[reason] },
  });
  const username = values[field] ?? '';
  const account = isUsername(username) ? await accounts.findByUsername(username) : undefined;
  if (account === undefined) return refuse('unknown');
  const { accountId } = session;
  if (account.id === accountId) return refuse('own');
  const endsAt = toEnd(values.ends ?? 'never', new Date());
  const isAdded =
    field === 'mute'
      ? await addMute(db, { muterId: accountId, mutedId: account.id, endsAt })
      : await addBlock(db, accountId, account.id);
  if (!isAdded) return refuse('unknown');
  return field === 'mute' ? 'muted' : 'blocked';
}

/** Who undoes twice, or what was undone elsewhere, needs no other notice. */
function removing(done: Done, remove: (accountId: number, id: number) => Promise<void>): AreaForm {
  return {
    stepUp: 'none',
    act: async ({ ctx, session }, form) => {
      const id = form.text('id');
      if (/^[1-9]\d{0,14}$/.test(id)) await remove(session.accountId, Number(id));
      const { filters, muted, blocked } = ctx.query;
      const place = Object.entries({ filters, muted, blocked }).find(([, cursor]) => typeof cursor === 'string');
      redirectTo(ctx, place === undefined ? pagePaths.hidden : addressOf(place[0], String(place[1])), done);
    },
  };
}

async function show(db: Db, { ctx, frame, session }: Visit, { status = 200, ...state }: State): Promise<void> {
  const { accountId } = session;
  const [filters, muted, blocked] = await Promise.all([
    findFilters(db, accountId, ctx),
    findPeople(db, { find: findMutes, accountId, parameter: 'muted' }, ctx),
    findPeople(db, { find: findBlocks, accountId, parameter: 'blocked' }, ctx),
  ]);
  if (muted === undefined || blocked === undefined) return;
  const done = status === 200 ? findDone(ctx, hiddenDone) : undefined;
  renderPage(ctx, <HiddenPage {...{ frame, filters, muted, blocked, done }} {...state} />, { status });
}

interface FoundPeople {
  readonly find: typeof findMutes;
  readonly accountId: number;
  /** Query parameter: the cursor of this list. */
  readonly parameter: 'muted' | 'blocked';
}

/** Of each list; the three are on one page. */
const rowsOfPage = 15;

/** The page `?filters=` of the word filters. Accounts have so few that one statement reads them all. */
async function findFilters(db: Db, accountId: number, ctx: Visit['ctx']): Promise<HiddenPageProps['filters']> {
  const all = await findWordFilters(db, accountId);
  const last = Math.max(1, Math.ceil(all.length / rowsOfPage));
  const { filters } = ctx.query;
  const asked = typeof filters === 'string' && /^[1-9]\d?$/.test(filters) ? Number(filters) : 1;
  const page = Math.min(asked, last);
  return {
    total: all.length,
    items: all.slice((page - 1) * rowsOfPage, page * rowsOfPage),
    newer: page > 1 ? addressOf('filters', String(page - 1)) : undefined,
    older: page < last ? addressOf('filters', String(page + 1)) : undefined,
  };
}

/** A page of one of the other lists, with the addresses of its neighbors; undefined if the account was deleted. */
async function findPeople(db: Db, { find, accountId, parameter }: FoundPeople, ctx: Visit['ctx']) {
  const cursor = pagingParameters.cursor.safeParse(ctx.query[parameter]).data;
  const found = await find(db, accountId, toPage({ count: rowsOfPage, page: 1, cursor }));
  if (found === undefined) return undefined;
  return {
    items: found.items.map((one) => ({ ...one, photo: photoOf(one).src })),
    newer: found.hasNewer ? addressOf(parameter, found.prev) : undefined,
    older: found.next === undefined ? undefined : addressOf(parameter, found.next),
  };
}

/** The page at the cursor of a list. */
function addressOf(parameter: string, cursor: string | undefined): string {
  if (cursor === undefined) return pagePaths.hidden;
  return `${pagePaths.hidden}?${new URLSearchParams({ [parameter]: cursor }).toString()}`;
}
