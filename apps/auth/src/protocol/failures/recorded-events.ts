import type { Queryable } from '@linnet/db/database';
import type { Logger } from '@linnet/service/logger';

import { createBatchWriter } from '@linnet/service/batch-writer';
import type { AuthEvents } from '../../audit/events.ts';
import { insertFailures } from './failure-store.ts';
import type { NewFailure } from './failure-store.ts';
import { toFailure, toIgnoredScopes } from './failure.ts';

/** Also writes refused requests to the request log that the owners of applications see. */
export function recordFailures(events: AuthEvents, { db, logger }: { db: Queryable; logger: Logger }): AuthEvents {
  const writer = createBatchWriter<NewFailure>({
    store: (items) => insertFailures(db, items),
    onLost: (count, err) => logger.error({ err, count }, 'refused requests were not written to the request log'),
  });
  const addLogout = ({ clientId, error, reason }: Parameters<AuthEvents['logoutDelayed']>[0]) =>
    writer.add({ kind: 'logout', endpoint: 'backchannel_logout_uri', error, reason, clientId, at: new Date() });
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
      writer.add({ ...toFailure(event.refusal), clientId: event.clientId, at: new Date() });
    },
    scopesIgnored: (event) => {
      events.scopesIgnored(event);
      const { clientId } = event;
      if (clientId !== undefined) writer.add({ ...toIgnoredScopes(event), clientId, at: new Date() });
    },
  };
}
