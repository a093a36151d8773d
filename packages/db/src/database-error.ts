/** A unique index refused a row. `constraint` is the index's name, as the migration wrote it. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
  readonly constraint: string;

  constructor(constraint: string, options?: ErrorOptions) {
    super(`unique constraint ${constraint} refused a row`, options);
    this.constraint = constraint;
  }
}

/** The database cannot answer now: away, starting, full of connections, or too slow. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';
}

/** The database is there and has too much to do: no free connection, or a wait that took too long. */
export class DatabaseBusy extends DatabaseUnavailable {
  override readonly name: string = 'DatabaseBusy';
}

/** What a statement had to wait for was held by another transaction all the time (`lock_timeout`). */
export class LockTimeout extends DatabaseBusy {
  override readonly name = 'LockTimeout';
}

const retryableCodes = new Set(['40001', '40P01']);

// PostgreSQL Appendix A: class 08 (connection), 53 (resources), 57P0x (shutdown and start-up),
// 55P03 (lock_timeout), 57014 (statement_timeout), 25006 (read-only: a standby took over).
const unavailableCodes = /^(08...|53...|57P0[1-5]|55P03|57014|25006)$/;
/** Of those: too many connections, and a statement that took too long. */
const busyCodes = new Set(['53300', '57014']);
const lockTimeoutCode = '55P03';
const unavailableSystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** What Prisma's adapter makes of them where it keeps no code. */
const unavailableKinds = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);
const unavailableMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end|Query read timeout/;

/** True when the same transaction may simply be tried again (serialization failure, deadlock). */
export function isRetryable(error: unknown): boolean {
  return retryableCodes.has(codeOf(error) ?? '');
}

/** True when every connection of the pool was taken for too long. */
export function isAcquireTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.includes('timeout exceeded when trying to connect');
}

/**
 * Gives an error of `pg` or of Prisma its meaning: UniqueViolation, DatabaseBusy, DatabaseUnavailable, or
 * the error itself when it is neither (then it is a fault of ours).
 */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof UniqueViolation || error instanceof DatabaseUnavailable) return error;
  const origin = driverError(error);
  const code = codeOf(origin);
  if (code === '23505') {
    return new UniqueViolation(constraintOf(origin) ?? 'unknown', { cause: error });
  }
  if (code === lockTimeoutCode) return new LockTimeout('a lock was held for too long', { cause: error });
  if (busyCodes.has(code ?? '')) return new DatabaseBusy('the database has too much to do', { cause: error });
  if (isUnavailable(origin, code)) {
    return new DatabaseUnavailable('the database cannot be reached', { cause: error });
  }
  return error;
}

/** Codes and words of a connection that broke, or fell silent, after something was sent on it. */
const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
const brokenMessages = /Connection terminated unexpectedly|Query read timeout/;

/** True for an error of `query` after which nobody knows whether the statement was carried out: its answer is lost. */
export function isAnswerLost(error: unknown): boolean {
  const origin = error instanceof DatabaseUnavailable ? error.cause : error;
  return origin instanceof Error && (brokenCodes.has(codeOf(origin) ?? '') || brokenMessages.test(origin.message));
}

function isUnavailable(error: unknown, code: string | undefined): boolean {
  if (code !== undefined) {
    if (unavailableCodes.test(code) || unavailableSystemCodes.has(code)) return true;
    if (retryableCodes.has(code)) return true;
  }
  if (unavailableKinds.has(String(property(error, 'kind')))) return true;
  if (error instanceof AggregateError) return error.errors.some((one) => isUnavailable(one, codeOf(one)));
  return error instanceof Error && unavailableMessages.test(error.message);
}

/** The driver's own error inside one of Prisma's (`PrismaClientKnownRequestError.meta`). */
function driverError(error: unknown): unknown {
  const adapterError = property(property(error, 'meta'), 'driverAdapterError');
  return property(adapterError, 'cause') ?? property(error, 'cause') ?? error;
}

function codeOf(error: unknown): string | undefined {
  const code = property(error, 'originalCode') ?? property(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** pg names the constraint; Prisma's adapter keeps it in `constraint.index` or only in the message. */
function constraintOf(error: unknown): string | undefined {
  const constraint = property(error, 'constraint');
  if (typeof constraint === 'string') return constraint;
  const message = property(error, 'originalMessage') ?? property(error, 'message');
  return typeof message === 'string' ? /constraint "([^"]+)"/.exec(message)?.[1] : undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
