/** Endpoints of the admin API for the service as a whole: signing keys, the audit log, counters. */
import { followAuditEvents } from '@linnet/audit/audit-search-store';
import * as routes from '@linnet/contract/admin/admin-service-routes';
import type { Transactional } from '@linnet/db/statement/transaction';
import { revokeSigningKey, rotateSigningKeys } from '@linnet/keys/key-changes-store';
import { listSigningKeys } from '@linnet/keys/key-list-store';

import { findServiceState } from '../overview/overview-store.ts';
import { endpoint, refuseUnknown } from './admin-endpoint.ts';
import type { AdminCall, AdminEndpoint } from './admin-endpoint.ts';
import { readPosition } from './admin-page.ts';
import * as views from './admin-views.ts';

/** New keys are generated between the transactions, which are those of the operator. */
function asOperator({ db, act }: AdminCall, reason: string): Transactional {
  return {
    query: async (one, params) => await db.query(one, params),
    transaction: async (work) => await act(reason, (within) => within.transaction(work)),
  };
}

async function listKeys({ db }: AdminCall) {
  return { items: (await listSigningKeys(db)).map(views.toSigningKey) };
}

const keys: readonly AdminEndpoint[] = [
  endpoint(routes.keysList, async (_input, call) => await listKeys(call)),
  endpoint(routes.keysRotate, async ({ alg, force, reason }, call) => {
    const algorithms = alg === undefined ? {} : { algorithms: [alg] };
    await rotateSigningKeys(asOperator(call, reason), call.secretKeys, { force, ...algorithms });
    return await listKeys(call);
  }),
  endpoint(routes.keysRevoke, async ({ kid, reason }, call) => {
    const isFound = await revokeSigningKey(asOperator(call, reason), call.secretKeys, kid);
    return isFound ? await listKeys(call) : refuseUnknown();
  }),
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

export const serviceEndpoints = [...keys, ...service];
