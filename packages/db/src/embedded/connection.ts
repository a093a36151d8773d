import { randomBytes } from 'node:crypto';

import pg from 'pg';

const connectTimeoutMs = 5000;
/** `the database system is starting up` (or shutting down, or recovering); `too many clients`. */
const busyCodes = new Set(['57P03', '53300', 'EAGAIN']);
const absentCodes = new Set(['ENOENT', 'ECONNREFUSED']);

/** Marks the pools of this process and its workers: they all got one URL. */
const applicationName = `linnet-${randomBytes(4).toString('hex')}`;
const leavingName = 'linnet-leaving';

/** The URL for this process and its workers. */
export function embeddedUrl(socketDirectory: string, database: string): string {
  return urlOf(socketDirectory, database, applicationName);
}

/** The URL of the connection by which a process shows that it uses the server. */
export function holderUrl(socketDirectory: string): string {
  return urlOf(socketDirectory, 'postgres', 'linnet-holder');
}

/** Everything is said in the URL, so that no PG* variable of the environment has a say. */
function urlOf(socketDirectory: string, database: string, name: string): string {
  const query = [`host=${encodeURIComponent(socketDirectory)}`, 'sslmode=disable', `application_name=${name}`];
  return `postgresql://postgres@localhost:5432/${database}?${query.join('&')}`;
}

/**
 * Connects. `busy`: a server is there but does not accept yet (or any more); `absent`: nobody
 * listens. Throws any other error of `pg`.
 */
export async function tryConnect(url: string): Promise<pg.Client | 'busy' | 'absent'> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => undefined); // `end` follows
  try {
    await client.connect();
    return client;
  } catch (error) {
    const code = codeOf(error);
    if (absentCodes.has(code)) return 'absent';
    if (busyCodes.has(code) || isShutdown(error)) return 'busy';
    throw error;
  }
}

/** The server stopped under the connection: with a word, by closing it, or by dying. */
export function isShutdown(error: unknown): boolean {
  return (
    /^(57P0\d|ECONNRESET|EPIPE)$/.test(codeOf(error)) ||
    (error instanceof Error && error.message.startsWith('Connection terminated'))
  );
}

function codeOf(error: unknown): string {
  return String(Reflect.get(Object(error), 'code'));
}

/** Creates the database if need be. Safe from several processes at once. */
export async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const present = 'SELECT 1 FROM pg_database d JOIN pg_db_role_setting s ON s.setdatabase = d.oid WHERE datname = $1';
  if ((await client.query(present, [name])).rowCount !== 0) return;
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE template0`);
    // Prisma's adapter sends times without their offset: the session must count in UTC.
    await client.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} SET timezone = 'UTC'`);
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [name]);
  }
}

/**
 * Waits until nobody decides on the end of the server. Whoever decides after that sees this connection.
 * Throws as a query does when the server was stopped.
 */
export async function waitForLeaving(client: pg.Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock_shared(hashtext($1))', [leavingName]);
  await client.query('SELECT pg_advisory_unlock_shared(hashtext($1))', [leavingName]);
}

/**
 * Does anybody but this process and its workers use the server? Of processes that ask at once, one after
 * the other gets its answer, when the one before has left: the last one learns that it is alone.
 * After `true` the connection no longer counts as a use of the server and must be closed. After `false`
 * newcomers wait for as long as it is open: close it when the server has been stopped.
 */
export async function leaveToOthers(client: pg.Client): Promise<boolean> {
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [leavingName]);
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND application_name NOT IN ($1, $2) LIMIT 1`,
    [applicationName, leavingName],
  );
  if (rowCount === 0) return false;
  // The lock is gone a moment before the connection's row is.
  await client.query(`SET application_name = '${leavingName}'`);
  return true;
}
