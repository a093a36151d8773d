/** The grants that people save: made once for each interaction, remembered for confidential applications. */
import { createHash } from 'node:crypto';

import type { Grant, KoaContextWithOIDC, Provider } from 'oidc-provider';

import type { ConsentChange } from '@linnet/applications/consent-change-store';
import { durationSeconds } from '@linnet/applications/grant-duration';
import type { Duration } from '@linnet/applications/grant-duration';
import { registrationOf } from '../client/client.ts';
import { grantedScopes } from '../token/granted-scopes.ts';
import { openidScopes } from '../token/resource-server.ts';

/** The newest living grant of an account for an application. */
export type FindGrantId = (accountId: number, clientId: string) => Promise<string | undefined>;

/** The provider's question for a grant that was given before. */
export type RememberedGrant = (ctx: KoaContextWithOIDC) => Promise<Grant | undefined>;

/** Consent is remembered for confidential applications; public and native ones ask every time (checklist UI6). */
export function createRememberedGrant(findGrantId: FindGrantId): RememberedGrant {
  return async ({ oidc }) => {
    const { provider, client, session, result } = oidc;
    const justGiven = result?.consent?.grantId;
    if (justGiven !== undefined) return await provider.Grant.find(justGiven);
    if (client === undefined || session?.accountId === undefined) return undefined;
    if (registrationOf(client).type !== 'confidential') return undefined;
    const id = await findGrantId(Number(session.accountId), client.clientId);
    return id === undefined ? undefined : await provider.Grant.find(id);
  };
}

/** What a person agreed to. */
interface NewConsent {
  /** A form that is sent twice makes the same grant. */
  readonly interactionUid: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly asked: readonly string[];
  /** A part of those asked for. */
  readonly agreed: readonly string[];
  readonly duration: Duration;
}

export interface ConsentGrants {
  /** What the account allows the application now; undefined when it allows it nothing. */
  findGrantedScopes(accountId: number, clientId: string): Promise<readonly string[] | undefined>;
  /** Saves the grant; gives its id. */
  save(consent: NewConsent): Promise<string>;
  /** Ends the grant that the interaction made, when it made one. */
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
    save: async ({ interactionUid, accountId, clientId, asked, agreed, duration }) => {
      const isOfOnePiece = await isRemembered(clientId);
      // Words a confidential application was granted before stay granted unless it asks for them anew.
      const earlier = isOfOnePiece ? await findGrantedScopes(Number(accountId), clientId) : undefined;
      const granted = [...agreed, ...(earlier ?? []).filter((scope) => !asked.includes(scope))];
      const openid = granted.filter((scope) => openidScopes.some((word) => word === scope));
      const rejected = asked.filter((scope) => !agreed.includes(scope));
      const seconds = durationSeconds[duration];
      const end = seconds === undefined ? {} : { expiresIn: seconds };
      const grant = new provider.Grant({ accountId, clientId, ...end });
      grant.jti = grantIdOf(interactionUid);
      if (openid.length > 0) grant.addOIDCScope(openid.join(' '));
      if (granted.length > 0) grant.addResourceScope(audience, granted.join(' '));
      if (rejected.length > 0) grant.rejectResourceScope(audience, rejected.join(' '));
      const id = await grant.save();
      // What the person decided last holds for all that they allowed it, as they take it to be one thing.
      if (isOfOnePiece) {
        const change = { accountId: Number(accountId), clientId, removed: rejected, lasts: { seconds }, exceptId: id };
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

/** An interaction's uid is known to its browser alone, a grant's id stands in every token. */
function grantIdOf(interactionUid: string): string {
  return createHash('sha256').update(`grant of ${interactionUid}`).digest('base64url');
}

/** What is granted and not rejected. */
function scopesOf({ openid, resources, rejected }: Grant): readonly string[] {
  const refused = new Set(grantedScopes({ resources: rejected?.resources }));
  return grantedScopes({ openid, resources }).filter((scope) => !refused.has(scope));
}
