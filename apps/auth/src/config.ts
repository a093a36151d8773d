import {
  baseUrlVariable,
  dataDirVariable,
  databasePoolVariable,
  databasePrepareVariable,
  databaseUrlVariable,
  hostVariable,
  logLevelVariable,
  mailFromVariable,
  portVariable,
  productionVariable,
  rateLimitsVariable,
  readEnvironment,
  secretKeysVariable,
  serviceNameVariable,
  smtpUrlVariable,
  trustProxyVariable,
  workersVariable,
} from '@linnet/service/environment';
import type { Environment, LogLevel } from '@linnet/service/environment';
import type { Secret } from '@linnet/service/secret';
import { z } from 'zod';

import { toMailConfig } from './mail/mail-config.ts';
import type { MailConfig } from './mail/mail-config.ts';

export interface AuthConfig {
  /** The one public origin, without a slash at its end. */
  readonly baseUrl: string;
  readonly serviceName: string;
  /** The first encrypts, all decrypt; empty when SECRET_KEYS is unset: whoever starts the app takes those of DATA_DIR. */
  readonly secretKeys: readonly Secret[];
  readonly trustProxy: number;
  /** Absolute path; images are kept below it, those of the API too. */
  readonly dataDir: string;
  /** Processes that share the limits of uploads. */
  readonly workers: number;
  readonly production: boolean;
  /** Off for benchmarks only. */
  readonly rateLimits: boolean;
  readonly mail: MailConfig;
}

/** What the authorization server needs besides when it is a process of its own. */
export interface AuthProcessConfig {
  readonly app: AuthConfig;
  readonly host: string;
  readonly port: number;
  readonly database: { readonly url: Secret; readonly poolSize: number; readonly prepare: boolean };
  readonly logLevel: LogLevel;
}

const defaultPort = 3001;
const defaultPool = 10;

const variables = z.object({
  BASE_URL: baseUrlVariable,
  HOST: hostVariable,
  PORT: portVariable.default(defaultPort),
  DATABASE_URL: databaseUrlVariable,
  DATABASE_POOL: databasePoolVariable.default(defaultPool),
  DATABASE_PREPARE: databasePrepareVariable,
  DATA_DIR: dataDirVariable,
  SECRET_KEYS: secretKeysVariable.optional(),
  SERVICE_NAME: serviceNameVariable,
  SMTP_URL: smtpUrlVariable.optional(),
  MAIL_FROM: mailFromVariable.optional(),
  TRUST_PROXY: trustProxyVariable,
  LOG_LEVEL: logLevelVariable,
  RATE_LIMITS: rateLimitsVariable,
  NODE_ENV: productionVariable,
  WORKERS: workersVariable.default(1),
});

/**
 * The configuration of the authorization server as a process of its own.
 * @throws ConfigurationError that lists every problem.
 */
export function readAuthConfig(env: Environment = process.env): AuthProcessConfig {
  // In production keys are not made up: replicas with keys of their own could not read each other's.
  const schema = env['NODE_ENV'] === 'production' ? variables.required({ SECRET_KEYS: true }) : variables;
  const value = readEnvironment(schema, env);
  return {
    app: {
      baseUrl: value.BASE_URL,
      serviceName: value.SERVICE_NAME,
      secretKeys: value.SECRET_KEYS ?? [],
      trustProxy: value.TRUST_PROXY,
      dataDir: value.DATA_DIR,
      workers: value.WORKERS,
      production: value.NODE_ENV,
      rateLimits: value.RATE_LIMITS,
      mail: toMailConfig({
        smtpUrl: value.SMTP_URL,
        from: value.MAIL_FROM,
        dataDir: value.DATA_DIR,
        baseUrl: value.BASE_URL,
      }),
    },
    host: value.HOST,
    port: value.PORT,
    database: { url: value.DATABASE_URL, poolSize: value.DATABASE_POOL, prepare: value.DATABASE_PREPARE },
    logLevel: value.LOG_LEVEL,
  };
}
