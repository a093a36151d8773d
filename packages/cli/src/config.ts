import { availableParallelism } from 'node:os';

import {
  baseUrlVariable,
  dataDirVariable,
  databasePoolVariable,
  databasePrepareVariable,
  databaseUrlVariable,
  hostVariable,
  logLevelVariable,
  mailFromVariable,
  mediaFetchAllowVariable,
  mediaStoreVariable,
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

/** The configuration of the all-in-one service and of the commands that operate it. */
export interface Config {
  /** 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
  /** The public origin, without a trailing slash. */
  readonly baseUrl: string;
  /** Undefined: the embedded PostgreSQL. */
  readonly databaseUrl: Secret | undefined;
  /** For migrations, where DATABASE_URL is a pooler. */
  readonly directUrl: Secret | undefined;
  /** Connections per process; undefined: a share of what the server allows. */
  readonly databasePool: number | undefined;
  readonly databasePrepare: boolean;
  readonly trustProxy: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** Undefined: those of DATA_DIR/secret-keys. */
  readonly secretKeys: readonly Secret[] | undefined;
  readonly serviceName: string;
  /** `host:port` that media may be fetched from although they are not public. */
  readonly mediaFetchAllow: readonly string[];
  readonly workers: number;
  readonly logLevel: LogLevel;
  readonly rateLimits: boolean;
  readonly production: boolean;
  /** Undefined: mail is written to files of DATA_DIR. */
  readonly smtpUrl: Secret | undefined;
  /** Undefined: made of the public host. */
  readonly mailFrom: string | undefined;
}

const variables = z.object({
  PORT: portVariable.default(3000),
  HOST: hostVariable,
  BASE_URL: baseUrlVariable.optional(),
  DATABASE_URL: databaseUrlVariable.optional(),
  DATABASE_DIRECT_URL: databaseUrlVariable.optional(),
  DATABASE_POOL: databasePoolVariable.optional(),
  DATABASE_PREPARE: databasePrepareVariable,
  SMTP_URL: smtpUrlVariable.optional(),
  MAIL_FROM: mailFromVariable.optional(),
  TRUST_PROXY: trustProxyVariable,
  DATA_DIR: dataDirVariable,
  SECRET_KEYS: secretKeysVariable.optional(),
  SERVICE_NAME: serviceNameVariable,
  WORKERS: workersVariable.optional(),
  MEDIA_STORE: mediaStoreVariable,
  LOG_LEVEL: logLevelVariable,
  RATE_LIMITS: rateLimitsVariable,
  NODE_ENV: productionVariable,
});

/**
 * Reads the configuration from the environment.
 * @throws ConfigurationError that lists every problem at once.
 */
export function readConfig(env: Environment = process.env): Config {
  const withMedia = variables.extend({ MEDIA_FETCH_ALLOW: mediaFetchAllowVariable(env) });
  // In production nothing that matters is made up: neither a database nor keys.
  const production = withMedia.required({ DATABASE_URL: true, SECRET_KEYS: true });
  const value = readEnvironment(env['NODE_ENV'] === 'production' ? production : withMedia, env);
  return {
    port: value.PORT,
    host: value.HOST,
    baseUrl: value.BASE_URL ?? `http://localhost:${String(value.PORT)}`,
    databaseUrl: value.DATABASE_URL,
    directUrl: value.DATABASE_DIRECT_URL ?? value.DATABASE_URL,
    databasePool: value.DATABASE_POOL,
    databasePrepare: value.DATABASE_PREPARE,
    trustProxy: value.TRUST_PROXY,
    dataDir: value.DATA_DIR,
    secretKeys: value.SECRET_KEYS,
    serviceName: value.SERVICE_NAME,
    mediaFetchAllow: value.MEDIA_FETCH_ALLOW,
    workers: value.WORKERS ?? availableParallelism(),
    logLevel: value.LOG_LEVEL,
    rateLimits: value.RATE_LIMITS,
    production: value.NODE_ENV,
    smtpUrl: value.SMTP_URL,
    mailFrom: value.MAIL_FROM,
  };
}
