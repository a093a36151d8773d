/** A unique index rejected a row. `constraint` is the name of the index, as in the migration. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
  readonly constraint: string;

  constructor(constraint: string, options?: ErrorOptions) {
    super(`The unique constraint ${constraint} rejected a row.`, options);
    this.constraint = constraint;
  }
}

/** A test person acts upon somebody else, or the opposite; a trigger rejected the row. */
export class TestPeopleApart extends Error {
  override readonly name = 'TestPeopleApart';
}

/** Why the database cannot serve a request, in one word for the log. */
export type Outage = 'unreachable' | 'overloaded' | 'lock-timeout' | Impairment;

/** Why a database that responds cannot do the work. */
export type Impairment = 'disk-full' | 'out-of-memory' | 'read-only';

/** The database cannot serve the request now: unreachable, starting, out of connections, or too slow. Retrying may help. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';
  /** The logger writes errors with an `outage` without a stack, and limits their number. */
  readonly outage: Outage = 'unreachable';
}

/** The database responds, but cannot do the work until an operator helps. Reads may still succeed. */
export class DatabaseImpaired extends DatabaseUnavailable {
  override readonly name = 'DatabaseImpaired';
  override readonly outage: Impairment;

  constructor(outage: Impairment, options?: ErrorOptions) {
    super(impairmentMessages[outage], options);
    this.outage = outage;
  }
}

const impairmentMessages: Readonly<Record<Impairment, string>> = {
  'disk-full': 'The disk of the database server is full.',
  'out-of-memory': 'The database server is out of memory.',
  'read-only': 'The database is read-only: a standby, or default_transaction_read_only is on.',
};

/** The database is reachable but overloaded: no connection became free, or a statement ran into its timeout. */
export class DatabaseBusy extends DatabaseUnavailable {
  override readonly name: string = 'DatabaseBusy';
  override readonly outage: Outage = 'overloaded';
}

/** Another transaction held a lock for longer than `lock_timeout`. */
export class LockTimeout extends DatabaseBusy {
  override readonly name = 'LockTimeout';
  override readonly outage = 'lock-timeout';
}

/** serialization_failure, deadlock_detected. */
const retryableCodes = new Set(['40001', '40P01']);

// PostgreSQL documentation, appendix A: class 08 (connection), 53 (resources), 57P0x (shutdown and startup),
// 55P03 (lock_timeout), 57014 (statement_timeout), 25P03 and 25P04 (timeouts of idle and of long transactions, which also end when
// the server's clock is set ahead).
const unavailableCodes = /^(08...|53...|57P0[1-5]|55P03|57014|25P0[34])$/;
/** disk_full, out_of_memory, read_only_sql_transaction. */
const impairments: ReadonlyMap<string, Impairment> = new Map([
  ['53100', 'disk-full'],
  ['53200', 'out-of-memory'],
  ['25006', 'read-only'],
]);
/**
 * A standby says so before it finds that a statement would write, if the statement uses an unlogged table. The code is also that of
 * everything else that PostgreSQL does not support.
 */
const standbyMessage = 'cannot access temporary or unlogged relations during recovery';
/** too_many_connections, query_canceled (statement_timeout). */
const busyCodes = new Set(['53300', '57014']);
const uniqueViolationCode = '23505';
const lockTimeoutCode = '55P03';
const unavailableSystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // This process, or the machine, has no file descriptor left for a connection.
  'EMFILE',
  'ENFILE',
]);
/** The kinds that Prisma's adapter reports instead of a code. */
const unavailableKinds = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);
/**
 * Errors that pg and pg-pool raise without a code, recognized by their message for want of anything else.
 * `database.store.test.ts` provokes them: it fails if an upgrade changes the wording.
 */
const driverMessages = {
  acquireTimeout: 'timeout exceeded when trying to connect',
  connectionLost: 'Connection terminated unexpectedly',
  queryTimeout: 'Query read timeout',
};
const unavailableMessages = [
  ...Object.values(driverMessages),
  'Connection terminated',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
];

/** True if the same transaction may succeed when it is retried (serialization failure, deadlock). */
export function isRetryable(error: unknown): boolean {
  return hasCodeOf(error, retryableCodes);
}

/** True if no connection of the pool became free in time. */
export function isAcquireTimeout(error: unknown): boolean {
  return hasMessageOf(error, [driverMessages.acquireTimeout]);
}

/**
 * Translates an error of `pg` or Prisma to UniqueViolation, TestPeopleApart, LockTimeout, DatabaseBusy, DatabaseImpaired or
 * DatabaseUnavailable, with the original as its cause. Returns any other error unchanged: it means a bug.
 */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof UniqueViolation || error instanceof DatabaseUnavailable) return error;
  const origin = driverError(error);
  const code = codeOf(origin);
  const constraint = constraintOf(origin);
  if (code === uniqueViolationCode) {
    return constraint === undefined ? error : new UniqueViolation(constraint, { cause: error });
  }
  if (constraint === 'test_people_apart') return new TestPeopleApart('Test people act apart.', { cause: error });
  const impairment = findImpairment(origin);
  if (impairment !== undefined) return new DatabaseImpaired(impairment, { cause: error });
  if (code === lockTimeoutCode) return new LockTimeout('A lock was held for too long.', { cause: error });
  if (hasCodeOf(origin, busyCodes)) return new DatabaseBusy('The database is overloaded.', { cause: error });
  if (isUnavailable(origin)) return new DatabaseUnavailable('The database cannot be reached.', { cause: error });
  return error;
}

/**
 * SQLSTATEs with which PostgreSQL rejects a statement and rolls it back, on a connection that can still be used: wrong
 * data, violated constraints, conflicts, locks, timeouts, errors of SQL and of functions. Others, such as those of a
 * shutdown (57P01), may arrive after the commit.
 */
const rolledBackCodes = /^(?:2[1-3]...|40001|40P01|42...|55...|57014|P0...)$/;

/** True for an error of `query` that proves that the statement had no effect and that the database can run others. */
export function isRolledBack(error: unknown): boolean {
  return rolledBackCodes.test(codeOf(driverError(error)) ?? '');
}

/** Classes of data exceptions, violated constraints, exceeded limits (a row that is too large) and exceptions of triggers. */
const rowRejectedCodes = /^(?:2[23]...|54...|P0...)$/;

/** True for an error of `query` that says that a row cannot be stored, whenever it is tried. */
export function isRowRejected(error: unknown): boolean {
  return error instanceof UniqueViolation || rowRejectedCodes.test(codeOf(driverError(error)) ?? '');
}

const lostConnectionCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/**
 * True for an error of `query` that leaves open whether the statement took effect: the connection was lost, or timed
 * out, after the statement was sent.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  const origin = error instanceof DatabaseUnavailable ? error.cause : error;
  return (
    (origin instanceof Error && hasCodeOf(origin, lostConnectionCodes)) ||
    hasMessageOf(origin, [driverMessages.connectionLost, driverMessages.queryTimeout])
  );
}

function findImpairment(error: unknown): Impairment | undefined {
  const message = property(error, 'originalMessage') ?? property(error, 'message');
  if (typeof message === 'string' && message.includes(standbyMessage)) return 'read-only';
  return impairments.get(codeOf(error) ?? '');
}

function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && (unavailableCodes.test(code) || unavailableSystemCodes.has(code))) return true;
  if (isRetryable(error)) return true; // the retries are used up
  if (unavailableKinds.has(String(property(error, 'kind')))) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return hasMessageOf(error, unavailableMessages);
}

function hasCodeOf(error: unknown, codes: ReadonlySet<string>): boolean {
  const code = codeOf(error);
  return code !== undefined && codes.has(code);
}

function hasMessageOf(error: unknown, messages: readonly string[]): boolean {
  return error instanceof Error && messages.some((message) => error.message.includes(message));
}

/** The driver's error inside one of Prisma's (`PrismaClientKnownRequestError.meta`). */
function driverError(error: unknown): unknown {
  const adapterError = property(property(error, 'meta'), 'driverAdapterError');
  return property(adapterError, 'cause') ?? property(error, 'cause') ?? error;
}

function codeOf(error: unknown): string | undefined {
  const code = property(error, 'originalCode') ?? property(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** `pg` names the constraint; Prisma's adapter leaves it in the message only. */
function constraintOf(error: unknown): string | undefined {
  const constraint = property(error, 'constraint');
  if (typeof constraint === 'string') return constraint;
  const message = property(error, 'originalMessage') ?? property(error, 'message');
  return typeof message === 'string' ? /constraint "([^"]+)"/.exec(message)?.[1] : undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
