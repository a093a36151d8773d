import { isIP } from 'node:net';
import { resolve } from 'node:path';

import { z } from 'zod';

import { ConfigurationError } from './configuration-error.ts';
import { findSecretKeyProblem, splitSecretKeys } from './secret-key-text.ts';
import { Secret } from './secret.ts';

/** What `process.env` looks like. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the variables that `schema` names; an empty value counts as unset.
 * @throws ConfigurationError that lists every problem, one line each, the variable's name first.
 */
export function readEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  env: Environment,
): Readonly<z.output<Schema>> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = schema.safeParse(present);
  if (result.success) return Object.freeze(result.data);
  throw new ConfigurationError(
    result.error.issues.map((issue) => {
      const name = String(issue.path[0] ?? 'configuration');
      const isMissing = issue.code === 'invalid_type' && present[name] === undefined;
      return `${name}: ${isMissing ? 'is not set, and has no default' : issue.message}`;
    }),
  );
}

// Pieces without a default serve variables whose default differs from process to process.

/** PORT. 0 lets the system choose one. */
export const portVariable = integer(0, 65_535, 'a port number between 1 and 65535');

/** HOST: the address to bind. */
export const hostVariable = z
  .string()
  .refine((host) => isIP(host) !== 0 || /^[A-Za-z0-9.-]{1,253}$/.test(host), {
    error: 'must be an IP address or a host name, such as 127.0.0.1 or 0.0.0.0',
  })
  .default('127.0.0.1');

/** BASE_URL: the one public origin, given back without a trailing slash. */
export const baseUrlVariable = z.string().transform((text, context) => {
  const origin = parseOrigin(text);
  if (typeof origin === 'string') return origin;
  context.issues.push({ code: 'custom', input: text, message: origin.problem });
  return z.NEVER;
});

/** DATABASE_URL and DATABASE_DIRECT_URL; secret because of the password in them. */
export const databaseUrlVariable = z
  .string()
  .refine(isDatabaseUrl, { error: 'must be a URL such as postgresql://user:password@host:5432/database' })
  .transform((text) => new Secret(text));

/** DATABASE_POOL: connections of one process. */
export const databasePoolVariable = integer(1, 1000, 'a number of connections between 1 and 1000');

/** DATABASE_PREPARE */
export const databasePrepareVariable = onOff('on');

/** RATE_LIMITS */
export const rateLimitsVariable = onOff('on');

const smtpUrl = /^smtps?:\/\//;

/** SMTP_URL: the server that takes outgoing mail; secret because of the password in it. */
export const smtpUrlVariable = z
  .string()
  .refine((text) => smtpUrl.test(text) && URL.canParse(text) && new URL(text).hostname !== '', {
    error: 'must be a URL such as smtps://user:password@mail.example.org or smtp://localhost:25',
  })
  .transform((text) => new Secret(text));

/** MAIL_FROM: the address that mail comes from. */
export const mailFromVariable = z.string().regex(/^[!#-'*+\-./0-9=?A-Z^-~]{1,64}@[A-Za-z0-9.-]{1,253}$/, {
  error: 'must be an e-mail address such as no-reply@example.org',
});

/** TRUST_PROXY: how many proxies in front of the service add to X-Forwarded-For. */
export const trustProxyVariable = integer(0, 10, 'a number of proxies between 0 and 10').default(0);

/** DATA_DIR, as an absolute path. */
export const dataDirVariable = z
  .string()
  .default('.data')
  .transform((path) => resolve(path));

/** SECRET_KEYS: the first encrypts and signs, all decrypt and verify. */
export const secretKeysVariable = z.string().transform((text, context) => {
  const problem = findSecretKeyProblem(text);
  if (problem === undefined) return splitSecretKeys(text).map((key) => new Secret(key));
  context.issues.push({ code: 'custom', input: undefined, message: problem });
  return z.NEVER;
});

/** MEDIA_STORE: where the files of media are kept. */
export const mediaStoreVariable = z
  .enum(['file'], { error: 'must be file; object storage (s3) cannot be used with this version yet' })
  .default('file');

const hostAndPort = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s:/@?#[\]]+):\d{1,5}$/;

/**
 * MEDIA_FETCH_ALLOW: `host:port`, comma-separated, that uploads may be fetched from although they are not
 * public. In production that takes MEDIA_FETCH_ALLOW_IN_PRODUCTION=yes.
 */
export function mediaFetchAllowVariable(env: Environment) {
  const isRefused = env['NODE_ENV'] === 'production' && env['MEDIA_FETCH_ALLOW_IN_PRODUCTION'] !== 'yes';
  return z
    .string()
    .refine(() => !isRefused, {
      error: 'opens internal addresses to uploads; in production set MEDIA_FETCH_ALLOW_IN_PRODUCTION=yes with it',
    })
    .transform((text) => text.split(',').map((entry) => entry.trim()))
    .refine((entries) => entries.every((entry) => hostAndPort.test(entry)), {
      error: 'must be host:port, several of them separated by commas',
    })
    .default([]);
}

/** SERVICE_NAME: the slug in `kind` and the name on pages. */
export const serviceNameVariable = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,30}[a-z0-9]$/, {
    error: 'must be 2 to 32 lower-case letters, digits and hyphens, a letter first',
  })
  .default('linnet');

/** WORKERS */
export const workersVariable = integer(1, 256, 'a number of processes between 1 and 256');

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** LOG_LEVEL */
export const logLevelVariable = z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info');

/** NODE_ENV, as an answer to "is this production?". */
export const productionVariable = z
  .string()
  .default('development')
  .transform((value) => value === 'production');

function integer(min: number, max: number, what: string) {
  return z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be ${what}`,
    })
    .transform(Number);
}

function onOff(byDefault: 'on' | 'off') {
  return z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default(byDefault)
    .transform((value) => value === 'on');
}

const loopbackHosts = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function parseOrigin(text: string): string | { readonly problem: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return { problem: 'must be a URL such as https://social.example.org' };
  }
  if (text !== url.origin && text !== `${url.origin}/`) {
    return { problem: `must be an origin and nothing more, such as ${url.origin}` };
  }
  if (url.protocol === 'http:' && !loopbackHosts.test(url.hostname)) {
    return { problem: 'must begin with https:// unless its host is localhost, 127.0.0.1 or [::1]' };
  }
  return url.origin;
}

function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) && new URL(text).pathname.length > 1;
}
