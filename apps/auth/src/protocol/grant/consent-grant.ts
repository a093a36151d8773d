/** Grants from consent: one per interaction, reused by later requests if the consent is remembered. */

import { createHash } from 'node:crypto';

import { parseOutsideScope, toOutsideScope } from '@linnet/applications/apis/api-scopes';
import { webClientId } from '@linnet/applications/application/built-in-store';
import type { ApplicationType } from '@linnet/applications/application/application-type';
import { durationSeconds } from '@linnet/applications/grants/active-grant';
import type { Duration } from '@linnet/applications/grants/active-grant';
import type { ConsentChange } from '@linnet/applications/grants/consent-change-store';
import type { EarlierConsent } from '@linnet/applications/grants/earlier-consent-store';
import type { Client, Grant, KoaContextWithOIDC, Provider, Session } from 'oidc-provider';

import { identityScopes } from '../claims/claims.ts';
import { registrationOf } from '../client/client.ts';

/** The newest active grant of an account for an application. */
export type FindGrantId = (accountId: number, clientId: string) => Promise<string | undefined>;

/** For the provider's `loadExistingGrant`. */
export type RememberedGrant = (ctx: KoaContextWithOIDC) => Promise<Grant | undefined>;

/**
 * Whether a request for this redirect URI can use an earlier consent (checklist UI6). A confidential application
 * authenticates. The response of another one reaches it for certain only at an https address; any program on the device can claim a
 * loopback address or a private scheme (RFC 6749 §10.2, RFC 8252 §8.6). Devices have no redirect URI.
 */
export function isConsentRemembered(type: ApplicationType, redirectUri: string | undefined): boolean {
  return type === 'confidential' || redirectUri?.startsWith('https:') === true;
}

export function createRememberedGrant(options: RememberedGrantOptions): RememberedGrant {
  return async (ctx) => {
    const { provider, client, session, result } = ctx.oidc;
    const justSaved = result?.consent?.grantId;
    if (justSaved !== undefined) return await provider.Grant.find(justSaved);
    if (client === undefined || session?.accountId === undefined) return undefined;
    if (client.clientId === webClientId) return await grantOwnClient(ctx, session, options.audience);
    if (!isRememberedFor(client, ctx.oidc.params)) return undefined;
    const id = await options.findGrantId(Number(session.accountId), client.clientId);
    return id === undefined ? undefined : await provider.Grant.find(id);
  };
}

function isRememberedFor(client: Client, params: KoaContextWithOIDC['oidc']['params']): boolean {
  return isConsentRemembered(registrationOf(client).type, textOf(params?.['redirect_uri']));
}

interface RememberedGrantOptions {
  /** That of our own API. */
  readonly audience: string;
  readonly findGrantId: FindGrantId;
}

/**
 * The service's own web client needs no consent: it may do what the person can do on the pages of the service (ADR 37).
 * Each session has its own grant, which a trigger revokes with the session. If the session ends in between, the provider cannot save
 * it and sends no code.
 */
async function grantOwnClient(
  { oidc: { provider, client, params } }: KoaContextWithOIDC,
  session: Session,
  audience: string,
): Promise<Grant | undefined> {
  const { accountId } = session;
  if (client === undefined || accountId === undefined) return undefined;
  const id = session.grantIdFor(client.clientId);
  const known = id === undefined ? undefined : await provider.Grant.find(id);
  if (known !== undefined) return known;
  const scopes = wordsOf(textOf(params?.['scope']));
  const grant = new provider.Grant({ accountId, clientId: client.clientId });
  grant.addOIDCScope(scopes.filter((scope) => identityScopes.includes(scope)).join(' '));
  grant.addResourceScope(audience, scopes.join(' '));
  await grant.save();
  return grant;
}

/** What the playground of a developer asks for a test person. */
interface TestAuthorization {
  /** Of a test person of the owner of the application. */
  readonly accountId: number;
  readonly clientId: string;
  readonly scope: string;
  readonly redirectUri: string;
  /** Of the method S256. */
  readonly codeChallenge: string;
}

/** Consents for a test person. Returns the code, with which the application continues as after every consent. */
export type AuthorizeTestPerson = (request: TestAuthorization) => Promise<string>;

export function createAuthorizeTestPerson(provider: Provider, audience: string): AuthorizeTestPerson {
  return async ({ accountId: id, clientId, scope, redirectUri, codeChallenge }) => {
    const [accountId, client] = [String(id), await provider.Client.find(clientId)];
    if (client === undefined) throw new Error(`the application ${clientId} cannot be used`);
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope(
      wordsOf(scope)
        .filter((name) => identityScopes.includes(name))
        .join(' '),
    );
    grant.addResourceScope(audience, scope);
    const grantId = await grant.save();
    const code = new provider.AuthorizationCode({
      ...{ accountId, client, grantId, scope, redirectUri, codeChallenge, codeChallengeMethod: 'S256' },
      ...{ gty: 'authorization_code', resource: audience, authTime: Math.floor(Date.now() / 1000) },
    });
    return await code.save();
  };
}

interface NewConsent {
  /** The session that consents. */
  readonly sessionUid: string;
  /** The grant id derives from it, so that a form that is sent twice saves the same grant. */
  readonly interactionUid: string;
  readonly accountId: string;
  readonly clientId: string;
  /** Of the request; undefined for a device. */
  readonly redirectUri: string | undefined;
  /** As grants store them: scopes of a registered API contain its identifier. */
  readonly requested: readonly string[];
  /** A subset of those requested. */
  readonly granted: readonly string[];
  /** The scopes that the consent page listed as granted earlier. */
  readonly shownEarlier: readonly string[];
  readonly duration: ConsentDuration;
}

/** `earlier`: until the first of the earlier consents expires. */
export type ConsentDuration = Duration | 'earlier';

export interface ConsentGrants {
  /** What the account has granted the application; undefined without an active grant. */
  readonly findEarlier: FindEarlierConsent;
  /** Saves the grant and returns its id; undefined, and saves nothing, if the session has ended. */
  save(consent: NewConsent): Promise<string | undefined>;
  /** Revokes the grant of the interaction, if there is one. */
  revoke(interactionUid: string): Promise<void>;
}

type FindEarlierConsent = (accountId: number, clientId: string) => Promise<EarlierConsent | undefined>;

interface ConsentGrantsOptions {
  readonly provider: Provider;
  readonly audience: string;
  readonly findEarlier: FindEarlierConsent;
  readonly changeConsents: (change: ConsentChange) => Promise<unknown>;
  readonly isSessionActive: (uid: string) => Promise<boolean>;
}

export function createConsentGrants(options: ConsentGrantsOptions): ConsentGrants {
  const { provider, audience, findEarlier, changeConsents, isSessionActive } = options;

  async function isRemembered({ clientId, redirectUri }: NewConsent): Promise<boolean> {
    const client = await provider.Client.find(clientId);
    return client !== undefined && isConsentRemembered(registrationOf(client).type, redirectUri);
  }

  return {
    findEarlier,
    save: async (consent) => {
      const { sessionUid, interactionUid, accountId, clientId, requested, granted: consented } = consent;
      const { shownEarlier, duration } = consent;
      const isMerged = await isRemembered(consent);
      const earlier = await findEarlier(Number(accountId), clientId);
      // A remembered consent keeps scopes granted earlier that are not requested this time. The new grant may
      // last longer, so it gets only those that the person saw.
      const kept = isMerged ? shownEarlier.filter((scope) => isGranted(earlier, scope)) : [];
      const granted = [...consented, ...kept.filter((scope) => !requested.includes(scope))];
      const openid = granted.filter((scope) => identityScopes.includes(scope));
      const rejected = requested.filter((scope) => !consented.includes(scope));
      const seconds = duration === 'earlier' ? secondsLeftOf(earlier) : durationSeconds[duration];
      const expiry = seconds === undefined ? {} : { expiresIn: seconds };
      const grant = new provider.Grant({ accountId, clientId, ...expiry });
      grant.jti = grantIdOf(interactionUid);
      if (openid.length > 0) grant.addOIDCScope(openid.join(' '));
      for (const [resource, names] of groupByResource(granted, audience)) {
        grant.addResourceScope(resource, names.join(' '));
      }
      for (const [resource, names] of groupByResource(rejected, audience)) {
        grant.rejectResourceScope(resource, names.join(' '));
      }
      const id = await grant.save();
      // Saving waits for a remedy that is being committed. A later one revokes this grant with all others.
      if (!(await isSessionActive(sessionUid))) {
        await grant.destroy();
        return undefined;
      }
      // People see their grants for an application as one, so the latest decision applies to all of them.
      if (isMerged) {
        const lifetime =
          duration === 'earlier' ? {} : { lifetime: { seconds, shown: [...requested, ...shownEarlier] } };
        await changeConsents({ accountId: Number(accountId), clientId, removed: rejected, ...lifetime, exceptId: id });
      }
      return id;
    },
    revoke: async (interactionUid) => {
      const grant = await provider.Grant.find(grantIdOf(interactionUid));
      await grant?.destroy();
    },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Hashed, because every token contains the grant id, and only the browser may know the interaction's uid. */
function grantIdOf(interactionUid: string): string {
  return createHash('sha256').update(`grant of ${interactionUid}`).digest('base64url');
}

function isGranted(earlier: EarlierConsent | undefined, scope: string): boolean {
  return earlier?.scopes.some((one) => one.scope === scope) === true;
}

/** Rounded down, so that the new grant does not outlast the earlier one. */
function secondsLeftOf(earlier: EarlierConsent | undefined): number | undefined {
  // The earlier consent has just expired: so does the new one, and the provider asks again.
  if (earlier === undefined) return 1;
  return earlier.secondsLeft === undefined ? undefined : Math.max(1, Math.floor(earlier.secondsLeft));
}

/** The words of a grant as the provider keeps them, apart for OpenID Connect and for each resource. */
interface GrantPayload {
  readonly openid?: { readonly scope?: string | undefined } | undefined;
  readonly resources?: Readonly<Record<string, string>> | undefined;
}

/** Leaves only scopes that are granted. `audience` is that of our own API. */
export function narrowTo<Payload extends GrantPayload>(
  payload: Payload,
  scopes: readonly string[],
  audience: string,
): Payload {
  const { openid, resources } = payload;
  const identity = wordsOf(openid?.scope)
    .filter((name) => scopes.includes(name))
    .join(' ');
  const keep = (resource: string, scope: string) => {
    const kept = scope.split(' ').filter((name) => scopes.includes(toStoredScope(resource, name, audience)));
    return kept.join(' ');
  };
  return {
    ...payload,
    ...(openid === undefined ? {} : { openid: { ...openid, scope: identity } }),
    ...(resources === undefined
      ? {}
      : {
          resources: Object.fromEntries(
            Object.entries(resources).map(([resource, scope]) => [resource, keep(resource, scope)]),
          ),
        }),
  };
}

/** All scopes of a grant, without duplicates. Those of a registered API contain its identifier. */
export function grantedScopes({ openid, resources }: GrantPayload, audience: string): readonly string[] {
  const ofResources = Object.entries(resources ?? {}).flatMap(([resource, scope]) =>
    wordsOf(scope).map((name) => toStoredScope(resource, name, audience)),
  );
  return [...new Set([...wordsOf(openid?.scope), ...ofResources])];
}

/** The scopes as the provider wants them: a list of names for each resource. The reverse of `grantedScopes`. */
export function groupByResource(scopes: readonly string[], audience: string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (const scope of scopes) {
    const { identifier, name } = parseOutsideScope(scope) ?? { identifier: audience, name: scope };
    groups.set(identifier, [...(groups.get(identifier) ?? []), name]);
  }
  return groups;
}

function toStoredScope(resource: string, name: string, audience: string): string {
  return resource === audience ? name : toOutsideScope({ identifier: resource, name });
}

function wordsOf(scope: string | undefined): readonly string[] {
  return scope?.split(' ').filter((name) => name !== '') ?? [];
}
