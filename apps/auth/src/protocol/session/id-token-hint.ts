import type { Queryable } from '@linnet/db/statement/transaction';
import { signingAlgorithms } from '@linnet/keys/signing-key';
import { findVerificationKey } from '@linnet/keys/key-store';
import { compactVerify, decodeProtectedHeader, errors, importJWK } from 'jose';
import type { Client, Provider } from 'oidc-provider';
import { z } from 'zod';

import { isUnsuitable } from '../request/parameters.ts';

/** The members of an ID token that sign-out needs. */
const hintPayload = z.object({ iss: z.string(), aud: z.string(), sub: z.string() });

export interface IdTokenHint {
  /** `aud` */
  readonly clientId: string;
  /** `sub` */
  readonly accountId: number;
}

interface HintOptions {
  readonly db: Queryable;
  readonly issuer: string;
}

/** Access tokens and logout tokens have types of their own. */
const idTokenTypes: ReadonlySet<unknown> = new Set([undefined, 'JWT']);

/**
 * An ID token that we issued, however old (OpenID Connect RP-Initiated Logout 1.0 §2): its expiry does not matter, nor
 * whether its key is still published. Undefined for anything else.
 */
export async function verifyIdTokenHint(jwt: string, { db, issuer }: HintOptions): Promise<IdTokenHint | undefined> {
  try {
    const { kid, typ } = decodeProtectedHeader(jwt);
    if (!idTokenTypes.has(typ) || typeof kid !== 'string' || isUnsuitable(kid)) return undefined;
    const key = await findVerificationKey(db, kid);
    if (key === undefined) return undefined;
    const publicKey = await importJWK(key.publicJwk, key.alg);
    const { payload } = await compactVerify(jwt, publicKey, { algorithms: [key.alg] });
    const { iss, aud, sub } = hintPayload.parse(JSON.parse(new TextDecoder().decode(payload)));
    return iss === issuer ? { clientId: aud, accountId: Number(sub) } : undefined;
  } catch (error) {
    if (isMalformed(error)) return undefined;
    throw error;
  }
}

/** The hint is to blame, and not the database. `decodeProtectedHeader` throws TypeError. */
function isMalformed(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError ||
    error instanceof TypeError ||
    error instanceof SyntaxError ||
    error instanceof z.ZodError
  );
}

/**
 * Accepts an `id_token_hint` of every algorithm that we sign with. The provider accepts only the algorithm that the
 * application has now, so a change of it would make all earlier ID tokens useless.
 */
export function acceptHintsOfEveryAlgorithm({ IdToken }: Provider): void {
  const original = IdToken.validate.bind(IdToken);
  IdToken.validate = async (jwt, client) => {
    const alg = findAlgorithm(jwt);
    return await original(jwt, alg === undefined ? client : withAlgorithm(client, alg));
  };
}

function withAlgorithm(client: Client, alg: string): Client {
  return new Proxy(client, {
    get: (target, name): unknown => (name === 'idTokenSignedResponseAlg' ? alg : Reflect.get(target, name)),
  });
}

/** Undefined if the provider must refuse the token. */
function findAlgorithm(jwt: string): string | undefined {
  try {
    const { alg } = decodeProtectedHeader(jwt);
    return signingAlgorithms.find((known) => known === alg);
  } catch {
    return undefined; // not a JWT
  }
}
