/**
 * The authorization server's engine. This folder is the only one that imports oidc-provider; the
 * rest of the app gets Koa middleware from here. Reading order: `routes` (what is reachable),
 * `configuration` (what is on), `client*` and `adapter` (who the applications are),
 * `resource-server` (what a token says), then the steps around the provider: `token-endpoint`,
 * `failure-response`, `metadata`, and `observe` (events).
 */
import type Koa from 'koa';
import { Provider } from 'oidc-provider';

import type { AuthEvents } from '../events.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { compareSecretsByHash } from './client.ts';
import { cacheClients } from './client-cache.ts';
import { findRegistration } from './client-store.ts';
import type { ClientDatabase } from './client-store.ts';
import { createConfiguration } from './configuration.ts';
import { truthfulFailures } from './failure-response.ts';
import { honestMetadata } from './metadata.ts';
import { observeProvider } from './observe.ts';
import { onlyListedRoutes } from './routes.ts';
import { tokenEndpoint } from './token-endpoint.ts';

export interface OidcOptions {
  /** The issuer. */
  readonly baseUrl: string;
  readonly keyRing: KeyRing;
  readonly db: ClientDatabase;
  readonly events: AuthEvents;
  /** Whether an error means that the database is away. */
  readonly isUnavailable: (error: unknown) => boolean;
}

/** The steps that answer the paths of `routes.ts`, in order; they come last in an app and leave other paths alone. */
export function createOidc(options: OidcOptions): readonly Koa.Middleware[] {
  const { baseUrl, keyRing, db, events, isUnavailable } = options;
  const findClient = cacheClients((clientId) => findRegistration(db, clientId));
  const provider = new Provider(baseUrl, createConfiguration({ baseUrl, keyRing, findClient }));
  compareSecretsByHash(provider);
  pinUrls(provider);
  const findOutcome = observeProvider(provider, events);
  return [
    onlyListedRoutes,
    tokenEndpoint(findOutcome),
    truthfulFailures(findOutcome, isUnavailable),
    honestMetadata,
    ...provider.middleware,
  ];
}

/** The provider builds its own addresses from the Host of the request; the issuer is the truth (checklist HT1). */
function pinUrls(provider: Provider): void {
  provider.OIDCContext.prototype.urlFor = (name, options) => provider.urlFor(name, options);
}
