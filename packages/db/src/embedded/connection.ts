import { randomBytes } from 'node:crypto';

import pg from 'pg';

const connectTimeoutMs = 5000;
/** cannot_connect_now (starting, stopping or recovering), too_many_connections; EAGAIN: the socket's backlog is full. */
const busyCodes = new Set(['57P03', '53300', 'EAGAIN']);
const absentCodes = new Set(['ENOENT', 'ECONNREFUSED']);

/** Identifies the pools of this process and its workers, which share one URL. */
const applicationName = `linnet-${randomBytes(4).toString('hex')}`;
const leavingName = 'linnet-leaving';

/** URL of a database, for this process and its workers. */
export function embeddedUrl(socketDirectory: string, database: string): string {
  return urlOf(socketDirectory, database, applicationName);
}

/** URL of the connection that a process keeps open to show that it uses the server. */
export function holderUrl(socketDirectory: string): string {
  return urlOf(socketDirectory, 'postgres', 'linnet-holder');
}

/** Sets every option in the URL, so that PG* environment variables have no effect. */
function urlOf(socketDirectory: string, database: string, name: string): string {
  const query = [`host=${encodeURIComponent(socketDirectory)}`, 'sslmode=disable', `application_name=${name}`];
  return `postgresql://postgres@localhost:5432/${database}?${query.join('&')}`;
}

/**
 * Connects. Returns `busy` if a server does not accept connections at the moment, and `absent` if none listens.
 * @throws Any other error of `pg`.
 */
export async function tryConnect(url: string): Promise<pg.Client | 'busy' | 'absent'> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => undefined); // an `end` event follows
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

/** True for the error of a connection whose server stopped. `pg` reports a closed connection without a code. */
export function isShutdown(error: unknown): boolean {
  return (
    /^(57P0\d|ECONNRESET|EPIPE)$/.test(codeOf(error)) ||
    (error instanceof Error && error.message.startsWith('Connection terminated'))
  );
}

function codeOf(error: unknown): string {
  return String(Reflect.get(Object(error), 'code'));
}

/** Creates the database if it does not exist. Several processes may do this at the same time. */
export async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const present = 'SELECT 1 FROM pg_database d JOIN pg_db_role_setting s ON s.setdatabase = d.oid WHERE datname = $1';
  if ((await client.query(present, [name])).rowCount !== 0) return;
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE template0`);
    // Prisma's adapter sends timestamps without their offset: the session's time zone must be UTC.
    await client.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} SET timezone = 'UTC'`);
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [name]);
  }
}

/**
 * Waits until no other process is deciding whether to stop the server. Those that decide later see this connection.
 * @throws The error of a query if the server was stopped.
 */
export async function waitForLeaving(client: pg.Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock_shared(hashtext($1))', [leavingName]);
  await client.query('SELECT pg_advisory_unlock_shared(hashtext($1))', [leavingName]);
}

/**
 * Returns whether another process than this one and its workers uses the server. Calls of several processes run one
 * after the other, each when the previous process has left, so that the last one finds itself alone.
 * After `true` this connection no longer counts as a use; close it. After `false` processes that want to join wait
 * while it is open; close it when the server has stopped.
 */
export async function leaveServer(client: pg.Client): Promise<boolean> {
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [leavingName]);
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND application_name NOT IN ($1, $2) LIMIT 1`,
    [applicationName, leavingName],
  );
  if (rowCount === 0) return false;
  // On close, the lock is released a moment before the connection's row disappears.
  await client.query(`SET application_name = '${leavingName}'`);
  return true;
}
