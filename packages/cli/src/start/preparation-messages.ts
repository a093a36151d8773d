import type { LogLevel } from '@linnet/service/config/observation-variables';
import type { DatabaseSessions } from '@linnet/service/config/variables';

/** What the primary needs of the configuration. */
export interface Settings {
  /** 0: a free port. */
  readonly port: number;
  readonly host: string;
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Absent: use the embedded PostgreSQL. */
  readonly databaseUrl?: string | undefined;
  readonly directUrl?: string | undefined;
  readonly databaseSessions: DatabaseSessions;
  readonly workers: number;
  readonly logLevel: LogLevel;
  readonly serviceName: string;
  readonly drainSeconds: number;
  /** Absent: no metrics. */
  readonly managementPort?: number | undefined;
  readonly managementHost: string;
  /** For the log. */
  readonly risks: readonly string[];
}

export interface DatabaseToPrepare {
  readonly url: string;
  readonly directUrl: string;
  readonly isEmbedded: boolean;
  readonly sessions: DatabaseSessions;
}

/** What the process of `preparation.ts` sends: the settings, then the pool size, or why it failed. */
export type PreparationMessage =
  | { readonly settings: Settings }
  | { readonly poolSize: number }
  | { readonly failure: { readonly code: string; readonly message: string } };
