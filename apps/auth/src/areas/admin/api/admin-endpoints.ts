/** What each endpoint of the admin API does. The pages do the same with the same functions. */
import { findAccountSessions } from '@linnet/accounts/account-sessions-store';
import { searchAccounts } from '@linnet/accounts/account-search-store';
import { findPersonFacts } from '@linnet/accounts/operators/person-store';
import type { PersonFacts } from '@linnet/accounts/operators/person-store';
import { blockFieldRules, parseBlock } from '@linnet/accounts/registrations/block';
import type { BlockField } from '@linnet/accounts/registrations/block';
import { findBlocks, removeBlocks, saveBlocks } from '@linnet/accounts/registrations/block-store';
import { decideRequests, findRequests } from '@linnet/accounts/registrations/request-store';
import type { RegistrationDecision } from '@linnet/accounts/registrations/request-store';
import { searchApplications } from '@linnet/applications/application/application-facts-store';
import { findApplication } from '@linnet/applications/application/application-store';
import { findConnectedApplications } from '@linnet/applications/grants/connected-applications-store';
import { followAuditEvents } from '@linnet/audit/audit-search-store';
import * as queueRoutes from '@linnet/contract/admin/admin-queue-routes';
import * as routes from '@linnet/contract/admin/admin-routes';
import type { AdminRoute } from '@linnet/contract/admin/admin-route';
import { isPrintable } from '@linnet/contract/name-text';
import type { Db } from '@linnet/db/database';
import type { Transactional } from '@linnet/db/statement/transaction';
import { findCase, findOpenCases } from '@linnet/social/report/report-queue-store';
import { resolveCase } from '@linnet/social/report/report-resolution-store';

import { runApplicationAct } from '../applications/application-acts.ts';
import { findServiceState } from '../overview/overview-store.ts';
import { runAccessAct } from '../people/access-acts.ts';
import { runPersonAct } from '../people/person-acts.ts';
import type { PersonActName } from '../people/person-acts.ts';
import { AdminRefused, refuseParameter } from './admin-problem.ts';
import { readPosition, toPage } from './admin-page.ts';
import * as views from './admin-views.ts';

/** What an endpoint can use. */
export interface AdminCall {
  readonly db: Db;
  /** Runs an act of the operator whom the token acts for. @throws AdminRefused */
  readonly act: <Result>(reason: string, work: (within: Transactional) => Promise<Result>) => Promise<Result>;
  /** Resolves when token requests see a change of an application. */
  readonly changed: (clientId: string) => Promise<void>;
}

export interface AdminEndpoint {
  readonly route: AdminRoute;
  readonly handle: (input: unknown, call: AdminCall) => Promise<unknown>;
}

/** The input is what the row parses. */
function endpoint<Input>(
  route: AdminRoute<Input>,
  handle: (input: Input, call: AdminCall) => Promise<unknown>,
): AdminEndpoint {
  return { route, handle: async (input, call) => await handle(route.input.parse(input), call) };
}

async function getAccount(db: Db, id: number): Promise<PersonFacts> {
  return (await findPersonFacts(db, id)) ?? refuseUnknown();
}

async function getApplication(db: Db, clientId: string) {
  return views.toApplication((await findApplication(db, clientId)) ?? refuseUnknown());
}

async function getCase(db: Db, id: number) {
  return views.toCase((await findCase(db, id, reportsShown)) ?? refuseUnknown());
}

const reportsShown = 20;

function refuseUnknown(): never {
  throw new AdminRefused('not-found');
}

function requireDone(isDone: boolean): void {
  if (!isDone) throw new AdminRefused('act-not-possible');
}

const done = { status: 'succeeded' } as const;

const changeAccount = (route: typeof routes.accountsRestore, name: PersonActName) =>
  endpoint(route, async ({ id, reason }, { db, act }) => {
    await getAccount(db, id);
    requireDone(await act(reason, (within) => runPersonAct(within, name, { id })));
    return views.toAccount(await getAccount(db, id));
  });

const accounts: readonly AdminEndpoint[] = [
  endpoint(routes.accountsList, async ({ q, state, count, cursor }, { db }) => {
    const [before] = readPosition(cursor, 1) ?? [];
    const found = await searchAccounts(db, { text: q, state, before, limit: count + 1 });
    return toPage(found, count, { toItem: views.toListedAccount, toPosition: ({ id }) => [id] });
  }),
  endpoint(routes.accountsShow, async ({ id }, { db }) => views.toAccount(await getAccount(db, id))),
  endpoint(routes.accountsSuspend, async ({ id, reason, shown_reason: shown }, { db, act }) => {
    await getAccount(db, id);
    const shownReason = toShownReason(shown);
    requireDone(await act(reason, (within) => runPersonAct(within, 'suspend', { id, shownReason })));
    return views.toAccount(await getAccount(db, id));
  }),
  changeAccount(routes.accountsLimit, 'limit'),
  changeAccount(routes.accountsUnlimit, 'unlimit'),
  changeAccount(routes.accountsRestore, 'restore'),
];

/** @throws AdminRefused */
function toShownReason(text = ''): string | undefined {
  const shown = text.trim().replaceAll(/\s+/g, ' ');
  if (shown === '') return undefined;
  if (isPrintable(shown)) return shown;
  throw refuseParameter('shown_reason', 'invalid', 'contains a character that cannot be displayed');
}

const access: readonly AdminEndpoint[] = [
  endpoint(routes.sessionsList, async ({ id, count, cursor }, { db }) => {
    await getAccount(db, id);
    const [offset = 0] = readPosition(cursor, 1) ?? [];
    const found = await findAccountSessions(db, id, { limit: count + 1, offset });
    return toPage(found, count, { toItem: views.toSession, toPosition: () => [offset + count] });
  }),
  endpoint(routes.sessionsEnd, async ({ id: accountId, uid: target, reason }, { db, act }) => {
    await getAccount(db, accountId);
    requireDone(await act(reason, (within) => runAccessAct(within, 'end-session', { accountId, target })));
    return done;
  }),
  endpoint(routes.grantsList, async ({ id, count, cursor }, { db }) => {
    await getAccount(db, id);
    const [offset = 0] = readPosition(cursor, 1) ?? [];
    const found = await findConnectedApplications(db, id, { limit: count + 1, offset });
    return toPage(found, count, { toItem: views.toGrant, toPosition: () => [offset + count] });
  }),
  endpoint(routes.grantsEnd, async ({ id: accountId, client_id: target, reason }, { db, act, changed }) => {
    await getAccount(db, accountId);
    requireDone(await act(reason, (within) => runAccessAct(within, 'end-grant', { accountId, target })));
    await changed(target);
    return done;
  }),
];

const decide = (route: typeof queueRoutes.registrationsApprove, decision: RegistrationDecision) =>
  endpoint(
    route,
    async ({ ids, reason }, { act }) => await act(reason, (within) => decideRequests(within, ids, { decision })),
  );

/** The last millisecond of a Date. */
const lastTime = 8.64e15;

const queues: readonly AdminEndpoint[] = [
  endpoint(queueRoutes.registrationsList, async ({ count, cursor }, { db }) => {
    const [time, id] = readPosition(cursor, 2, [lastTime]) ?? [];
    const after = time === undefined || id === undefined ? undefined : { createdAt: new Date(time), id };
    const found = await findRequests(db, { after, limit: count + 1 });
    const toPosition = (one: (typeof found)[number]) => [one.createdAt.getTime(), one.id];
    return toPage(found, count, { toItem: views.toRegistration, toPosition });
  }),
  decide(queueRoutes.registrationsApprove, 'approved'),
  decide(queueRoutes.registrationsDecline, 'refused'),
  endpoint(queueRoutes.reportsList, async ({ order, count, cursor }, { db }) => {
    const [reports, id] = readPosition(cursor, 2, [2 ** 31 - 1]) ?? [];
    const after = reports === undefined || id === undefined ? undefined : { reports, id };
    const found = await findOpenCases(db, { order, after, limit: count + 1 });
    return toPage(found, count, { toItem: views.toListedCase, toPosition: (one) => [one.reports, one.id] });
  }),
  endpoint(queueRoutes.reportsShow, async ({ id }, { db }) => await getCase(db, id)),
  endpoint(
    queueRoutes.reportsResolve,
    async ({ id, outcome, rule, delete_posts: deletesPosts = false, reason }, { db, act }) => {
      await getCase(db, id);
      const actOnCase = async <Result>(work: (within: Transactional) => Promise<Result>) => await act(reason, work);
      requireDone((await resolveCase({ act: actOnCase, outside: db }, id, { outcome, deletesPosts, rule })) === true);
      return await getCase(db, id);
    },
  ),
];

function refuseBlock(wrong: readonly BlockField[]): AdminRefused {
  return new AdminRefused('invalid-parameter', {
    errors: wrong.map((parameter) => ({ parameter, code: 'invalid', detail: `must be ${blockFieldRules[parameter]}` })),
  });
}

const blocks: readonly AdminEndpoint[] = [
  endpoint(queueRoutes.blocksList, async ({ q, count, cursor }, { db }) => {
    const [before] = readPosition(cursor, 1) ?? [];
    const found = await findBlocks(db, { text: q, before, limit: count + 1 });
    return toPage(found, count, { toItem: views.toBlock, toPosition: ({ id }) => [id] });
  }),
  endpoint(queueRoutes.blocksAdd, async ({ reason, until, ...written }, { act }) => {
    const { block, wrong } = parseBlock({ ...written, until: until ?? '' });
    if (block === undefined) throw refuseBlock(wrong);
    const [id] = await act(reason, (within) => saveBlocks(within, [block]));
    return { id };
  }),
  endpoint(queueRoutes.blocksRemove, async ({ id, reason }, { act }) => {
    const gone = await act(reason, (within) => removeBlocks(within, [id]));
    return gone.length === 0 ? refuseUnknown() : done;
  }),
];

const change = (route: typeof routes.applicationsSuspend, name: 'suspend' | 'restore') =>
  endpoint(route, async ({ client_id: clientId, reason }, { db, act, changed }) => {
    await getApplication(db, clientId);
    requireDone(await act(reason, (within) => runApplicationAct(within, name, clientId)));
    await changed(clientId);
    return await getApplication(db, clientId);
  });

const applications: readonly AdminEndpoint[] = [
  endpoint(routes.applicationsList, async ({ q, count, cursor }, { db }) => {
    const found = await searchApplications(db, { text: q, before: cursor, limit: count + 1 });
    const next = found.length > count ? (found[count - 1]?.clientId ?? null) : null;
    return { items: found.slice(0, count).map(views.toApplication), next };
  }),
  endpoint(routes.applicationsShow, async ({ client_id: clientId }, { db }) => await getApplication(db, clientId)),
  change(routes.applicationsSuspend, 'suspend'),
  change(routes.applicationsRestore, 'restore'),
];

const service: readonly AdminEndpoint[] = [
  endpoint(routes.auditList, async ({ count, cursor }, { db }) => {
    const [after = 0] = readPosition(cursor, 1) ?? [];
    const events = await followAuditEvents(db, after, count);
    const last = events.at(-1)?.id ?? after;
    return { items: events.map(views.toAuditEvent), next: last === 0 ? null : String(last) };
  }),
  endpoint(routes.countersShow, async (_input, { db }) => {
    const {
      people,
      suspended,
      applications: all,
      posts,
      reports,
      registrations,
      sessions,
      mail,
    } = await findServiceState(db);
    return { people, suspended, applications: all, posts, reports, registrations, sessions, mail };
  }),
];

export const adminEndpoints = [...accounts, ...access, ...queues, ...blocks, ...applications, ...service];
