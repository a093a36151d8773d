import { sessionSettings } from '../database.ts';
import type { Queryable } from '../statement/transaction.ts';
import { requireRow, statement } from '../statement/statement.ts';

const maxPoolSize = 10;
/** Left for migrations, operator commands and the server itself. */
const reservedConnections = 10;

/** The default of DATABASE_POOL: an equal share of the server's connections, at most 10. */
export function poolSizeFor(maxConnections: number, workers: number): number {
  const share = Math.floor((maxConnections - reservedConnections) / workers);
  return Math.max(1, Math.min(maxPoolSize, share));
}

/** What a session shows of the server, of its settings, and of a pooler in between. */
export interface Session {
  readonly version: string;
  readonly maxConnections: number;
  /** The process of the server behind the session. Two open connections share it only through a pooler. */
  readonly backend: number;
  /** Who triggers believe works here: `service`, `operator` or, if the connection does not say, null. */
  readonly actor: string | null;
  /** Current values of `sessionSettings`, as the server prints them. */
  readonly settings: Readonly<Record<keyof typeof sessionSettings, string>>;
}

type Row = Omit<Session, 'settings'> & Session['settings'];

const sessionStatement = statement<readonly [], Row>(
  'session',
  `SELECT current_setting('server_version') AS version, current_setting('max_connections')::int AS "maxConnections",
          pg_backend_pid() AS backend, linnet_actor() AS actor,
          ${Object.keys(sessionSettings)
            .map((name) => `current_setting('${name}') AS "${name}"`)
            .join(', ')}`,
);

/** Reads what a session of the pool shows; it needs the migrations. @throws DatabaseUnavailable */
export async function readSession(db: Queryable): Promise<Session> {
  const { version, maxConnections, backend, actor, ...settings } = requireRow(
    await db.query(sessionStatement, []),
    sessionStatement,
  );
  return { version, maxConnections, backend, actor, settings };
}

/** Sessions of the database are not in UTC. */
export class WrongTimeZone extends Error {
  override readonly name = 'WrongTimeZone';

  constructor(timeZone: string) {
    super(
      `The database uses the time zone ${timeZone}, so times would be stored wrong. Run: ALTER DATABASE … SET timezone = 'UTC'`,
    );
  }
}

/**
 * Checks the sessions of a server before `workers` processes serve from it. Returns how many connections each may have.
 * @throws WrongTimeZone
 */
export async function choosePoolSize(db: Queryable, workers: number): Promise<number> {
  const { maxConnections, settings } = await readSession(db);
  if (settings.TimeZone !== 'UTC') throw new WrongTimeZone(settings.TimeZone);
  return poolSizeFor(maxConnections, workers);
}
