import type { ApplicationEvent } from '@linnet/audit/application-history-store';
import type { FailureKind } from '../../protocol/failures/failure.ts';
import type { ListedFailure } from '../../protocol/failures/failure-store.ts';
import type { Standing, UsageDay } from '@linnet/applications/usage-report-store';

/** What pages tell of an application and its owner did not say; whose it is, is for the caller to know. */
export interface ApplicationFigures {
  /** By their ids; one that is gone is not there. */
  standings(clientIds: readonly string[]): Promise<ReadonlyMap<string, Standing>>;
  /** The last 30 days, the oldest first. */
  usage(clientId: string): Promise<readonly UsageDay[]>;
  /** The latest refused requests, of one kind or of all. */
  failures(clientId: string, kind: FailureKind | undefined): Promise<readonly ListedFailure[]>;
  /** The latest events first. */
  events(
    clientId: string,
    page: { readonly before: number | undefined; readonly limit: number },
  ): Promise<readonly ApplicationEvent[]>;
}
