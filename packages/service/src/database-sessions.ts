/** How connections to the database are used, which may be reached through a pooler. */
import { onOrOff } from './environment.ts';

export interface DatabaseSessions {
  /** DATABASE_PREPARE: whether to use prepared statements. */
  readonly prepare: boolean;
  /** DATABASE_STARTUP_OPTIONS: whether to send settings when connecting; by default like DATABASE_PREPARE. */
  readonly startupOptions: boolean;
}

export const databaseSessionVariables = {
  DATABASE_PREPARE: onOrOff().default(true),
  DATABASE_STARTUP_OPTIONS: onOrOff().optional(),
};

/** The parsed `databaseSessionVariables`. */
export function toDatabaseSessions(variables: {
  readonly DATABASE_PREPARE: boolean;
  readonly DATABASE_STARTUP_OPTIONS?: boolean | undefined;
}): DatabaseSessions {
  const { DATABASE_PREPARE: prepare, DATABASE_STARTUP_OPTIONS: startupOptions = prepare } = variables;
  return { prepare, startupOptions };
}
