import { statement } from '@linnet/db/statement';
import type { Queryable } from '@linnet/db/database';

/** Settings of the database server. */
export interface ServerSettings {
  readonly version: string;
  readonly maxConnections: number;
  /** Time zone of the session. */
  readonly timeZone: string;
}

const serverSettings = statement<readonly [], ServerSettings>(
  'server_settings',
  `SELECT current_setting('server_version') AS version,
          current_setting('max_connections')::int AS "maxConnections",
          current_setting('TimeZone') AS "timeZone"`,
);

/** @throws DatabaseUnavailable */
export async function readServerSettings(db: Queryable): Promise<ServerSettings> {
  const [settings] = await db.query(serverSettings, []);
  if (settings === undefined) throw new Error('the statement server_settings returned no row');
  return settings;
}
