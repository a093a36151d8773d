import { Secret } from '../config/secret.ts';

/** Names of fields whose values are never logged, in lower case without `-` and `_`. */
const secretNames = new Set([
  'accesstoken',
  'assertion',
  'authorization',
  'clientassertion',
  'clientsecret',
  'code',
  'codeverifier',
  'cookie',
  'idtoken',
  'password',
  'proxyauthorization',
  'refreshtoken',
  'secret',
  'secretkeys',
  'setcookie',
  'token',
  'xapikey',
]);
const knownNames = new Map<string, boolean>();
/** Most names of fields are in the code. Others, such as those of a request, must not take memory for ever. */
const maxKnownNames = 1000;

/** Whether the values of fields with this name are never logged. */
function isSecretName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isSecret = secretNames.has(name.toLowerCase().replaceAll(/[-_]/g, ''));
  if (knownNames.size < maxKnownNames) knownNames.set(name, isSecret);
  return isSecret;
}

// Keeps secrets and forged lines out of the log. `logger.ts` applies it to every line.

const redacted = '[secret]';
const maxDepth = 5;

/** Returns `fields` with the values of secret names redacted, at any depth. Errors are handled by `toLoggedError`. */
export function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return isHarmless(fields) ? fields : copyFields(fields, 0);
}

/** True for fields such as those of a request, which need not be copied. */
function isHarmless(fields: Record<string, unknown>): boolean {
  for (const name in fields) if (typeof fields[name] === 'object' || isSecretName(name)) return false;
  return true;
}

function copyFields(fields: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    copy[name] = isSecretName(name) ? redacted : copyValue(value, depth);
  }
  return copy;
}

function copyValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error || value instanceof Secret || value instanceof Date) return value;
  if (depth >= maxDepth) return '[deep]';
  if (Array.isArray(value)) return value.map((item: unknown) => copyValue(item, depth + 1));
  return copyFields(value, depth + 1);
}

/** The properties of an error that are logged. Others may contain personal data (PostgreSQL's `detail` shows the row). */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: LoggedError;
  readonly errors?: readonly LoggedError[];
}

/**
 * Returns the properties to log of anything thrown, including its causes. Errors with an `outage` (see
 * `outage-lines.ts`) come from outside the process, so their stack is left out.
 */
export function toLoggedError(error: unknown): LoggedError {
  const isOutage = error instanceof Error && 'outage' in error;
  return isOutage ? withoutStack(describeError(error, 0)) : describeError(error, 0);
}

function withoutStack({ stack: _stack, cause, errors, ...rest }: LoggedError): LoggedError {
  return {
    ...rest,
    ...(cause === undefined ? {} : { cause: withoutStack(cause) }),
    ...(errors === undefined ? {} : { errors: errors.map(withoutStack) }),
  };
}

function describeError(error: unknown, depth: number): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: describeThrown(error) };
  const code: unknown = Reflect.get(error, 'code');
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined || depth >= maxDepth ? {} : { cause: describeError(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && depth < maxDepth
      ? { errors: error.errors.slice(0, 3).map((one) => describeError(one, depth + 1)) }
      : {}),
  };
}

function describeThrown(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null ? 'an object that is not an Error was thrown' : String(thrown);
}

const credentials =
  /eyJ[\w-]{8,}\.[\w-]+\.[\w-]*|(\b(?:Bearer|Basic|DPoP) +)[\w.~+/=-]{16,}|(:\/\/[^\s/@:"]*:)[^\s/@"]+(?=@)/gi;
// JSON escapes C0 already. C1 includes a control sequence introducer, U+2028 and U+2029 end lines in some readers, and
// bidirectional controls reorder text.
const unsafeCharacters = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Redacts credentials inside a JSON line and escapes characters that control a terminal. */
export function cleanLine(line: string): string {
  return withoutCredentials(line).replace(unsafeCharacters, toEscape);
}

/** Like `cleanLine`, for a line that is parsed again and printed raw: the escapes survive the parser. */
export function cleanLineToShow(line: string): string {
  return withoutCredentials(line).replace(unsafeCharacters, (character) => `\\${toEscape(character)}`);
}

function withoutCredentials(line: string): string {
  return line.replace(credentials, (_match, scheme?: string, user?: string) => `${scheme ?? user ?? ''}${redacted}`);
}

// oxlint-disable-next-line no-control-regex -- these are the characters to escape
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g;

/** Escapes every control character, for text that is printed raw on a terminal. */
export function escapeControls(text: string): string {
  return text.replace(controlCharacters, toEscape).replace(unsafeCharacters, toEscape);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
