/** Changes how a confidential application authenticates: from a secret to keys of its own, to other keys, or back. */
import type { Queryable } from '@linnet/db/statement/transaction';

import { ApplicationRefused } from '../application/application.ts';
import type { Application } from '../application/application-store.ts';
import { parseClientKeys } from './client-keys.ts';
import type { ClientKeys } from './client-keys.ts';
import { hashClientSecret, maxActiveSecrets } from './client-secret.ts';
import { deleteSecrets, insertSecret, lockForRotation } from './secret-store.ts';

/** How the application authenticates after the change. The other way stops working within a second. */
export type NewAuthentication =
  | {
      readonly method: 'private_key_jwt';
      readonly jwksUri?: string | undefined;
      /** A JWK Set, parsed from JSON. */
      readonly jwks?: unknown;
    }
  | {
      readonly method: 'client_secret';
      /** A new one, made by `generateClientSecret`. */
      readonly clientSecret: string;
    };

/** What is stored. */
export interface ParsedAuthentication {
  readonly keys: ClientKeys;
  /** Hex SHA-256 of its only secret; undefined if it has keys. */
  readonly secretSha256: string | undefined;
}

/** @throws ApplicationRefused for invalid keys, or an application that cannot have keys or a secret */
export function parseAuthentication(
  { type }: Pick<Application, 'type'>,
  wanted: NewAuthentication,
): ParsedAuthentication {
  if (wanted.method === 'private_key_jwt') {
    const keys = parseClientKeys(wanted, type);
    if (keys.jwksUri !== undefined || keys.jwks !== undefined) return { keys, secretSha256: undefined };
    throw new ApplicationRefused({ field: 'jwks_uri', problem: 'none' }, 'Give a JWKS URI or a JWK Set.');
  }
  if (type === 'confidential') {
    return { keys: { jwksUri: undefined, jwks: undefined }, secretSha256: hashClientSecret(wanted.clientSecret) };
  }
  throw new ApplicationRefused(
    { field: 'jwks_uri', problem: 'not-confidential' },
    'Only confidential applications can have a secret.',
  );
}

/**
 * Locks the application before the change.
 * @throws ApplicationRefused if it gets a secret and has some already, so that a form that is sent twice makes one
 */
export async function lockForAuthentication(
  tx: Queryable,
  clientId: string,
  { secretSha256 }: ParsedAuthentication,
): Promise<void> {
  const found = await lockForRotation(tx, clientId);
  if (secretSha256 === undefined || found !== 'secrets') return;
  throw new ApplicationRefused(
    { field: 'token_endpoint_auth_method', problem: 'has-secret' },
    'The application has a secret already. Use "linnet app rotate-secret" for another one.',
  );
}

/** Deletes the secrets of the application, revokes its access tokens, and stores its new secret if it has one. */
export async function replaceSecrets(
  tx: Queryable,
  clientId: string,
  { secretSha256: sha256 }: ParsedAuthentication,
): Promise<void> {
  await deleteSecrets(tx, clientId);
  if (sha256 === undefined) return;
  await insertSecret(tx, { clientId, sha256, maxActive: maxActiveSecrets, name: null, expiresAt: null });
}
