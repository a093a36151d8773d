import type { RegistrableScope } from './application.ts';
import { generateClientId } from './client-id.ts';
import { generateClientSecret, hashClientSecret } from './client-secret.ts';
import type { NewApplication } from './registration-store.ts';

/** What the developer sees once, after the registration. */
export interface CreatedApplication {
  readonly clientId: string;
  /** Only for confidential applications without their own keys. It is not stored and cannot be shown again. */
  readonly clientSecret?: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly RegistrableScope[];
}

interface PreparedApplication {
  /** As it is stored. */
  readonly application: NewApplication;
  readonly created: CreatedApplication;
}

/** Generates the client id and, for a confidential application without its own keys, the first secret. */
export function prepareApplication(
  application: Omit<NewApplication, 'clientId' | 'secretSha256'>,
): PreparedApplication {
  const { name, redirectUris, scopes } = application;
  const clientId = generateClientId();
  const created = { clientId, name, redirectUris, scopes };
  const hasKeys = application.jwksUri !== undefined || application.jwks !== undefined;
  if (application.type !== 'confidential' || hasKeys) {
    return { created, application: { ...application, clientId, secretSha256: undefined } };
  }
  const clientSecret = generateClientSecret();
  return {
    created: { ...created, clientSecret },
    application: { ...application, clientId, secretSha256: hashClientSecret(clientSecret) },
  };
}
