import { Secret } from './secret.ts';

// What keeps log lines unforgeable and free of secrets; `logger.ts` puts it between caller and stream.

/** Names whose values never reach a line, in lower case with `-` and `_` left out. */
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
const left = '[secret]';
const maxDepth = 5;

/** A copy of `fields` without the values of secret names, at any depth. Errors are left to `toLoggedError`. */
export function withoutSecrets(fields: object): Record<string, unknown> {
  return copyFields(fields, 0);
}

function copyFields(fields: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    copy[name] = isSecretName(name) ? left : copyValue(value, depth);
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

function isSecretName(name: string): boolean {
  return secretNames.has(name.toLowerCase().replaceAll(/[-_]/g, ''));
}

/** What is kept of an error: other properties may hold values (`detail` of PostgreSQL shows the row). */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: LoggedError;
  readonly errors?: readonly LoggedError[];
}

/** The loggable part of whatever was thrown, its causes included. */
export function toLoggedError(error: unknown): LoggedError {
  return describeError(error, 0);
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
  return typeof thrown === 'object' && thrown !== null ? 'something that is no error was thrown' : String(thrown);
}

const credentials =
  /eyJ[\w-]{8,}\.[\w-]+\.[\w-]*|(\b(?:Bearer|Basic|DPoP) +)[\w.~+/=-]{16,}|(:\/\/[^\s/@:"]*:)[^\s/@"]+(?=@)/gi;
// C0 is escaped by JSON already. C1 holds a CSI of its own, U+2028 and U+2029 end lines in some
// readers, and the bidirectional controls turn text round.
const unsafeCharacters = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Cleans a finished JSON line: credentials that came inside a text, characters that steer a terminal. */
export function cleanLine(line: string): string {
  return withoutCredentials(line).replace(unsafeCharacters, toEscape);
}

/** As `cleanLine`, for a line that is parsed again and shown raw: the escapes survive the parser. */
export function cleanLineToShow(line: string): string {
  return withoutCredentials(line).replace(unsafeCharacters, (character) => `\\${toEscape(character)}`);
}

function withoutCredentials(line: string): string {
  return line.replace(credentials, (_match, scheme?: string, user?: string) => `${scheme ?? user ?? ''}${left}`);
}

// oxlint-disable-next-line no-control-regex -- these are the characters to be escaped
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g;

/** For texts printed raw on a terminal: no character moves the cursor or begins a line. */
export function escapeControls(text: string): string {
  return text.replace(controlCharacters, toEscape).replace(unsafeCharacters, toEscape);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
