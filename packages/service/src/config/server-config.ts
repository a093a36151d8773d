import { z } from 'zod';

import { cacheUrlVariable } from '../cache/cache.ts';
import { databaseSessionVariables, toDatabaseSessions, mediaVariables, toMediaSettings } from './variables.ts';
import type { DatabaseSessions, MediaSettings } from './variables.ts';
import {
  apiExplorerVariable,
  baseUrlVariable,
  dataDirVariable,
  drainSecondsVariable,
  databasePoolVariable,
  databaseUrlVariable,
  directPathVariable,
  hostVariable,
  portVariable,
  productionSecretKeysVariable,
  invitationsVariable,
  registrationVariable,
  rateLimitsVariable,
  secretKeysVariable,
  serviceNameVariable,
  trustProxyVariable,
  workersVariable,
} from './environment.ts';
import type { Environment } from './environment-values.ts';
import { observationVariables, toObservation } from './observation-variables.ts';
import type { Observation } from './observation-variables.ts';
import type { Secret } from './secret.ts';

type RegistrationMode = z.output<ReturnType<typeof registrationVariable>>;

/** What each app needs to know, whether it shares a process with the others or not. */
export interface ServiceConfig {
  /** The one public origin, without a trailing slash. */
  readonly baseUrl: string;
  readonly serviceName: string;
  /** Absolute path; uploads in progress, and stored images unless they are in a bucket, are below it. */
  readonly dataDir: string;
  readonly media: MediaSettings;
  /** The first encrypts and signs, all decrypt and verify. */
  readonly secretKeys: readonly Secret[];
  /** The number of proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: number;
  /** The number of processes that share the limits of uploads and requests. */
  readonly workers: number;
  /** Off for tests only. */
  readonly rateLimits: boolean;
  /** Whether ordinary requests of hot endpoints are answered in front of Koa (DIRECT_PATH). */
  readonly directPath: boolean;
  /** Whether people can authorize the API reference (API_EXPLORER). */
  readonly apiExplorer: boolean;
  /** Who may register. */
  readonly registration: RegistrationMode;
  /** Whether people may invite, too, or only operators (INVITATIONS). */
  readonly mayPeopleInvite: boolean;
}

/** A ServiceConfig as read from the environment; without SECRET_KEYS the keys are those of DATA_DIR. */
export type ServiceSettings = Omit<ServiceConfig, 'secretKeys'> & {
  readonly secretKeys: readonly Secret[] | undefined;
};

/** What a server needs besides when it runs as its own process. */
export interface ProcessConfig extends Observation {
  readonly host: string;
  readonly port: number;
  readonly database: DatabaseSessions & {
    readonly url: Secret;
    /** For the check of the migrations, because `url` may be a pooler. */
    readonly directUrl: Secret;
    /** Connections of this process; undefined: an equal share of what the server allows. */
    readonly poolSize: number | undefined;
  };
  /** CACHE_URL. */
  readonly cacheUrl: Secret | undefined;
  /** How long it still accepts requests when it stops, while readiness is 503. */
  readonly drainSeconds: number;
}

/** The variables of a server that runs as its own process. */
export function serverVariables(env: Environment, defaultPort: number) {
  // Replicas that generate their own keys cannot decrypt each other's data.
  const isRequired = env['NODE_ENV'] === 'production';
  const secretKeys: z.ZodType<readonly Secret[] | undefined> = isRequired
    ? productionSecretKeysVariable
    : secretKeysVariable.optional();
  return z.object({
    BASE_URL: baseUrlVariable,
    HOST: hostVariable,
    PORT: portVariable.default(defaultPort),
    DATABASE_URL: databaseUrlVariable,
    DATABASE_DIRECT_URL: databaseUrlVariable.optional(),
    DATABASE_POOL: databasePoolVariable.optional(),
    ...databaseSessionVariables,
    CACHE_URL: cacheUrlVariable.optional(),
    DATA_DIR: dataDirVariable,
    ...mediaVariables(env),
    SECRET_KEYS: secretKeys,
    SERVICE_NAME: serviceNameVariable,
    TRUST_PROXY: trustProxyVariable,
    ...observationVariables,
    RATE_LIMITS: rateLimitsVariable,
    DIRECT_PATH: directPathVariable,
    API_EXPLORER: apiExplorerVariable,
    REGISTRATION: registrationVariable(env),
    INVITATIONS: invitationsVariable,
    DRAIN_SECONDS: drainSecondsVariable,
    WORKERS: workersVariable.default(1),
  });
}

type ServerVariables = z.output<ReturnType<typeof serverVariables>>;

export function toServiceSettings(variables: ServerVariables): ServiceSettings {
  return {
    baseUrl: variables.BASE_URL,
    serviceName: variables.SERVICE_NAME,
    dataDir: variables.DATA_DIR,
    media: toMediaSettings(variables),
    secretKeys: variables.SECRET_KEYS,
    trustProxy: variables.TRUST_PROXY,
    workers: variables.WORKERS,
    rateLimits: variables.RATE_LIMITS,
    directPath: variables.DIRECT_PATH,
    apiExplorer: variables.API_EXPLORER,
    registration: variables.REGISTRATION,
    mayPeopleInvite: variables.INVITATIONS,
  };
}

export function toProcessConfig(variables: ServerVariables): ProcessConfig {
  return {
    host: variables.HOST,
    port: variables.PORT,
    database: {
      url: variables.DATABASE_URL,
      directUrl: variables.DATABASE_DIRECT_URL ?? variables.DATABASE_URL,
      poolSize: variables.DATABASE_POOL,
      ...toDatabaseSessions(variables),
    },
    ...toObservation(variables),
    cacheUrl: variables.CACHE_URL,
    drainSeconds: variables.DRAIN_SECONDS,
  };
}
