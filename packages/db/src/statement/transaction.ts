import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

import { createBatches } from './batches.ts';
import {
  DatabaseBusy,
  DatabaseImpaired,
  DatabaseUnavailable,
  isAcquireTimeout,
  isRetryable,
  isRolledBack,
} from '../connection/database-error.ts';
import type { Caller } from './gate.ts';
import { Gate, RowsOccupied, Visit } from './gate.ts';
import { PreparedQuery, sendPrepared } from '../connection/prepared-query.ts';
import { isBatched } from './statement.ts';
import type { ObserveStatement, Statement } from './statement.ts';

/** Runs statements: the database itself or one of its transactions. */
export interface Queryable {
  /**
   * Sends one statement in one round trip and returns its rows.
   * @throws UniqueViolation, LockTimeout, DatabaseBusy, DatabaseImpaired or DatabaseUnavailable.
   */
  query<Params extends readonly unknown[], Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]>;
}

export interface Transactional extends Queryable {
  /**
   * Runs `work` in one transaction (READ COMMITTED) and returns its result. Retries up to three times, with jitter,
   * after a serialization failure or a deadlock, and starts again if it has to wait for a row at the gate: `work` must
   * have no other effect than its statements.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

export interface Transaction extends Queryable {
  /**
   * Defers a statement and sends it together with COMMIT, in the same round trip. If it fails, the transaction is
   * rolled back.
   */
  beforeCommit<Params extends readonly unknown[]>(statement: Statement<Params, unknown>, params: Params): void;
}

export interface Queries extends Transactional {
  /**
   * The same database for the calls of one account or application. Concurrent calls share statements (see
   * `BatchedStatement`); when there are many, every caller gets an equal share.
   */
  onBehalfOf(caller: Caller): Transactional;
  /**
   * The same database as the applications of a developer see it: with the test people of this account. Every statement is sent alone, in a
   * transaction that finds the view `sandbox.account` instead of the table.
   */
  withTestPeopleOf(ownerId: number): Transactional;
}

interface Connections extends Sending {
  readonly pool: pg.Pool;
}

/** How statements are sent. */
interface Sending {
  /** Whether as named prepared statements. */
  readonly prepare: boolean;
  /** Whether PostgreSQL describes the rows of a prepared statement each time; see `prepared-query.ts`. */
  readonly describe: boolean;
  readonly translate: Translation;
  readonly observe: ObserveStatement | undefined;
  /** For statements that are prepared for another view of the database: what their names end with. */
  readonly suffix?: string;
  /** SQL that begins a transaction; `BEGIN` if absent. */
  readonly begin?: string;
}

const maxAttempts = 4;
/** The server counts as reachable if it responded within this time. Statements time out after 3 s. */
const reachableMs = 4000;

interface QueriesOptions extends Pick<Sending, 'prepare' | 'describe' | 'observe'> {
  /** Translates an error of `pg`; see `toDatabaseError`. */
  readonly translate: (error: unknown) => unknown;
}

/** Statements and transactions on the connections of a pool. */
export function createQueries(pool: pg.Pool, options: QueriesOptions): Queries {
  const translate = createTranslation(options.translate);
  const connections = { ...options, pool, translate };
  // A single statement can also deadlock.
  const sendWithRetries: Queryable['query'] = async (statement, params) =>
    await withRetries(() => send(pool, { statement, params }, connections), translate.error);
  const gate = new Gate();
  const sendWithin: Queryable['query'] = async (statement, params) =>
    statement.locks === undefined
      ? await sendWithRetries(statement, params)
      : await gate.run(statement.locks(params), async () => await sendWithRetries(statement, params));
  const callBatched = createBatches({
    gate,
    send: sendWithRetries,
    // A read that timed out is not repeated while the database is busy. A write may have waited for the lock of one of
    // its calls, which must not fail the others; it must not be repeated if it may have taken effect.
    isWorthRepeating: (error, { writes }) => (writes ? isRolledBack(error) : !(error instanceof DatabaseUnavailable)),
  });
  const transactionOf =
    (sending: Connections): Transactional['transaction'] =>
    async (work) =>
      await withinGate(
        gate,
        async (visit) => await withRetries(async () => await attempt(sending, visit, work), translate.error),
      );
  const transaction = transactionOf(connections);
  const onBehalfOf: Queries['onBehalfOf'] = (caller) => ({
    query: (statement, params) =>
      isBatched(statement) ? callBatched(statement, params, caller) : sendWithin(statement, params),
    transaction,
  });
  const withTestPeopleOf: Queries['withTestPeopleOf'] = (ownerId) => {
    const inSandbox = transactionOf({ ...connections, suffix: '_sandbox', begin: beginInSandbox(ownerId) });
    return {
      query: async (statement, params) => await inSandbox(async (tx) => await tx.query(statement, params)),
      transaction: inSandbox,
    };
  };
  return { ...onBehalfOf(undefined), onBehalfOf, withTestPeopleOf };
}

/** SQL. Both settings end with the transaction, so this also works through poolers. */
function beginInSandbox(ownerId: number): string {
  return `BEGIN; SELECT set_config('search_path', 'sandbox, ' || current_setting('search_path'), true),
    set_config('linnet.sandbox', '${String(ownerId)}', true)`;
}

interface Translation {
  /** Records that the server responded, or that the pool handed out a connection. */
  readonly recordResponse: () => void;
  readonly error: (error: unknown) => unknown;
}

/** Adds to `toError`: a timeout of the pool means overload if the server still responds, otherwise an outage. */
function createTranslation(toError: (error: unknown) => unknown): Translation {
  let respondedAt = -Infinity;
  return {
    recordResponse: () => (respondedAt = performance.now()),
    error: (error) =>
      isAcquireTimeout(error) && performance.now() - respondedAt < reachableMs
        ? new DatabaseBusy('No connection of the pool became free in time.', { cause: error })
        : toError(error),
  };
}

/** Starts again, after waiting at the gate, as often as `work` comes upon more rows that are occupied. */
async function withinGate<Result>(gate: Gate, work: (visit: Visit) => Promise<Result>): Promise<Result> {
  let rows: readonly string[] = [];
  for (;;) {
    const visit = new Visit(gate);
    try {
      if (rows.length > 0) await visit.wait(rows);
      return await work(visit);
    } catch (error) {
      if (!(error instanceof RowsOccupied)) throw error;
      ({ rows } = error);
    } finally {
      visit.leave();
    }
  }
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

interface Call<Params extends readonly unknown[], Row> {
  readonly statement: Statement<Params, Row>;
  readonly params: Params;
}

/** Leaves retryable errors untranslated, for `withRetries`. */
async function send<Params extends readonly unknown[], Row>(
  client: Pick<pg.Pool, 'query'>,
  { statement: { name: plain, text }, params }: Call<Params, Row>,
  { prepare, describe, translate, observe, suffix = '' }: Sending,
): Promise<Row[]> {
  const values = [...params];
  const name = plain + suffix;
  const end = observe?.(plain);
  try {
    const rows =
      prepare && !describe
        ? await sendPrepared<Row>(client, new PreparedQuery({ name, text }, values))
        : (await client.query<Row & pg.QueryResultRow>(prepare ? { name, text, values } : { text, values })).rows;
    translate.recordResponse();
    end?.();
    return rows;
  } catch (error) {
    end?.(error);
    throw isRetryable(error) ? error : translate.error(error);
  }
}

/** Pipelines BEGIN with the first statement, and COMMIT with the deferred ones. */
async function attempt<Result>(
  { pool, begin: beginSql = 'BEGIN', ...sending }: Connections,
  visit: Visit,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  sending.translate.recordResponse();
  const deferred: (() => Promise<unknown>)[] = [];
  let isBroken = false;
  try {
    // Not awaited, so that the first statement follows at once. If BEGIN fails, so does that statement.
    const begin = client.query(beginSql);
    begin.catch(() => undefined);
    const result = await work({
      query: async (statement, params) => {
        visit.add(statement.locks?.(params) ?? []);
        return await send(client, { statement, params }, sending);
      },
      beforeCommit: (statement, params) => {
        visit.add(statement.locks?.(params) ?? []);
        deferred.push(() => send(client, { statement, params }, sending));
      },
    });
    await begin;
    visit.check();
    const sent = deferred.map((sendDeferred) => sendDeferred());
    const [{ command }] = await Promise.all([observeCommit(client, sending), ...sent]);
    // If `work` ignored the failure of a statement, PostgreSQL turns COMMIT into ROLLBACK.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back because one of its statements failed.');
    return result;
  } catch (error) {
    // The server of a read-only session may be a former primary, and no longer the one that a new connection reaches.
    isBroken = !(await rollBack(client)) || isReadOnly(error);
    throw error;
  } finally {
    client.release(isBroken);
  }
}

function isReadOnly(error: unknown): boolean {
  return error instanceof DatabaseImpaired && error.outage === 'read-only';
}

async function observeCommit(client: pg.PoolClient, { observe }: Pick<Sending, 'observe'>): Promise<pg.QueryResult> {
  const end = observe?.('commit');
  try {
    const result = await client.query('COMMIT');
    end?.();
    return result;
  } catch (error) {
    end?.(error);
    throw error;
  }
}

/** Returns false if the connection cannot be reused. */
async function rollBack(client: pg.PoolClient): Promise<boolean> {
  return await client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}
