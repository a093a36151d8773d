import type { Queryable } from '@linnet/db/database';

import { findApiEvents } from '@linnet/audit/api-history-store';
import { findApplicationEvents } from '@linnet/audit/application-history-store';
import { countRecentFailures, findFailures } from '@linnet/applications/failures/failure-store';
import { findEndpointDays, findEndpointSums } from '@linnet/applications/usage/endpoint-usage-store';
import { findUsageSummaries, findUsage } from '@linnet/applications/usage/usage-report-store';
import type { ApplicationReports } from './application-reports.ts';

export function createApplicationReports(db: Queryable): ApplicationReports {
  return {
    usageSummaries: (clientIds) => findUsageSummaries(db, clientIds),
    usage: (clientId) => findUsage(db, clientId),
    endpointSums: (clientId) => findEndpointSums(db, clientId),
    endpointDays: (clientId) => findEndpointDays(db, clientId),
    failures: (clientId, filter) => findFailures(db, clientId, filter),
    recentFailures: (clientId) => countRecentFailures(db, clientId),
    events: (clientId, page) => findApplicationEvents(db, clientId, page),
    apiEvents: (accountId, page) => findApiEvents(db, accountId, page),
  };
}
