import type { Queryable } from '@linnet/db/database';

import { findApplicationEvents } from '@linnet/audit/application-history-store';
import { findFailures } from '../../protocol/failures/failure-store.ts';
import { findStandings, findUsage } from '@linnet/applications/usage-report-store';
import type { ApplicationFigures } from './application-figures.ts';

export function createApplicationFigures(db: Queryable): ApplicationFigures {
  return {
    standings: (clientIds) => findStandings(db, clientIds),
    usage: (clientId) => findUsage(db, clientId),
    failures: (clientId, kind) => findFailures(db, clientId, kind),
    events: (clientId, page) => findApplicationEvents(db, clientId, page),
  };
}
