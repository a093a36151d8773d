import {
  baseUrlVariable,
  dataDirVariable,
  databasePoolVariable,
  databasePrepareVariable,
  databaseUrlVariable,
  hostVariable,
  logLevelVariable,
  mediaFetchAllowVariable,
  mediaStoreVariable,
  portVariable,
  rateLimitsVariable,
  readEnvironment,
  secretKeysVariable,
  serviceNameVariable,
  trustProxyVariable,
  workersVariable,
} from '@linnet/service/environment';
import type { Environment } from '@linnet/service/environment';
import type { Secret } from '@linnet/service/secret';
import { z } from 'zod';

/** What the application itself needs to know; the same in one process with the other server and apart. */
export interface ApiConfig {
  /** The one public origin, without a trailing slash. */
  readonly baseUrl: string;
  readonly serviceName: string;
  /** Absolute path; media are kept below it. */
  readonly dataDir: string;
  /** The first signs addresses of media, all verify; empty when SECRET_KEYS is unset: whoever starts the app takes those of DATA_DIR. */
  readonly secretKeys: readonly Secret[];
  /** `host:port` that media may be fetched from although they are not public. */
  readonly mediaFetchAllow: readonly string[];
  /** Off for benchmarks only. */
  readonly rateLimits: boolean;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: number;
  /** Processes that share the limits. */
  readonly workers: number;
}

const defaultPort = 3002;
const defaultPool = 10;

const schema = z.object({
  PORT: portVariable.default(defaultPort),
  HOST: hostVariable,
  BASE_URL: baseUrlVariable,
  DATABASE_URL: databaseUrlVariable,
  DATABASE_POOL: databasePoolVariable.default(defaultPool),
  DATABASE_PREPARE: databasePrepareVariable,
  DATA_DIR: dataDirVariable,
  SECRET_KEYS: secretKeysVariable.optional(),
  MEDIA_STORE: mediaStoreVariable,
  RATE_LIMITS: rateLimitsVariable,
  JWKS_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional(),
  SERVICE_NAME: serviceNameVariable,
  LOG_LEVEL: logLevelVariable,
  TRUST_PROXY: trustProxyVariable,
  WORKERS: workersVariable.default(1),
});

/**
 * The configuration of the API server as a process of its own.
 * @throws ConfigurationError that lists every problem.
 */
export function readApiConfig(env: Environment = process.env) {
  const withMedia = schema.extend({ MEDIA_FETCH_ALLOW: mediaFetchAllowVariable(env) });
  // In production keys are not made up: replicas with keys of their own could not read each other's.
  const variables = readEnvironment(
    env['NODE_ENV'] === 'production' ? withMedia.required({ SECRET_KEYS: true }) : withMedia,
    env,
  );
  return {
    app: {
      baseUrl: variables.BASE_URL,
      serviceName: variables.SERVICE_NAME,
      dataDir: variables.DATA_DIR,
      secretKeys: variables.SECRET_KEYS ?? [],
      mediaFetchAllow: variables.MEDIA_FETCH_ALLOW,
      rateLimits: variables.RATE_LIMITS,
      trustProxy: variables.TRUST_PROXY,
      workers: variables.WORKERS,
    } satisfies ApiConfig,
    host: variables.HOST,
    port: variables.PORT,
    jwksUrl: variables.JWKS_URL ?? `${variables.BASE_URL}/oauth/jwks`,
    logLevel: variables.LOG_LEVEL,
    database: {
      url: variables.DATABASE_URL,
      poolSize: variables.DATABASE_POOL,
      prepare: variables.DATABASE_PREPARE,
    },
  };
}
