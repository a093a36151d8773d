import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';

import { PrismaClient } from './generated/client.ts';
import { statement } from './statement/statement.ts';
import type { ObserveStatement } from './statement/statement.ts';
import { createQueries } from './statement/transaction.ts';
import type { Queries, Queryable } from './statement/transaction.ts';
import { createWriteCheck, watchImpairments } from './connection/write-check.ts';
import type { WriteCheck } from './connection/write-check.ts';

export interface Db extends Queries, AsyncDisposable {
  /** Finds out whether writes succeed: from the writes of the last seconds and, at most every five seconds, a write of its own. */
  readonly checkWrites: WriteCheck;
  /**
   * Prisma on the same pool, for pages and commands (docs/style.md). Its errors are translated like those of `query`, except
   * in `$transaction(callback)`: use `transaction` instead. Created on first use, because it holds 25 MiB.
   */
  readonly prisma: Prisma;
  /** The connections of the pool at this moment. */
  readonly pool: () => PoolUse;
}

export interface PoolUse {
  readonly max: number;
  readonly open: number;
  /** Those that a statement or transaction uses. */
  readonly used: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
}

export interface DatabaseOptions {
  /** postgresql:// URL; `?host=<directory>` for a Unix socket. */
  readonly url: string;
  /** Maximum number of connections of this process. */
  readonly poolSize: number;
  /** `false` for poolers that do not keep prepared statements (DATABASE_PREPARE=off). */
  readonly prepare: boolean;
  /** Whether PostgreSQL describes the rows of a prepared statement each time (DATABASE_DESCRIBE=on); `false` if absent. */
  readonly describe?: boolean;
  /**
   * `false` for poolers that reject start-up options (DATABASE_STARTUP_OPTIONS=off): the role or database then sets what
   * `sessionSettings` sets otherwise, and the actor is in `application_name`. `true` if absent.
   */
  readonly startupOptions?: boolean;
  /** The actor that triggers record in `audit_event`; `service` if absent. */
  readonly actor?: 'service' | 'operator';
  /** Called for each statement sent, including Prisma's, BEGIN and COMMIT. */
  readonly onStatement?: (text: string) => void;
  readonly observe?: ObserveStatement | undefined;
  /** Called when an idle connection fails; the pool replaces it. */
  readonly onConnectionError?: (error: Error) => void;
}

/**
 * Timeouts: 3 s for a statement, 1.5 s for a lock, 5 s for an idle transaction. `lock_timeout` is longer than
 * `deadlock_timeout` (1 s), so that a deadlock is detected and retried rather than reported as a lock timeout.
 * Each prepared statement is planned once: planning a list takes 1 to 3 ms, longer than running it, and one plan suits
 * every account (test/scale).
 */
export const sessionSettings = {
  TimeZone: 'UTC',
  statement_timeout: '3s',
  lock_timeout: '1500ms',
  idle_in_transaction_session_timeout: '5s',
  plan_cache_mode: 'force_generic_plan',
} as const;
const acquireTimeoutMs = 2000;
const queryTimeoutMs = 5000;

type Prisma = ReturnType<typeof createPrisma>;

const ping = statement<readonly [], { one: number }>('ping', 'SELECT 1 AS one');

/** Sends a query that reads nothing. @throws DatabaseUnavailable */
export async function pingDatabase(db: Queryable): Promise<void> {
  await db.query(ping, []);
}

/** Opens one pool for raw statements and Prisma. Connects on first use; disposal closes the connections. */
export function openDatabase(options: DatabaseOptions): Db {
  const pool = createPool(options);
  const impairments = watchImpairments();
  const { prepare, describe = false, observe } = options;
  const { translate } = impairments;
  let prisma: Prisma | undefined;
  const queries = createQueries(pool, { prepare, describe, translate, observe });
  return {
    get prisma() {
      return (prisma ??= createPrisma(pool, { prepare, translate, observe }));
    },
    ...queries,
    pool: () => ({
      max: options.poolSize,
      open: pool.totalCount,
      used: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
    }),
    checkWrites: createWriteCheck(queries, impairments),
    [Symbol.asyncDispose]: async () => {
      await prisma?.$disconnect();
      await pool.end();
    },
  };
}

function createPool(options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    max: options.poolSize,
    connectionTimeoutMillis: acquireTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser: typeParser },
    ...connectionOf(options),
    ...(options.onStatement === undefined ? {} : { Client: observedClient(options.onStatement) }),
  });
  pool.on('error', (error) => options.onConnectionError?.(error));
  // The pool handles errors of idle connections only. A busy connection that fails also fails its statement.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Poolers in transaction mode pass `application_name` on with each transaction, so it can name the actor. */
function connectionOf({ url, startupOptions = true, actor = 'service' }: DatabaseOptions): pg.PoolConfig {
  if (startupOptions) {
    const settings = Object.entries({ ...sessionSettings, 'linnet.actor': actor });
    return { connectionString: url, options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' ') };
  }
  const named = new URL(url);
  named.searchParams.set('application_name', `linnet ${actor}`);
  return { connectionString: named.href };
}

function observedClient(onStatement: (text: string) => void): typeof pg.Client {
  return class ObservedClient extends pg.Client {
    override query(...args: unknown[]): never {
      const first = args[0];
      onStatement(typeof first === 'string' ? first : String(Reflect.get(Object(first), 'text')));
      // oxlint-disable-next-line typescript/unbound-method -- it is applied to `this`
      const query: (...args: unknown[]) => unknown = super.query;
      // TypeScript cannot restate the overloads of pg.Client.query; the arguments pass through unchanged.
      return Reflect.apply(query, this, args) as never;
    }
  };
}

type TypeParser = (oid: number, format?: 'text' | 'binary') => (value: string) => unknown;

const defaultTypeParser: TypeParser = pg.types.getTypeParser;
const int8Oid = 20;
const integerArrayOids = new Set([1007, 1016]); // int4[], int8[]

/** Parses int8 as a number: CHECK constraints keep ids below 2^53, and counters do not get there. */
const typeParser: TypeParser = (oid, format = 'text') => {
  if (oid === int8Oid) return Number;
  return integerArrayOids.has(oid) ? parseIntegerArray : defaultTypeParser(oid, format);
};

const zero = '0'.charCodeAt(0);
const minus = '-'.charCodeAt(0);

/** Parses `{1,-2}`. Arrays of ids and counters are flat and without NULL. Takes half as long as splitting the text. */
function parseIntegerArray(value: string): number[] {
  const numbers: number[] = [];
  if (value === '{}') return numbers;
  let sign = 1;
  let number = 0;
  // A number ends with a comma or with the closing brace.
  for (let index = 1; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    const digit = code - zero;
    if (digit >= 0 && digit <= 9) {
      number = number * 10 + digit;
    } else if (code === minus) {
      sign = -1;
    } else {
      numbers.push(sign * number);
      sign = 1;
      number = 0;
    }
  }
  return numbers;
}

interface PrismaOptions {
  readonly prepare: boolean;
  readonly translate: (error: unknown) => unknown;
  readonly observe: ObserveStatement | undefined;
}

function createPrisma(pool: pg.Pool, { prepare, translate, observe }: PrismaOptions) {
  const adapter = new PrismaPg(pool, prepare ? { statementNameGenerator: createStatementNames() } : {});
  return new PrismaClient({ adapter, errorFormat: 'minimal' }).$extends({
    query: {
      async $allOperations({ model = 'raw', operation, args, query }) {
        const end = observe?.(`prisma_${model}_${operation}`);
        try {
          const result: unknown = await query(args);
          end?.();
          return result;
        } catch (error) {
          end?.(error);
          throw translate(error);
        }
      },
    },
  });
}

/** Names each SQL text of Prisma when it is first sent. There are few, so the map stays small. */
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
