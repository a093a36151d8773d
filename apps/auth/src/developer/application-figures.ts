import type { ApplicationEvent } from '../audit/application-history-store.ts';
import type { FailureKind } from '../failures/failure.ts';
import type { ListedFailure } from '../failures/failure-store.ts';
import type { Standing, UsageDay } from '../usage/usage-store.ts';

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
