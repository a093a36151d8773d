/** Endpoints of the admin API for the service as a whole: signing keys, the audit log, counters. */
import { followAuditEvents } from '@linnet/audit/audit-search-store';
import * as routes from '@linnet/contract/admin/admin-service-routes';
import type { Queryable, Transaction, Transactional } from '@linnet/db/statement/transaction';
import { revokeSigningKey, rotateSigningKeys } from '@linnet/keys/key-changes-store';
import { listSigningKeys } from '@linnet/keys/key-list-store';

import { findServiceState } from '../overview/overview-store.ts';
import { endpoint, refuseUnknown } from './admin-endpoint.ts';
import type { AdminCall, AdminEndpoint } from './admin-endpoint.ts';
import { readPosition } from './admin-page.ts';
import * as views from './admin-views.ts';

async function listKeys(db: Queryable) {
  return { items: (await listSigningKeys(db)).map(views.toSigningKey) };
}

type KeyWork = (tx: Transaction, make: () => Promise<void>) => Promise<void>;

/** Changes keys, which are generated outside of the transaction, and returns what is listed then. */
async function changeKeys(
  { act }: AdminCall,
  { reason, kid }: { readonly reason: string; readonly kid?: string },
  change: (within: KeyWork) => Promise<unknown>,
): Promise<unknown> {
  let response: unknown;
  await change(async (tx, make) => {
    const work = async (within: Transactional) => {
      await make();
      const listed = await listKeys(within);
      return kid === undefined || listed.items.some((one) => one.kid === kid) ? listed : refuseUnknown();
    };
    response = await act(reason, work, { transaction: async (inner) => await inner(tx) });
  });
  return response;
}

const keys: readonly AdminEndpoint[] = [
  endpoint(routes.keysList, async (_input, { db }) => await listKeys(db)),
  endpoint(routes.keysRotate, async ({ alg, force, reason }, call) => {
    const algorithms = alg === undefined ? {} : { algorithms: [alg] };
    const { db, secretKeys } = call;
    return await changeKeys(call, { reason }, (within) =>
      rotateSigningKeys(db, secretKeys, { force, within, ...algorithms }),
    );
  }),
  endpoint(routes.keysRevoke, async ({ kid, reason }, call) => {
    const { db, secretKeys } = call;
    return await changeKeys(call, { reason, kid }, (within) => revokeSigningKey(db, secretKeys, { kid, within }));
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
