/** How connections to the database are used, which may be reached through a pooler. */
import { onOrOff } from './environment.ts';

export interface DatabaseSessions {
  /** DATABASE_PREPARE: whether to use prepared statements. */
  readonly prepare: boolean;
  /** DATABASE_DESCRIBE: whether PostgreSQL describes the rows of a prepared statement each time. */
  readonly describe: boolean;
  /** DATABASE_STARTUP_OPTIONS: whether to send settings when connecting; by default like DATABASE_PREPARE. */
  readonly startupOptions: boolean;
}

export const databaseSessionVariables = {
  DATABASE_PREPARE: onOrOff().default(true),
  DATABASE_DESCRIBE: onOrOff().default(false),
  DATABASE_STARTUP_OPTIONS: onOrOff().optional(),
};

/** The parsed `databaseSessionVariables`. */
export function toDatabaseSessions(variables: {
  readonly DATABASE_PREPARE: boolean;
  readonly DATABASE_DESCRIBE: boolean;
  readonly DATABASE_STARTUP_OPTIONS?: boolean | undefined;
}): DatabaseSessions {
  const { DATABASE_PREPARE: prepare, DATABASE_DESCRIBE: describe } = variables;
  const { DATABASE_STARTUP_OPTIONS: startupOptions = prepare } = variables;
  return { prepare, describe, startupOptions };
}
