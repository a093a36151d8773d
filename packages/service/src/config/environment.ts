import { isIP } from 'node:net';
import { join, resolve } from 'node:path';

import { z } from 'zod';

import { ConfigurationError } from './configuration-error.ts';
import { findValues, requireSecretsListed, installationDirectory } from './environment-values.ts';
import type { Environment } from './environment-values.ts';
import { findSecretKeyProblem, findWeakSecretKey, splitSecretKeys, Secret } from './secret.ts';
import { emailAddress, isWebAddress } from '../http/site-links.ts';

/**
 * Parses the variables in `schema`. Secrets may be in files (`environment-values.ts`). An empty value counts as unset.
 * @throws ConfigurationError with every problem.
 */
export function readEnvironment<Schema extends z.ZodObject>(
  schema: Schema,
  env: Environment,
): Readonly<z.output<Schema>> {
  const { values, problems } = findValues(Object.keys(schema.shape), env);
  const result = schema.safeParse(Object.fromEntries([...values].map(([name, { text }]) => [name, text])));
  if (result.success) requireSecretsListed(result.data);
  if (result.success && problems.length === 0) return Object.freeze(result.data);
  const unusable = new Set(problems.map((problem) => problem.replace(/(?:_FILE)?:.*/s, '')));
  const issues = result.success ? [] : result.error.issues.filter(({ path }) => !unusable.has(String(path[0])));
  throw new ConfigurationError([
    ...problems,
    ...issues.map((issue) => {
      const [variable] = issue.path;
      if (variable === undefined) throw new Error(`A rule names no variable: ${issue.message}`);
      const name = String(variable);
      const isMissing = issue.code === 'invalid_type' && !values.has(name);
      const member = issue.path.some((one, index) => index > 0 && typeof one === 'string')
        ? `${issue.path.slice(1).join('.')} `
        : '';
      return `${name}: ${isMissing ? 'is required' : member + issue.message}`;
    }),
  ]);
}

// Schemas without a default are for variables whose default differs between processes.

/** PORT: the port to listen on; 0 chooses a free one. */
export const portVariable = integer(0, 65_535, 'a port number between 1 and 65535');

/** HOST: the address to listen on. */
export const hostVariable = z
  .string()
  .refine((host) => isIP(host) !== 0 || /^[A-Za-z0-9.-]{1,253}$/.test(host), {
    error: 'must be an IP address or a host name, such as 127.0.0.1 or 0.0.0.0',
  })
  .default('127.0.0.1');

/** BASE_URL: the public origin of the service; parsed to a string without a trailing slash. */
export const baseUrlVariable = z.string().transform((text, context) => {
  const origin = parseOrigin(text);
  if (typeof origin === 'string') return origin;
  context.issues.push({ code: 'custom', input: text, message: origin.problem });
  return z.NEVER;
});

/** DATABASE_URL and DATABASE_DIRECT_URL. Secret, because they can contain a password. */
export const databaseUrlVariable = z
  .string()
  .refine(isDatabaseUrl, { error: 'must be a URL such as postgresql://user:password@host:5432/database' })
  .transform((text) => new Secret(text));

/** DATABASE_POOL: maximum number of connections per process. */
export const databasePoolVariable = integer(1, 1000, 'a number of connections between 1 and 1000');

/** RATE_LIMITS: whether to enforce rate limits. */
export const rateLimitsVariable = onOff('on');

/** DRAIN_SECONDS: how long a server that stops still accepts requests, so that proxies see that it is not ready. */
export const drainSecondsVariable = integer(0, 300, 'a number of seconds between 0 and 300').default(0);

/** DIRECT_PATH: whether ordinary requests of hot endpoints are answered in front of Koa. */
export const directPathVariable = onOff('on');

/** Whether the API reference has a client with which people authorize it. */
export const apiExplorerVariable = onOff('on');

/** `on`, `off`, or hosts, such as `agent.example,*.example.org,!bad.example`. */
const hostRules = z
  .string()
  .default('on')
  .transform((text) => ({ on: '*', off: '' })[text] ?? text.toLowerCase())
  .transform((text) => text.split(',').flatMap((rule) => (rule.trim() === '' ? [] : [rule.trim()])))
  .refine((rules) => rules.every((rule) => /^(?:\*|!?(?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)*)$/.test(rule)), {
    error:
      'must be on, off, or hosts such as agent.example, *.agent.example or !agent.example, with commas between them',
  });

/**
 * Whether a host is among those of rules: `host`, `*.host` for those below it, `*` for any, each refused with `!` before it. Rules
 * that only refuse accept all others.
 */
export function acceptsHost(rules: readonly string[], host: string): boolean {
  const matches = (rule: string) =>
    rule === '*' || rule === host || (rule.startsWith('*.') && host.endsWith(rule.slice(1)));
  const accepted = rules.filter((rule) => !rule.startsWith('!'));
  const isRefused = rules.some((rule) => rule.startsWith('!') && matches(rule.slice(1)));
  return rules.length > 0 && !isRefused && (accepted.length === 0 || accepted.some(matches));
}

/** Which clients may come that no developer registered. */
export interface UnregisteredClients {
  /** Whether clients can register themselves (RFC 7591). */
  readonly dynamicRegistration: boolean;
  /** How many of them one network can register. */
  readonly registrationsPerHour: number;
  /** Hosts whose metadata documents can be a client_id, in the form of `acceptsHost`; none if it is empty. */
  readonly clientIdMetadataDocuments: readonly string[];
}

/** Clients register themselves in production only where it is switched on. Documents are fetched, so their hosts vouch for them. */
export function unregisteredClientVariables(env: Environment) {
  const byDefault = env['NODE_ENV'] === 'production' ? 'off' : 'on';
  return {
    DYNAMIC_REGISTRATION: onOff(byDefault),
    DYNAMIC_REGISTRATION_PER_HOUR: integer(1, 1_000_000, 'a number between 1 and 1000000').default(60),
    CLIENT_ID_METADATA_DOCUMENTS: hostRules,
  };
}

/** The parsed `unregisteredClientVariables`. */
export function toUnregisteredClients(variables: {
  readonly DYNAMIC_REGISTRATION: boolean;
  readonly DYNAMIC_REGISTRATION_PER_HOUR: number;
  readonly CLIENT_ID_METADATA_DOCUMENTS: readonly string[];
}): UnregisteredClients {
  return {
    dynamicRegistration: variables.DYNAMIC_REGISTRATION,
    registrationsPerHour: variables.DYNAMIC_REGISTRATION_PER_HOUR,
    clientIdMetadataDocuments: variables.CLIENT_ID_METADATA_DOCUMENTS,
  };
}

const registrationModes = ['open', 'approval', 'invitation', 'closed'] as const;

/** REGISTRATION: who may register. In production an operator approves every registration, unless it is set. */
export function registrationVariable(env: Environment) {
  return z
    .enum(registrationModes, { error: `must be one of ${registrationModes.join(', ')}` })
    .default(env['NODE_ENV'] === 'production' ? 'approval' : 'open');
}

/** INVITATIONS: whether people may invite, too; parsed to true for `people`. */
export const invitationsVariable = z
  .enum(['operators', 'people'], { error: 'must be operators or people' })
  .default('operators')
  .transform((who) => who === 'people');

/** REGISTRATION_PROOF: whether the registration page asks the browser for a proof of work. */
export function registrationProofVariable(env: Environment) {
  return onOff(env['NODE_ENV'] === 'production' ? 'on' : 'off');
}

/** The longest lifetimes of tokens; an application can choose shorter ones. */
export const tokenBoundVariables = {
  ACCESS_TOKEN_MAX_SECONDS: seconds(60, 3600),
  REFRESH_TOKEN_MAX_SECONDS: seconds(300, 31_536_000),
  REFRESH_TOKEN_TOTAL_MAX_SECONDS: seconds(300, 31_536_000),
  REFRESH_TOKEN_REPEAT_MAX_SECONDS: seconds(10, 31_536_000),
};

/** The parsed `tokenBoundVariables`, in seconds. */
export function toTokenBounds(variables: { readonly [Name in keyof typeof tokenBoundVariables]: number }) {
  return {
    accessToken: variables.ACCESS_TOKEN_MAX_SECONDS,
    refreshToken: variables.REFRESH_TOKEN_MAX_SECONDS,
    refreshTokenTotal: variables.REFRESH_TOKEN_TOTAL_MAX_SECONDS,
    refreshTokenRepeat: variables.REFRESH_TOKEN_REPEAT_MAX_SECONDS,
  };
}

const smtpUrl = /^smtps?:\/\//;

/** SMTP_URL: the server for outgoing mail. Secret, because it can contain a password. */
export const smtpUrlVariable = z
  .string()
  .refine((text) => smtpUrl.test(text) && URL.canParse(text) && new URL(text).hostname !== '', {
    error: 'must be a URL such as smtps://user:password@mail.example.org or smtp://localhost:25',
  })
  .transform((text) => new Secret(text));

/** SMTP_REQUIRE_TLS: whether to send mail over TLS only, also for smtp:// (STARTTLS). */
export const smtpRequireTlsVariable = onOff('off');

/** SECURITY_CONTACT: where to report vulnerabilities; parsed to a URI. */
export const securityContactVariable = z
  .string()
  .refine((text) => emailAddress.test(text) || isWebAddress(text), {
    error: 'must be an e-mail address such as security@example.org, or an https:// address',
  })
  .transform((text) => (emailAddress.test(text) ? `mailto:${encodeURI(text)}` : new URL(text).href));

/** MAIL_FROM: the sender's address. */
export const mailFromVariable = z.string().regex(emailAddress, {
  error: 'must be an e-mail address such as no-reply@example.org',
});

/** TRUST_PROXY: the number of proxies in front of the service that append to X-Forwarded-For. */
export const trustProxyVariable = integer(0, 10, 'a number of proxies between 0 and 10').default(0);

/** DATA_DIR: parsed to an absolute path. By default, it does not depend on the working directory. */
export const dataDirVariable = z
  .string()
  .default(join(installationDirectory, '.data'))
  .transform((path) => resolve(path));

/** SECRET_KEYS: the first key encrypts and signs, all decrypt and verify. */
export const secretKeysVariable = z.string().transform((text, context) => {
  const problem = findSecretKeyProblem(text);
  if (problem === undefined) return splitSecretKeys(text).map((key) => new Secret(key));
  context.issues.push({ code: 'custom', input: undefined, message: problem });
  return z.NEVER;
});

/** SECRET_KEYS in production, where predictable keys are refused. */
export const productionSecretKeysVariable = secretKeysVariable.superRefine((keys, context) => {
  const problem = findWeakSecretKey(keys.map((key) => key.reveal()));
  if (problem !== undefined) context.addIssue({ code: 'custom', input: undefined, message: problem });
});

const hostAndPort = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s:/@?#[\]]+):\d{1,5}$/;

/**
 * MEDIA_FETCH_ALLOW: comma-separated `host:port` addresses on private networks from which uploads may be fetched. In
 * production it requires MEDIA_FETCH_ALLOW_IN_PRODUCTION=yes.
 */
export function mediaFetchVariables(env: Environment) {
  const isForbidden = env['NODE_ENV'] === 'production' && env['MEDIA_FETCH_ALLOW_IN_PRODUCTION'] !== 'yes';
  return {
    MEDIA_FETCH_ALLOW: z
      .string()
      .refine(() => !isForbidden, {
        error:
          'gives uploads access to internal addresses; in production, also set MEDIA_FETCH_ALLOW_IN_PRODUCTION=yes',
      })
      .transform((text) => text.split(',').map((entry) => entry.trim()))
      .refine((entries) => entries.every((entry) => hostAndPort.test(entry)), {
        error: 'must be a comma-separated list of host:port',
      })
      .default([]),
    MEDIA_FETCH_ALLOW_IN_PRODUCTION: z.enum(['yes', 'no'], { error: 'must be yes or no' }).default('no'),
  };
}

/** SERVICE_NAME: the prefix of `kind` in API responses and the name on pages. */
export const serviceNameVariable = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,30}[a-z0-9]$/, {
    error: 'must have 2 to 32 lower-case letters, digits or hyphens, start with a letter and not end with a hyphen',
  })
  .default('linnet');

/** WORKERS: the number of processes that serve. */
export const workersVariable = integer(1, 256, 'a number of processes between 1 and 256');

/** NODE_ENV: parsed to true for `production`. */
export const productionVariable = z
  .string()
  .default('development')
  .transform((value) => value === 'production');

/** A whole number in decimal digits; `what` names it in the error. */
export function integer(min: number, max: number, what: string) {
  return z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be ${what}`,
    })
    .transform(Number);
}

/** By default the longest. */
function seconds(min: number, max: number) {
  return integer(min, max, `a number of seconds between ${String(min)} and ${String(max)}`).default(max);
}

/** `on` or `off`, parsed to a boolean. */
export function onOff(byDefault: 'on' | 'off') {
  return onOrOff().default(byDefault === 'on');
}

/** For a variable whose default is elsewhere. */
export function onOrOff() {
  return z.enum(['on', 'off'], { error: 'must be on or off' }).transform((value) => value === 'on');
}

const loopbackHosts = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether the host of a URL is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return loopbackHosts.test(hostname);
}

function parseOrigin(text: string): string | { readonly problem: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return { problem: 'must be a URL such as https://social.example.org' };
  }
  if (text !== url.origin && text !== `${url.origin}/`) {
    return { problem: `must be an origin without path, query or credentials, such as ${url.origin}` };
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return { problem: 'must start with https:// unless the host is localhost, 127.0.0.1 or [::1]' };
  }
  return url.origin;
}

function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) && new URL(text).pathname.length > 1;
}
