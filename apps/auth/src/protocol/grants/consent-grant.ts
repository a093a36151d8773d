/** Grants from consent: one per interaction, reused by later requests of confidential applications. */
import { createHash } from 'node:crypto';

import type { Grant, KoaContextWithOIDC, Provider } from 'oidc-provider';

import type { ConsentChange } from '@linnet/applications/consent-change-store';
import { durationSeconds } from '@linnet/applications/grant-duration';
import type { Duration } from '@linnet/applications/grant-duration';
import { registrationOf } from '../client/client.ts';
import { grantedScopes } from '../token/granted-scopes.ts';
import { openidScopes } from '../token/resource-server.ts';

/** The newest active grant of an account for an application. */
export type FindGrantId = (accountId: number, clientId: string) => Promise<string | undefined>;

/** For the provider's `loadExistingGrant`. */
export type RememberedGrant = (ctx: KoaContextWithOIDC) => Promise<Grant | undefined>;

/** Remembers consent for confidential applications; public and native ones ask every time (checklist UI6). */
export function createRememberedGrant(findGrantId: FindGrantId): RememberedGrant {
  return async ({ oidc }) => {
    const { provider, client, session, result } = oidc;
    const justSaved = result?.consent?.grantId;
    if (justSaved !== undefined) return await provider.Grant.find(justSaved);
    if (client === undefined || session?.accountId === undefined) return undefined;
    if (registrationOf(client).type !== 'confidential') return undefined;
    const id = await findGrantId(Number(session.accountId), client.clientId);
    return id === undefined ? undefined : await provider.Grant.find(id);
  };
}

interface NewConsent {
  /** The grant id derives from it, so that a form that is sent twice saves the same grant. */
  readonly interactionUid: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly requested: readonly string[];
  /** A subset of those requested. */
  readonly granted: readonly string[];
  readonly duration: Duration;
}

export interface ConsentGrants {
  /** The scopes that the account has granted the application; undefined without an active grant. */
  findGrantedScopes(accountId: number, clientId: string): Promise<readonly string[] | undefined>;
  /** Saves the grant and returns its id. */
  save(consent: NewConsent): Promise<string>;
  /** Revokes the grant of the interaction, if there is one. */
  revoke(interactionUid: string): Promise<void>;
}

interface ConsentGrantsOptions {
  readonly provider: Provider;
  readonly audience: string;
  readonly findGrantId: FindGrantId;
  readonly changeConsents: (change: ConsentChange) => Promise<unknown>;
}

export function createConsentGrants(options: ConsentGrantsOptions): ConsentGrants {
  const { provider, audience, findGrantId, changeConsents } = options;

  const findGrantedScopes: ConsentGrants['findGrantedScopes'] = async (accountId, clientId) => {
    const id = await findGrantId(accountId, clientId);
    const grant = id === undefined ? undefined : await provider.Grant.find(id);
    return grant === undefined ? undefined : scopesOf(grant);
  };

  async function isRemembered(clientId: string): Promise<boolean> {
    const client = await provider.Client.find(clientId);
    return client !== undefined && registrationOf(client).type === 'confidential';
  }

  return {
    findGrantedScopes,
    save: async ({ interactionUid, accountId, clientId, requested, granted: consented, duration }) => {
      const isMerged = await isRemembered(clientId);
      // A confidential application keeps scopes granted earlier that it does not request this time.
      const earlier = isMerged ? await findGrantedScopes(Number(accountId), clientId) : undefined;
      const granted = [...consented, ...(earlier ?? []).filter((scope) => !requested.includes(scope))];
      const openid = granted.filter((scope) => openidScopes.some((name) => name === scope));
      const rejected = requested.filter((scope) => !consented.includes(scope));
      const seconds = durationSeconds[duration];
      const expiry = seconds === undefined ? {} : { expiresIn: seconds };
      const grant = new provider.Grant({ accountId, clientId, ...expiry });
      grant.jti = grantIdOf(interactionUid);
      if (openid.length > 0) grant.addOIDCScope(openid.join(' '));
      if (granted.length > 0) grant.addResourceScope(audience, granted.join(' '));
      if (rejected.length > 0) grant.rejectResourceScope(audience, rejected.join(' '));
      const id = await grant.save();
      // People see their grants for an application as one, so the latest decision applies to all of them.
      if (isMerged) {
        const change = {
          accountId: Number(accountId),
          clientId,
          removed: rejected,
          lifetime: { seconds },
          exceptId: id,
        };
        await changeConsents(change);
      }
      return id;
    },
    revoke: async (interactionUid) => {
      const grant = await provider.Grant.find(grantIdOf(interactionUid));
      await grant?.destroy();
    },
  };
}

/** Hashed, because every token contains the grant id, and only the browser may know the interaction's uid. */
function grantIdOf(interactionUid: string): string {
  return createHash('sha256').update(`grant of ${interactionUid}`).digest('base64url');
}

/** The granted scopes without the rejected ones. */
function scopesOf({ openid, resources, rejected }: Grant): readonly string[] {
  const rejectedScopes = new Set(grantedScopes({ resources: rejected?.resources }));
  return grantedScopes({ openid, resources }).filter((scope) => !rejectedScopes.has(scope));
}
