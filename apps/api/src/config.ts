import {
  baseUrlVariable,
  databasePoolVariable,
  databasePrepareVariable,
  databaseUrlVariable,
  hostVariable,
  logLevelVariable,
  portVariable,
  rateLimitsVariable,
  readEnvironment,
  serviceNameVariable,
  trustProxyVariable,
  workersVariable,
} from '@linnet/service/environment';
import type { Environment } from '@linnet/service/environment';
import { z } from 'zod';

/** What the application itself needs to know; the same in one process with the other server and apart. */
export interface ApiConfig {
  /** The one public origin, without a trailing slash. */
  readonly baseUrl: string;
  readonly serviceName: string;
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
  JWKS_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional(),
  SERVICE_NAME: serviceNameVariable,
  LOG_LEVEL: logLevelVariable,
  RATE_LIMITS: rateLimitsVariable,
  TRUST_PROXY: trustProxyVariable,
  WORKERS: workersVariable.default(1),
});

/**
 * The configuration of the API server as a process of its own.
 * @throws ConfigurationError that lists every problem.
 */
export function readApiConfig(env: Environment = process.env) {
  const variables = readEnvironment(schema, env);
  return {
    app: {
      baseUrl: variables.BASE_URL,
      serviceName: variables.SERVICE_NAME,
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
