import { insertFailures } from '@linnet/applications/failures/failure-store';
import { countRepeats } from '@linnet/applications/failures/repeats';
import type { Queryable } from '@linnet/db/statement/transaction';
import { storeApart } from '@linnet/db/store-apart';
import { createBatchWriter } from '@linnet/service/jobs/batch-writer';
import type { Logger } from '@linnet/service/log/logger';

import type { AuthEvents } from '../../audit/events.ts';
import { explainRefusedUses } from './artifact-facts-store.ts';
import type { RefusedUse } from './artifact-facts-store.ts';
import { toFailure, toIgnoredScopes } from './failure.ts';

/** Also writes refused requests to the request log that the owners of applications see. */
export function recordFailures(events: AuthEvents, { db, logger }: { db: Queryable; logger: Logger }): AuthEvents {
  const onLost = (count: number, err: unknown) =>
    logger.error({ err, count }, 'refused requests were not written to the request log');
  const writer = createBatchWriter<RefusedUse>({
    store: async (uses) =>
      await storeApart(
        uses,
        async (part) => await insertFailures(db, await explainRefusedUses(db, part)),
        (part, cause) => onLost(part.length, cause),
      ),
    onLost,
  });
  const write = countRepeats<RefusedUse>((failure) => writer.add(failure));
  const add = (failure: Omit<RefusedUse, 'at'>): void => write({ ...failure, at: new Date() });
  const addLogout = ({ clientId, error, reason }: Parameters<AuthEvents['logoutDelayed']>[0]) =>
    add({
      ...{ kind: 'logout', cause: 'logout_undelivered', details: {}, endpoint: 'backchannel_logout_uri' },
      ...{ error, reason, clientId, requestId: undefined, authenticated: true },
    });
  return {
    ...events,
    logoutDelayed: (event) => {
      events.logoutDelayed(event);
      addLogout(event);
    },
    logoutGivenUp: (event) => {
      events.logoutGivenUp(event);
      addLogout({ ...event, reason: `given up after 24 hours: ${event.reason}` });
    },
    requestRefused: (event) => {
      events.requestRefused(event);
      const { clientId, requestId, refusal } = event;
      const { artifact, authenticated = false } = refusal;
      add({ ...toFailure(refusal), artifact, authenticated, clientId, requestId });
    },
    scopesIgnored: (event) => {
      events.scopesIgnored(event);
      const { clientId, requestId } = event;
      if (clientId !== undefined) add({ ...toIgnoredScopes(event), clientId, requestId });
    },
  };
}
