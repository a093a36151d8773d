/** Endpoints of the admin API for registrations with their invitations and blocks, and for reports. */
import { blockFieldRules, parseBlock } from '@linnet/accounts/registrations/block';
import type { BlockField } from '@linnet/accounts/registrations/block';
import { findBlocks, removeBlocks, saveBlocks } from '@linnet/accounts/registrations/block-store';
import { createInvitation, deleteInvitation, findInvitations } from '@linnet/accounts/registrations/invitation-store';
import { decideRequests, findRequests } from '@linnet/accounts/registrations/request-store';
import type { RegistrationDecision } from '@linnet/accounts/registrations/request-store';
import * as routes from '@linnet/contract/admin/admin-queue-routes';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { findCase, findOpenCases } from '@linnet/social/report/report-queue-store';
import { removeReported, resolveWithin } from '@linnet/social/report/report-resolution-store';

import { done, endpoint, refuseUnknown, requireDone } from './admin-endpoint.ts';
import type { AdminEndpoint } from './admin-endpoint.ts';
import { readPosition, toPage } from './admin-page.ts';
import { AdminRefused } from './admin-problem.ts';
import * as views from './admin-views.ts';

async function getCase(db: Queryable, id: number) {
  return views.toCase((await findCase(db, id, reportsShown)) ?? refuseUnknown());
}

const reportsShown = 20;

const decide = (route: typeof routes.registrationsApprove, decision: RegistrationDecision) =>
  endpoint(
    route,
    async ({ ids, reason }, { act }) => await act(reason, (within) => decideRequests(within, ids, { decision })),
  );

/** The last millisecond of a Date. */
const lastTime = 8.64e15;

const queues: readonly AdminEndpoint[] = [
  endpoint(routes.registrationsList, async ({ count, cursor }, { db }) => {
    const [time, id] = readPosition(cursor, 2, [lastTime]) ?? [];
    const after = time === undefined || id === undefined ? undefined : { createdAt: new Date(time), id };
    const found = await findRequests(db, { after, limit: count + 1 });
    const toPosition = (one: (typeof found)[number]) => [one.createdAt.getTime(), one.id];
    return toPage(found, count, { toItem: views.toRegistration, toPosition });
  }),
  decide(routes.registrationsApprove, 'approved'),
  decide(routes.registrationsDecline, 'refused'),
  endpoint(routes.reportsList, async ({ order, count, cursor }, { db }) => {
    const [reports, id] = readPosition(cursor, 2, [2 ** 31 - 1]) ?? [];
    const after = reports === undefined || id === undefined ? undefined : { reports, id };
    const found = await findOpenCases(db, { order, after, limit: count + 1 });
    return toPage(found, count, { toItem: views.toListedCase, toPosition: (one) => [one.reports, one.id] });
  }),
  endpoint(routes.reportsShow, async ({ id }, { db }) => await getCase(db, id)),
  endpoint(
    routes.reportsResolve,
    async ({ id, outcome, rule, delete_posts: deletesPosts = false, reason }, { db, prepare, act }) => {
      const resolution = { outcome, deletesPosts, rule };
      await getCase(db, id);
      const ahead = async <Result>(work: (within: Transactional) => Promise<Result>) =>
        await prepare(reason, async (within) => {
          const result = await work(within);
          // Nothing is stored for the key.
          requireDone(result !== 'not-possible');
          return result;
        });
      requireDone((await removeReported({ act: ahead, outside: db }, id, resolution)) === true);
      return await act(reason, async (within) => {
        requireDone(await resolveWithin({ within, outside: db }, id, resolution));
        return await getCase(within, id);
      });
    },
  ),
];

function refuseBlock(wrong: readonly BlockField[]): AdminRefused {
  return new AdminRefused('invalid-parameter', {
    errors: wrong.map((parameter) => ({ parameter, code: 'invalid', detail: `must be ${blockFieldRules[parameter]}` })),
  });
}

const blocks: readonly AdminEndpoint[] = [
  endpoint(routes.blocksList, async ({ q, count, cursor }, { db }) => {
    const [before] = readPosition(cursor, 1) ?? [];
    const found = await findBlocks(db, { text: q, before, limit: count + 1 });
    return toPage(found, count, { toItem: views.toBlock, toPosition: ({ id }) => [id] });
  }),
  endpoint(routes.blocksAdd, async ({ reason, until, ...written }, { act }) => {
    const { block, wrong } = parseBlock({ ...written, until: until ?? '' });
    if (block === undefined) throw refuseBlock(wrong);
    return await act(reason, async (within) => {
      const [id] = await saveBlocks(within, [block]);
      return { id };
    });
  }),
  endpoint(
    routes.blocksRemove,
    async ({ id, reason }, { act }) =>
      await act(reason, async (within) => ((await removeBlocks(within, [id])).length === 0 ? refuseUnknown() : done)),
  ),
];

const invitations: readonly AdminEndpoint[] = [
  endpoint(routes.invitationsList, async ({ count, cursor }, { db }) => {
    const [before] = readPosition(cursor, 1) ?? [];
    const found = await findInvitations(db, { before, limit: count + 1 });
    return toPage(found, count, { toItem: views.toInvitation, toPosition: ({ id }) => [id] });
  }),
  endpoint(
    routes.invitationsCreate,
    async ({ uses, reason, ...invitation }, { baseUrl, act }) =>
      await act(reason, async (within) => {
        const { id, code } = await createInvitation(within, { ...invitation, maxUses: uses });
        return { id, code, link: `${baseUrl}/register?invitation=${code}` };
      }),
  ),
  endpoint(
    routes.invitationsRevoke,
    async ({ id, reason }, { act }) =>
      await act(reason, async (within) => ((await deleteInvitation(within, id)) ? done : refuseUnknown())),
  ),
];

export const queueEndpoints = [...queues, ...blocks, ...invitations];
