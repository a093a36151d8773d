import { availableParallelism } from 'node:os';

import type { TokenBounds } from '@linnet/applications/settings/token-lifetimes';
import { cacheUrlVariable } from '@linnet/service/cache/cache';
import {
  databaseSessionVariables,
  toDatabaseSessions,
  mediaVariables,
  toMediaSettings,
  replicaVariables,
  signInProvidersVariable,
} from '@linnet/service/config/variables';
import type { DatabaseSessions, MediaSettings, SignInProvider } from '@linnet/service/config/variables';
import {
  baseUrlVariable,
  dataDirVariable,
  drainSecondsVariable,
  databasePoolVariable,
  databaseUrlVariable,
  apiExplorerVariable,
  directPathVariable,
  hostVariable,
  mailFromVariable,
  mediaFetchVariables,
  onOff,
  portVariable,
  productionSecretKeysVariable,
  productionVariable,
  rateLimitsVariable,
  readEnvironment,
  invitationsVariable,
  registrationProofVariable,
  registrationVariable,
  secretKeysVariable,
  securityContactVariable,
  serviceNameVariable,
  smtpRequireTlsVariable,
  smtpUrlVariable,
  toTokenBounds,
  toUnregisteredClients,
  tokenBoundVariables,
  trustProxyVariable,
  unregisteredClientVariables,
  workersVariable,
} from '@linnet/service/config/environment';
import type { UnregisteredClients } from '@linnet/service/config/environment';
import type { Environment } from '@linnet/service/config/environment-values';
import { observationVariables, toObservation } from '@linnet/service/config/observation-variables';
import type { Observation } from '@linnet/service/config/observation-variables';
import { siteLinkVariables, toSiteLinks } from '@linnet/service/http/site-links';
import type { SiteLinks } from '@linnet/service/http/site-links';
import type { Secret } from '@linnet/service/config/secret';
import type { ServiceConfig } from '@linnet/service/config/server-config';
import { z } from 'zod';

/** The configuration of the all-in-one service and of the commands that operate it. */
export interface Config extends UnregisteredClients, Observation {
  /** 0: a free port. */
  readonly port: number;
  readonly host: string;
  /** The public origin, without a trailing slash. */
  readonly baseUrl: string;
  /** Undefined: use the embedded PostgreSQL. */
  readonly databaseUrl: Secret | undefined;
  /** For migrations, because DATABASE_URL may be a pooler. */
  readonly directUrl: Secret | undefined;
  /** Connections per process; undefined: derived from the limit of the server. */
  readonly databasePool: number | undefined;
  readonly databaseSessions: DatabaseSessions;
  readonly replicaUrls: readonly Secret[];
  /** Undefined: each process counts rate limits on its own. */
  readonly cacheUrl: Secret | undefined;
  readonly trustProxy: number;
  /** Absolute path. */
  readonly dataDir: string;
  readonly media: MediaSettings;
  /** Undefined: use DATA_DIR/secret-keys. */
  readonly secretKeys: readonly Secret[] | undefined;
  readonly serviceName: string;
  /** `host:port` pairs that media may be fetched from although their addresses are not public. */
  readonly mediaFetchAllow: readonly string[];
  readonly workers: number;
  readonly rateLimits: boolean;
  /** Whether ordinary requests of hot endpoints are answered in front of Koa. */
  readonly directPath: boolean;
  readonly apiExplorer: boolean;
  /** Whether there is a sitemap of public profiles. */
  readonly sitemap: boolean;
  /** Whether the service serves its web client. */
  readonly webClient: boolean;
  /** Whether the service fetches pages that posts link to. */
  readonly linkCards: boolean;
  readonly registration: ServiceConfig['registration'];
  /** Whether people may invite, too, or only operators. */
  readonly mayPeopleInvite: boolean;
  /** Whether the registration page asks for a proof of work. */
  readonly registrationProof: boolean;
  /** How long a service that stops still accepts requests, while readiness is 503. */
  readonly drainSeconds: number;
  readonly production: boolean;
  /** Undefined: mail is written to files in DATA_DIR. */
  readonly smtpUrl: Secret | undefined;
  readonly smtpRequireTls: boolean;
  /** Undefined: derived from the host of `baseUrl`. */
  readonly mailFrom: string | undefined;
  readonly tokenBounds: TokenBounds;
  /** A URI for reports of vulnerabilities. */
  readonly securityContact: string | undefined;
  readonly siteLinks: SiteLinks;
  readonly signInProviders: readonly SignInProvider[];
}

const variables = z.object({
  PORT: portVariable.default(3000),
  HOST: hostVariable,
  BASE_URL: baseUrlVariable.optional(),
  DATABASE_URL: databaseUrlVariable.optional(),
  DATABASE_DIRECT_URL: databaseUrlVariable.optional(),
  DATABASE_POOL: databasePoolVariable.optional(),
  ...databaseSessionVariables,
  CACHE_URL: cacheUrlVariable.optional(),
  SMTP_URL: smtpUrlVariable.optional(),
  SMTP_REQUIRE_TLS: smtpRequireTlsVariable,
  MAIL_FROM: mailFromVariable.optional(),
  SECURITY_CONTACT: securityContactVariable.optional(),
  ...siteLinkVariables,
  SIGN_IN_PROVIDERS: signInProvidersVariable,
  TRUST_PROXY: trustProxyVariable,
  DATA_DIR: dataDirVariable,
  SECRET_KEYS: secretKeysVariable.optional(),
  SERVICE_NAME: serviceNameVariable,
  WORKERS: workersVariable.optional(),
  ...observationVariables,
  RATE_LIMITS: rateLimitsVariable,
  DIRECT_PATH: directPathVariable,
  API_EXPLORER: apiExplorerVariable,
  DRAIN_SECONDS: drainSecondsVariable,
  ...tokenBoundVariables,
  SITEMAP: onOff('on'),
  CLIENT: onOff('on'),
  LINK_CARDS: onOff('on'),
  NODE_ENV: productionVariable,
});

/**
 * Reads the configuration from the environment.
 * @throws ConfigurationError that lists every problem at once.
 */
export function readConfig(env: Environment = process.env): Config {
  const value = readEnvironment(configVariables(env), env);
  return {
    port: value.PORT,
    host: value.HOST,
    baseUrl: value.BASE_URL ?? `http://localhost:${String(value.PORT)}`,
    databaseUrl: value.DATABASE_URL,
    directUrl: value.DATABASE_DIRECT_URL ?? value.DATABASE_URL,
    databasePool: value.DATABASE_POOL,
    databaseSessions: toDatabaseSessions(value),
    cacheUrl: value.CACHE_URL,
    replicaUrls: value.DATABASE_REPLICA_URL ?? [],
    trustProxy: value.TRUST_PROXY,
    dataDir: value.DATA_DIR,
    media: toMediaSettings(value),
    secretKeys: value.SECRET_KEYS,
    serviceName: value.SERVICE_NAME,
    mediaFetchAllow: value.MEDIA_FETCH_ALLOW,
    workers: value.WORKERS ?? availableParallelism(),
    ...toObservation(value),
    rateLimits: value.RATE_LIMITS,
    directPath: value.DIRECT_PATH,
    apiExplorer: value.API_EXPLORER,
    registration: value.REGISTRATION,
    mayPeopleInvite: value.INVITATIONS,
    registrationProof: value.REGISTRATION_PROOF,
    drainSeconds: value.DRAIN_SECONDS,
    production: value.NODE_ENV,
    smtpUrl: value.SMTP_URL,
    smtpRequireTls: value.SMTP_REQUIRE_TLS,
    mailFrom: value.MAIL_FROM,
    ...toUnregisteredClients(value),
    tokenBounds: toTokenBounds(value),
    sitemap: value.SITEMAP,
    webClient: value.CLIENT,
    linkCards: value.LINK_CARDS,
    securityContact: value.SECURITY_CONTACT,
    siteLinks: toSiteLinks(value),
    signInProviders: value.SIGN_IN_PROVIDERS ?? [],
  };
}

/** The variables of this process, for `linnet config check` and the secrets of `linnet apply`. */
export function environment(): Environment {
  return process.env;
}

/** The variables of the all-in-one service and of the commands. */
export function configVariables(env: Environment) {
  const withMedia = variables.extend({
    ...mediaFetchVariables(env),
    ...mediaVariables(env),
    ...replicaVariables(env),
    ...unregisteredClientVariables(env),
    REGISTRATION: registrationVariable(env),
    INVITATIONS: invitationsVariable,
    REGISTRATION_PROOF: registrationProofVariable(env),
  });
  // Production must not fall back to an embedded database or to generated keys.
  const production = withMedia.extend({ SECRET_KEYS: productionSecretKeysVariable }).required({ DATABASE_URL: true });
  return env['NODE_ENV'] === 'production' ? production : withMedia;
}
