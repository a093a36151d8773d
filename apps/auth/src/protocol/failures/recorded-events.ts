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
  return {
    ...events,
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
