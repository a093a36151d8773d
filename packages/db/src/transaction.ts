import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

import { DatabaseBusy, isAcquireTimeout, isRetryable, toDatabaseError } from './database-error.ts';
import type { Statement } from './statement.ts';

/** What runs statements: the database itself or one transaction of it. */
export interface Queryable {
  /** Sends one statement (one round trip). Throws UniqueViolation, DatabaseBusy or DatabaseUnavailable. */
  query<Params extends readonly unknown[], Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]>;
}

/** What runs statements singly or several as one. */
export interface Transactional extends Queryable {
  /**
   * Runs `work` in one transaction (READ COMMITTED). Serialization failures and deadlocks are tried
   * again, three times with jitter, so `work` must have no other effect than its statements.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

export interface Transaction extends Queryable {
  /**
   * Keeps a statement back until `work` is done and sends it together with COMMIT, in one round trip;
   * when it fails, nothing is committed.
   */
  beforeCommit<Params extends readonly unknown[]>(statement: Statement<Params, unknown>, params: Params): void;
}

/** How statements reach the server. */
interface Connections {
  readonly pool: pg.Pool;
  /** Named prepared statements. */
  readonly prepare: boolean;
  readonly translate: Translation;
}

const maxAttempts = 4;
/** The server counts as there when it answered within this time; no statement lasts longer than 3 s. */
const recentMs = 4000;

/** Statements and transactions on the connections of a pool. */
export function createQueries(pool: pg.Pool, prepare: boolean): Transactional {
  const connections = { pool, prepare, translate: createTranslation() };
  const { translate } = connections;
  return {
    // A single statement that met a deadlock is simply sent again, as a transaction is.
    query: async (statement, params) =>
      await withRetries(async () => await send(pool, statement, { params, prepare, translate }), translate.error),
    transaction: async (work) => await withRetries(async () => await attempt(connections, work), translate.error),
  };
}

interface Translation {
  /** The server, or the pool, has just given us something. */
  readonly answered: () => void;
  readonly error: (error: unknown) => unknown;
}

/** Waiting in vain for a free connection means too much work while the server answers, and else that it is away. */
function createTranslation(): Translation {
  let answeredAt = -Infinity;
  return {
    answered: () => (answeredAt = performance.now()),
    error: (error) =>
      isAcquireTimeout(error) && performance.now() - answeredAt < recentMs
        ? new DatabaseBusy('no connection became free in time', { cause: error })
        : toDatabaseError(error),
  };
}

async function withRetries<Result>(
  work: () => Promise<Result>,
  translate: (error: unknown) => unknown,
): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error) || attempts === maxAttempts) throw translate(error);
      await delay(Math.random() * 20 * attempts);
    }
  }
}

interface Sending {
  readonly params: readonly unknown[];
  readonly prepare: boolean;
  readonly translate: Translation;
}

/** Retryable errors stay as they are: whoever retries has to know them. */
async function send<Params extends readonly unknown[], Row>(
  client: Pick<pg.Pool, 'query'>,
  { name, text }: Statement<Params, Row>,
  { params, prepare, translate }: Sending,
): Promise<Row[]> {
  const values = [...params];
  try {
    const result = await client.query<Row & pg.QueryResultRow>(prepare ? { name, text, values } : { text, values });
    translate.answered();
    return result.rows;
  } catch (error) {
    throw isRetryable(error) ? error : translate.error(error);
  }
}

/** BEGIN travels with the first statement, COMMIT with those kept back (pipelining). */
async function attempt<Result>(
  { pool, prepare, translate }: Connections,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  translate.answered();
  const last: (() => Promise<unknown>)[] = [];
  let broken = false;
  try {
    // Not waited for: the first statement follows at once. What fails here fails there too.
    const begun = client.query('BEGIN');
    begun.catch(() => undefined);
    const result = await work({
      query: async (statement, params) => await send(client, statement, { params, prepare, translate }),
      beforeCommit: (statement, params) =>
        void last.push(async () => await send(client, statement, { params, prepare, translate })),
    });
    await begun;
    const stored = last.map((one) => one());
    const [{ command }] = await Promise.all([client.query('COMMIT'), ...stored]);
    // A statement failed and `work` went on: PostgreSQL answers COMMIT with a rollback.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed');
    return result;
  } catch (error) {
    broken = !(await rollBack(client));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** False when the connection is of no more use. */
async function rollBack(client: pg.PoolClient): Promise<boolean> {
  return await client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}
