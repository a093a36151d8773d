import { randomBytes } from 'node:crypto';

import { Provider } from 'oidc-provider';
import type { AllClientMetadata, Client, ResponseType } from 'oidc-provider';

import { findSecret, isActiveSecret } from '@linnet/applications/secrets/client-secret';
import type { StoredSecret } from '@linnet/applications/secrets/client-secret';
import { protocolSettings } from '@linnet/applications/settings/protocol-settings';
import { SecretExpired } from '../failures/reason-code.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import type { FindClient } from './client-cache.ts';
import type { Registration } from './client-store.ts';

/** The property of the provider's client that holds our registration. */
export const registrationProperty = 'registration';

/**
 * The provider requires a client secret in clear text, and we store hashes only. It gets a random value, which
 * `compareSecretsByHash` never compares with anything.
 */
const unusedSecret = randomBytes(32).toString('base64url');

/** A registration as client metadata of the provider. */
export function toClientMetadata(registration: Registration): AllClientMetadata {
  const { additionalRedirectUris } = registration;
  const hasNone = registration.redirectUris.length === 0;
  // The provider must know one redirect URI; `redirect-uri` accepts the additional ones beside registered ones.
  const redirectUris = hasNone ? additionalRedirectUris : registration.redirectUris;
  // Additional redirect URIs are web addresses with a fixed port.
  const isNative = registration.type === 'native' && !(hasNone && additionalRedirectUris.length > 0);
  return {
    client_id: registration.clientId,
    application_type: isNative ? 'native' : 'web',
    redirect_uris: redirectUris,
    ...grantTypesOf(registration, redirectUris),
    ...authenticationOf(registration),
    ...requirementsOf(registration),
    [registrationProperty]: registration,
  };
}

/** One method per application (checklist CA2). The provider treats Basic and POST body as interchangeable. */
function authenticationOf({ type, jwksUri, jwks }: Registration): Partial<AllClientMetadata> {
  if (type !== 'confidential') return { token_endpoint_auth_method: 'none' };
  if (jwksUri !== null) return { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: jwksUri };
  if (jwks !== null) return { token_endpoint_auth_method: 'private_key_jwt', jwks };
  return { token_endpoint_auth_method: 'client_secret_basic', client_secret: unusedSecret };
}

/** Settings that the provider enforces by itself, under their registration names. */
function requirementsOf({ protocol }: Registration): Partial<AllClientMetadata> {
  const { requirePushedAuthorizationRequests, dpopBoundAccessTokens, idTokenSignedResponseAlg } = protocol;
  return {
    [protocolSettings.requirePushedAuthorizationRequests.name]: requirePushedAuthorizationRequests,
    [protocolSettings.dpopBoundAccessTokens.name]: dpopBoundAccessTokens,
    [protocolSettings.idTokenSignedResponseAlg.name]: idTokenSignedResponseAlg,
  };
}

/** Authorization requests need a redirect URI; `none` stands for `token` (see implicit-token). */
function grantTypesOf({ protocol: { grantTypes } }: Registration, redirectUris: readonly string[]) {
  const atTokenEndpoint = grantTypes.filter((grantType) => grantType !== 'implicit');
  const withoutRedirect = atTokenEndpoint.filter((grantType) => grantType !== 'authorization_code');
  if (redirectUris.length === 0) return { response_types: [], grant_types: withoutRedirect };
  const responseTypes: ResponseType[] = [];
  if (grantTypes.includes('authorization_code')) responseTypes.push('code');
  if (grantTypes.includes('implicit')) responseTypes.push('none');
  return { response_types: responseTypes, grant_types: atTokenEndpoint };
}

/** The registration that `toClientMetadata` stored in the client. */
export function registrationOf(client: Client): Registration {
  const registration = client[registrationProperty];
  if (isRegistration(registration)) return registration;
  throw new TypeError(`client ${client.clientId} has no registration`);
}

function isRegistration(value: unknown): value is Registration {
  return typeof value === 'object' && value !== null && 'secrets' in value && 'actingGrant' in value;
}

/**
 * Compares secrets by SHA-256 (checklist CA3); every active secret is accepted (CA6). Another process may have just
 * added a secret that is not cached here: `reload` reads the database.
 */
export function compareSecretsByHash(
  provider: Provider,
  { reload, secretUsed, limits, now = Date.now }: SecretComparison,
): void {
  const accept = (secrets: readonly StoredSecret[], presented: string): boolean => {
    const secret = findSecret(secrets, presented);
    if (secret === undefined || !isActiveSecret(secret, now())) return false;
    secretUsed(secret.id, now());
    return true;
  };
  provider.Client.prototype.compareClientSecret = async function compareClientSecret(this: Client, presented) {
    const { clientId, secrets: known } = registrationOf(this);
    const count = async () => {
      if (Provider.ctx !== undefined) await limits.authenticated(Provider.ctx, clientId);
    };
    if (accept(known, presented)) {
      await count();
      return true;
    }
    const { secrets = [] } = (await reload(clientId)) ?? {};
    const isMatch = accept(secrets, presented);
    if (isMatch) await count();
    // Its tokens need the current epoch, so the rest of the request uses the reloaded client.
    if (isMatch) Provider.ctx?.oidc.entity('Client', await provider.Client.find(clientId));
    else rejectExpired(findSecret(secrets, presented));
    return isMatch;
  };
}

export interface SecretComparison {
  readonly reload: FindClient;
  /** Called when a client authenticated with one of its secrets. */
  readonly secretUsed: (secretId: string, at: number) => void;
  readonly limits: Pick<RequestLimits, 'authenticated'>;
  readonly now?: () => number;
}

/**
 * The client gets the same response as for any wrong secret; the owner's request log says which one expired.
 * @throws SecretExpired for a secret that was valid once.
 */
function rejectExpired(secret: StoredSecret | undefined): void {
  if (typeof secret?.expiresAt !== 'number') return;
  const { id, name, expiresAt } = secret;
  throw new SecretExpired(name === null ? `#${id}` : `“${name}”`, new Date(expiresAt).toISOString());
}
