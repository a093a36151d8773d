import { countRecentFailures, findFailures } from '@linnet/applications/failures/failure-store';
import type { FailureFilter, FailurePage } from '@linnet/applications/failures/failure-store';
import { findWatchedRequests, watchApplication } from '@linnet/applications/usage/application-usage-store';
import type { WatchedRequests } from '@linnet/applications/usage/application-usage-store';
import { findEndpointDays, findEndpointSums } from '@linnet/applications/usage/endpoint-usage-store';
import type { EndpointDay, EndpointSum } from '@linnet/applications/usage/endpoint-usage-store';
import { findUsage, findUsageSummaries } from '@linnet/applications/usage/usage-report-store';
import type { UsageDay, UsageSummary } from '@linnet/applications/usage/usage-report-store';
import { findApiEvents } from '@linnet/audit/api-history-store';
import type { ApiEvent } from '@linnet/audit/api-history-store';
import { findApplicationEvents } from '@linnet/audit/application-history-store';
import type { ApplicationEvent } from '@linnet/audit/application-history-store';
import type { Queryable } from '@linnet/db/statement/transaction';

export function createApplicationReports(db: Queryable): ApplicationReports {
  return {
    usageSummaries: (clientIds) => findUsageSummaries(db, clientIds),
    usage: (clientId) => findUsage(db, clientId),
    endpointSums: (clientId) => findEndpointSums(db, clientId),
    endpointDays: (clientId) => findEndpointDays(db, clientId),
    failures: (clientId, filter) => findFailures(db, clientId, filter),
    recentFailures: (clientId) => countRecentFailures(db, clientId),
    watched: (clientId) => findWatchedRequests(db, clientId),
    watch: (clientId, minutes) => watchApplication(db, clientId, minutes),
    events: (clientId, page) => findApplicationEvents(db, clientId, page),
    apiEvents: (accountId, page) => findApiEvents(db, accountId, page),
  };
}

/** What the service knows about an application. The caller must check ownership. */
export interface ApplicationReports {
  /** By client id; deleted applications are left out. */
  usageSummaries(clientIds: readonly string[]): Promise<ReadonlyMap<string, UsageSummary>>;
  /** The last 30 days, oldest first. */
  usage(clientId: string): Promise<readonly UsageDay[]>;
  /** The last 90 days, most requests first. */
  endpointSums(clientId: string): Promise<readonly EndpointSum[]>;
  /** The same by day, oldest first. */
  endpointDays(clientId: string): Promise<readonly EndpointDay[]>;
  /** The latest failed requests that match the filter. */
  failures(clientId: string, filter: FailureFilter): Promise<FailurePage>;
  /** How many requests failed in the last 24 hours, without repeats. */
  recentFailures(clientId: string): Promise<number>;
  /** The latest successful requests of the last hour, while they were watched. */
  watched(clientId: string): Promise<WatchedRequests>;
  /** Keeps successful requests for the next minutes; with 0, no longer. */
  watch(clientId: string, minutes: number): Promise<void>;
  /** Latest first. */
  events(
    clientId: string,
    page: { readonly before: number | undefined; readonly limit: number },
  ): Promise<readonly ApplicationEvent[]>;
  /** What happened to the registered APIs of an account, latest first. */
  apiEvents(
    accountId: number,
    page: { readonly before: number | undefined; readonly limit: number },
  ): Promise<readonly ApiEvent[]>;
}
