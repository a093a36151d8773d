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

/** Configuration of the app, whether it shares a process with the authorization server or not. */
export interface ApiConfig {
  /** The one public origin, without a trailing slash. */
  readonly baseUrl: string;
  readonly serviceName: string;
  /** Absolute path of the directory with the media files. */
  readonly dataDir: string;
  /** The first key signs media URLs, all keys verify. Empty when SECRET_KEYS is unset: the caller then loads keys from DATA_DIR. */
  readonly secretKeys: readonly Secret[];
  /** `host:port` of private hosts from which media may be fetched. */
  readonly mediaFetchAllow: readonly string[];
  /** Turn off for benchmarks only. */
  readonly rateLimits: boolean;
  /** Number of proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: number;
  /** Number of processes that share the rate limits. */
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
 * Reads the configuration of the API server that runs as its own process.
 * @throws ConfigurationError that lists every problem.
 */
export function readApiConfig(env: Environment = process.env) {
  const withMedia = schema.extend({ MEDIA_FETCH_ALLOW: mediaFetchAllowVariable(env) });
  // Production requires configured keys: replicas with generated keys could not verify each other's URLs.
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
