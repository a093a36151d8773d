import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';

import { toDatabaseError } from './database-error.ts';
import { PrismaClient } from './generated/client.ts';
import { statement } from './statement.ts';
import { createQueries } from './transaction.ts';
import type { Queryable, Transactional } from './transaction.ts';

export type { Queryable, Transaction, Transactional } from './transaction.ts';

export interface Db extends Transactional, AsyncDisposable {
  /**
   * Prisma on the same pool, for everything that is not hot. Its errors are translated as those of
   * `query`; only `$transaction(callback)` begins and commits untranslated: use `transaction`.
   */
  readonly prisma: Prisma;
}

export interface DatabaseOptions {
  /** postgresql:// URL; `?host=<directory>` for a Unix socket. */
  readonly url: string;
  /** Connections of this process. */
  readonly poolSize: number;
  /** `false` for poolers that cannot keep prepared statements (DATABASE_PREPARE=off). */
  readonly prepare: boolean;
  /** For whom it works, as the table `audit_event` tells it. A server of the service unless said. */
  readonly actor?: 'service' | 'operator';
  /** Called for each statement sent, Prisma's and BEGIN/COMMIT included. */
  readonly onStatement?: (text: string) => void;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onConnectionError?: (error: Error) => void;
}

/**
 * Statements end after 3 s, waits for a lock after 1.5 s, an abandoned transaction after 5 s. The
 * lock's time is longer than `deadlock_timeout` (1 s): a deadlock is found first, and tried again.
 * A prepared statement is planned once: the lists take 1 to 3 ms to plan, more than to run, and their
 * plans hold for every account (test/scale).
 */
const sessionSettings =
  '-c TimeZone=UTC -c statement_timeout=3000 -c lock_timeout=1500 -c idle_in_transaction_session_timeout=5000 ' +
  '-c plan_cache_mode=force_generic_plan';
const acquireTimeoutMs = 2000;
const queryTimeoutMs = 5000;

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
    ...createQueries(pool, options.prepare),
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
    pipeline: true,
    types: { getTypeParser: typeParser },
    ...settingsOf(options),
    ...(options.onStatement === undefined ? {} : { Client: observedClient(options.onStatement) }),
  });
  pool.on('error', (error) => options.onConnectionError?.(error));
  // The pool listens to idle connections only; one that breaks in use fails the statement under way.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Poolers that cannot keep prepared statements take no settings either: what their connections do has no known actor. */
function settingsOf({ prepare, actor = 'service' }: DatabaseOptions): Pick<pg.PoolConfig, 'options'> {
  return prepare ? { options: `${sessionSettings} -c linnet.actor=${actor}` } : {};
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
