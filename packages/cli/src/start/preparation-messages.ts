import type { Config } from '../config.ts';
import type { ServiceDatabase } from './service-database.ts';

/** What the primary needs of the configuration. */
export interface Settings extends Pick<Config, PlainSetting> {
  /** Absent: use the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  readonly directUrl: string | undefined;
  /** For the log. */
  readonly risks: readonly string[];
}

type PlainSetting =
  | ('port' | 'host' | 'baseUrl' | 'dataDir' | 'databaseSessions' | 'workers')
  | ('logLevel' | 'serviceName' | 'drainSeconds' | 'managementPort' | 'managementHost');

export type DatabaseToPrepare = Omit<ServiceDatabase, typeof Symbol.asyncDispose>;

/** What the process of `preparation.ts` sends: the settings, then the pool size, or why it failed. */
export type PreparationMessage =
  | { readonly settings: Settings }
  | { readonly poolSize: number }
  | { readonly failure: { readonly code: string; readonly message: string } };
