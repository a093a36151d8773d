import type { Queryable } from '@linnet/db/database';

import { findApplicationEvents } from '../audit/application-history-store.ts';
import { findFailures } from '../failures/failure-store.ts';
import { findStandings, findUsage } from '../usage/usage-store.ts';
import type { ApplicationFigures } from './application-figures.ts';

export function createApplicationFigures(db: Queryable): ApplicationFigures {
  return {
    standings: (clientIds) => findStandings(db, clientIds),
    usage: (clientId) => findUsage(db, clientId),
    failures: (clientId, kind) => findFailures(db, clientId, kind),
    events: (clientId, page) => findApplicationEvents(db, clientId, page),
  };
}
