import { setTimeout as delay } from 'node:timers/promises';

import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';

import { isRetryable, toDatabaseError } from './database-error.ts';
import { PrismaClient } from './generated/client.ts';
import { statement } from './statement.ts';
import type { Statement } from './statement.ts';

/** What runs statements: the database itself or one transaction of it. */
export interface Queryable {
  /** Sends one statement (one round trip). Throws UniqueViolation or DatabaseUnavailable. */
  query<Params extends readonly unknown[], Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]>;
}

export interface Db extends Queryable, AsyncDisposable {
  /**
   * Prisma on the same pool, for everything that is not hot. Its errors are translated as those of
   * `query`; only `$transaction(callback)` begins and commits untranslated: use `transaction`.
   */
  readonly prisma: Prisma;
  /**
   * Runs `work` in one transaction (READ COMMITTED). Serialization failures and deadlocks are tried
   * again, three times with jitter, so `work` must have no other effect than its statements.
   */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>;
}

export interface DatabaseOptions {
  /** postgresql:// URL; `?host=<directory>` for a Unix socket. */
  readonly url: string;
  /** Connections of this process. */
  readonly poolSize: number;
  /** `false` for poolers that cannot keep prepared statements (DATABASE_PREPARE=off). */
  readonly prepare: boolean;
  /** Called for each statement sent, Prisma's and BEGIN/COMMIT included. */
  readonly onStatement?: (text: string) => void;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onConnectionError?: (error: Error) => void;
}

/**
 * Statements end after 3 s, waits for a lock after 1.5 s, an abandoned transaction after 5 s. The
 * lock's time is longer than `deadlock_timeout` (1 s): a deadlock is found first, and tried again.
 */
const sessionSettings =
  '-c TimeZone=UTC -c statement_timeout=3000 -c lock_timeout=1500 -c idle_in_transaction_session_timeout=5000';
const acquireTimeoutMs = 2000;
const queryTimeoutMs = 5000;
const maxAttempts = 4;

type Prisma = ReturnType<typeof createPrisma>;

const ping = statement<readonly [], { one: number }>('ping', 'SELECT 1 AS one');

/** Resolves when the database answers. @throws DatabaseUnavailable */
export async function pingDatabase(db: Queryable): Promise<void> {
  await db.query(ping, []);
}

/** Opens the pool that raw statements and Prisma share. Connects on first use. */
export function openDatabase(options: DatabaseOptions): Db {
  const pool = createPool(options);
  const prisma = createPrisma(pool, options.prepare);
  return {
    prisma,
    ...queryableOn(pool, options.prepare),
    transaction: async (work) => await runTransaction(pool, options.prepare, work),
    [Symbol.asyncDispose]: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

function createPool(options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: acquireTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    types: { getTypeParser: typeParser },
    ...(options.prepare ? { options: sessionSettings } : {}),
    ...(options.onStatement === undefined ? {} : { Client: observedClient(options.onStatement) }),
  });
  pool.on('error', (error) => options.onConnectionError?.(error));
  // The pool listens to idle connections only; one that breaks in use fails the statement under way.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function observedClient(onStatement: (text: string) => void): typeof pg.Client {
  return class ObservedClient extends pg.Client {
    override query(...args: unknown[]): never {
      const first = args[0];
      onStatement(typeof first === 'string' ? first : String(Reflect.get(Object(first), 'text')));
      // oxlint-disable-next-line typescript/unbound-method -- it is applied to `this`
      const query: (...args: unknown[]) => unknown = super.query;
      // The overloads of pg.Client.query cannot be restated; the call is handed on unchanged.
      return Reflect.apply(query, this, args) as never;
    }
  };
}

type TypeParser = (oid: number, format?: 'text' | 'binary') => (value: string) => unknown;

const usualTypeParser: TypeParser = pg.types.getTypeParser;
const int8Oid = 20;
const int8ArrayOid = 1016;

/** int8 as a number: ids and counters stay below 2^53 (CHECK constraints hold the ids there). */
const typeParser: TypeParser = (oid, format = 'text') => {
  if (oid === int8Oid) return Number;
  return oid === int8ArrayOid ? parseInt8Array : usualTypeParser(oid, format);
};

/** `{1,2}` → [1, 2]; our arrays of ids are flat and hold no NULL. */
function parseInt8Array(value: string): number[] {
  return value === '{}' ? [] : value.slice(1, -1).split(',').map(Number);
}

function createPrisma(pool: pg.Pool, prepare: boolean) {
  const adapter = new PrismaPg(pool, prepare ? { statementNameGenerator: createStatementNames() } : {});
  return new PrismaClient({ adapter, errorFormat: 'minimal' }).$extends({
    query: {
      async $allOperations({ args, query }) {
        try {
          const result: unknown = await query(args);
          return result;
        } catch (error) {
          throw toDatabaseError(error);
        }
      },
    },
  });
}

/** Prisma's SQL texts are few; each gets a short name the first time it is seen. */
function createStatementNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    let name = names.get(sql);
    if (name === undefined) {
      name = `prisma_${String(names.size)}`;
      names.set(sql, name);
    }
    return name;
  };
}

function queryableOn(client: Pick<pg.Pool, 'query'>, prepare: boolean): Queryable {
  return {
    async query<Params extends readonly unknown[], Row>({ name, text }: Statement<Params, Row>, params: Params) {
      const values = [...params];
      try {
        const result = await client.query<Row & pg.QueryResultRow>(prepare ? { name, text, values } : { text, values });
        return result.rows;
      } catch (error) {
        throw isRetryable(error) ? error : toDatabaseError(error);
      }
    },
  };
}

async function runTransaction<Result>(
  pool: pg.Pool,
  prepare: boolean,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(pool, prepare, work);
    } catch (error) {
      if (!isRetryable(error) || attempt === maxAttempts) throw toDatabaseError(error);
      await delay(Math.random() * 20 * attempt);
    }
  }
}

async function attemptTransaction<Result>(
  pool: pg.Pool,
  prepare: boolean,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query('BEGIN');
    const result = await work(queryableOn(client, prepare));
    // A statement failed and `work` went on: PostgreSQL answers COMMIT with a rollback.
    const { command } = await client.query('COMMIT');
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
