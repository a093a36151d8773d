import { z } from 'zod';

import { findValues } from './environment-values.ts';
import type { Environment as EnvironmentReplicaVariables, Environment } from './environment-values.ts';
import { baseUrlVariable, databaseUrlVariable, isLoopbackHost, onOff, onOrOff } from './environment.ts';

import { Secret } from './secret.ts';

/** How connections to the database are used, which may be reached through a pooler. */
export interface DatabaseSessions {
  /** DATABASE_PREPARE: whether to use prepared statements. */
  readonly prepare: boolean;
  /** DATABASE_DESCRIBE: whether PostgreSQL describes the rows of a prepared statement each time. */
  readonly describe: boolean;
  /** DATABASE_STARTUP_OPTIONS: whether to send settings when connecting; by default like DATABASE_PREPARE. */
  readonly startupOptions: boolean;
}

export const databaseSessionVariables = {
  DATABASE_PREPARE: onOrOff().default(true),
  DATABASE_DESCRIBE: onOrOff().default(false),
  DATABASE_STARTUP_OPTIONS: onOrOff().optional(),
};

/** The parsed `databaseSessionVariables`. */
export function toDatabaseSessions(variables: {
  readonly DATABASE_PREPARE: boolean;
  readonly DATABASE_DESCRIBE: boolean;
  readonly DATABASE_STARTUP_OPTIONS?: boolean | undefined;
}): DatabaseSessions {
  const { DATABASE_PREPARE: prepare, DATABASE_DESCRIBE: describe } = variables;
  const { DATABASE_STARTUP_OPTIONS: startupOptions = prepare } = variables;
  return { prepare, describe, startupOptions };
}

/** The variables that say where media files are stored and at which address they are public. */

/** A bucket of an object store that speaks the S3 protocol, and how to use it. */
export interface BucketSettings {
  /** Origin of the object store, without a trailing slash. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: Secret;
  readonly secretAccessKey: Secret;
  /** Whether the bucket is in the path of URLs; otherwise it is the first label of the host. */
  readonly isPathStyle: boolean;
  /** What the keys of all objects begin with: empty, or it ends with a slash. */
  readonly prefix: string;
  /** `presigned`: clients are redirected to the object store for large images; `proxied`: the service sends all bytes. */
  readonly reads: 'proxied' | 'presigned';
}

export interface MediaSettings {
  /** Where new files are stored. */
  readonly store: 'file' | 's3';
  /** Undefined: no bucket. With the store `file`, files that are still in the bucket are served from there. */
  readonly bucket: BucketSettings | undefined;
  /** The origin of public media for clients; undefined: BASE_URL. */
  readonly url: string | undefined;
}

const bucketVariables = {
  S3_ENDPOINT: z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url !== undefined && /^https?:$/.test(url.protocol) && (text === url.origin || text === `${url.origin}/`)) {
      return url.origin;
    }
    context.issues.push({
      code: 'custom',
      input: text,
      message: 'must be a URL without path, query and credentials, such as https://s3.eu-central-1.amazonaws.com',
    });
    return z.NEVER;
  }),
  S3_BUCKET: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
    error: 'must have 3 to 63 lower-case letters, digits, dots or hyphens',
  }),
  S3_ACCESS_KEY_ID: secret(),
  S3_SECRET_ACCESS_KEY: secret(),
};

const otherVariables = {
  MEDIA_STORE: z.enum(['file', 's3'], { error: 'must be file or s3' }).default('file'),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,50}$/, { error: 'must have lower-case letters, digits and hyphens, such as eu-central-1' })
    .default('us-east-1'),
  S3_PATH_STYLE: onOff('on'),
  S3_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}){0,4}\/?$/, {
      error: 'must have letters, digits, hyphens, underscores and dots, separated by slashes, such as linnet/media',
    })
    .transform((text) => (text.endsWith('/') ? text : `${text}/`))
    .default(''),
  S3_READS: z.enum(['proxied', 'presigned'], { error: 'must be proxied or presigned' }).default('proxied'),
  MEDIA_URL: baseUrlVariable.optional(),
};

type Optional<Shape extends Record<string, z.ZodType>> = {
  readonly [Name in keyof Shape]: z.ZodType<z.output<Shape[Name]> | undefined>;
};

/** A bucket must be described completely if it is used, or if one of its variables is set. */
export function mediaVariables(env: Environment): Optional<typeof bucketVariables> & typeof otherVariables {
  const names = ['S3_ENDPOINT', 'S3_BUCKET'];
  const hasBucket = env['MEDIA_STORE'] === 's3' || names.some((name) => (env[name] ?? '') !== '');
  if (hasBucket) return { ...bucketVariables, ...otherVariables };
  return {
    S3_ENDPOINT: bucketVariables.S3_ENDPOINT.optional(),
    S3_BUCKET: bucketVariables.S3_BUCKET.optional(),
    S3_ACCESS_KEY_ID: bucketVariables.S3_ACCESS_KEY_ID.optional(),
    S3_SECRET_ACCESS_KEY: bucketVariables.S3_SECRET_ACCESS_KEY.optional(),
    ...otherVariables,
  };
}

type MediaVariables = z.output<z.ZodObject<ReturnType<typeof mediaVariables>>>;

export function toMediaSettings(variables: MediaVariables): MediaSettings {
  return { store: variables.MEDIA_STORE, bucket: toBucket(variables), url: variables.MEDIA_URL };
}

function toBucket(variables: MediaVariables): BucketSettings | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket } = variables;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  if (endpoint === undefined || bucket === undefined) return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return {
    ...{ endpoint, bucket, accessKeyId, secretAccessKey },
    region: variables.S3_REGION,
    isPathStyle: variables.S3_PATH_STYLE,
    prefix: variables.S3_PREFIX,
    reads: variables.S3_READS,
  };
}

function secret() {
  return z.string().transform((text) => new Secret(text));
}

/**
 * DATABASE_REPLICA_URL: replicas of the database, separated by commas. The processes tell each other through the cache who
 * has just written, so it needs CACHE_URL.
 */
export function replicaVariables(env: EnvironmentReplicaVariables) {
  const hasCache = findValues(['CACHE_URL'], env).values.has('CACHE_URL');
  return {
    DATABASE_REPLICA_URL: z
      .string()
      .refine(() => hasCache, { error: 'needs CACHE_URL, with which the processes tell each other of writes' })
      .transform((text) => text.split(',').map((url) => url.trim()))
      .pipe(z.array(databaseUrlVariable))
      .optional(),
  };
}

/** An OpenID Connect provider with which people sign in here. */
export interface SignInProvider {
  /** Part of the addresses that are registered there. */
  readonly id: string;
  /** On the button. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly scope: string;
  /** Who gets an account at the first sign-in; `none`: nobody. REGISTRATION can be stricter. */
  readonly signUp: 'open' | 'approval' | 'invitation' | 'none';
  /** The claim that makes an account an operator if it has, or contains, the value. */
  readonly operators?: { readonly claim: string; readonly value: string } | undefined;
}

const text = (max: number) => z.string().trim().min(1).max(max);

const providerSchema = z
  .strictObject({
    id: z.string().regex(/^[a-z\d](?:[a-z\d-]{0,30}[a-z\d])?$/, {
      error: 'must have 1 to 32 lower-case letters, digits or hyphens',
    }),
    name: text(60),
    issuer: z.string().max(255).refine(isIssuer, {
      error: 'must be an https:// address without query, as the provider writes it; http:// only on this machine',
    }),
    client_id: text(256),
    client_secret: text(1024),
    scopes: z
      .array(z.string().regex(/^[\w:./-]+$/))
      .refine((scopes) => scopes.includes('openid'), { error: 'must contain openid' })
      .default(['openid', 'email', 'profile']),
    sign_up: z.enum(['open', 'approval', 'invitation', 'none']).default('open'),
    operators: z.strictObject({ claim: text(100), value: text(255) }).optional(),
  })
  .transform(({ client_id: clientId, client_secret: clientSecret, sign_up: signUp, scopes, ...provider }) => {
    return { ...provider, clientId, clientSecret: new Secret(clientSecret), signUp, scope: scopes.join(' ') };
  });

/** SIGN_IN_PROVIDERS: JSON. Secret, because it contains client secrets. */
export const signInProvidersVariable = z
  .string()
  .transform((json, context): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      context.issues.push({ code: 'custom', input: undefined, message: 'must be JSON: a list of providers' });
      return z.NEVER;
    }
  })
  .pipe(z.array(providerSchema).max(20))
  .superRefine((providers, context) => {
    for (const member of ['id', 'issuer'] as const) {
      if (new Set(providers.map((provider) => provider[member])).size === providers.length) continue;
      context.addIssue({ code: 'custom', input: undefined, message: `must not have two providers with one ${member}` });
    }
  })
  .optional();

function isIssuer(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || `${url.search}${url.hash}${url.username}${url.password}` !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}
