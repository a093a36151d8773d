import { statement } from '@linnet/db/statement';
import type { Queryable } from '@linnet/db/database';

/** What the service needs to know of a database server. */
export interface ServerSettings {
  readonly version: string;
  readonly maxConnections: number;
  /** Of our sessions. */
  readonly timeZone: string;
}

const serverSettings = statement<readonly [], ServerSettings>(
  'server_settings',
  `SELECT current_setting('server_version') AS version,
          current_setting('max_connections')::int AS "maxConnections",
          current_setting('TimeZone') AS "timeZone"`,
);

/** Asks the server. @throws DatabaseUnavailable */
export async function readServerSettings(db: Queryable): Promise<ServerSettings> {
  const [settings] = await db.query(serverSettings, []);
  if (settings === undefined) throw new Error('the server did not answer its settings');
  return settings;
}
