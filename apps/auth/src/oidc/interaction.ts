/** What a page of ours needs to know of the authorization request that brought the person, and how it goes on. */
import type Koa from 'koa';
import { errors } from 'oidc-provider';
import type { Grant, Interaction, KoaContextWithOIDC, Provider } from 'oidc-provider';

import type { ApplicationType } from '../applications/application-type.ts';
import { registrationOf } from './client.ts';
import type { Registration } from './client-store.ts';
import { grantedScopes } from './granted-scopes.ts';
import { openidScopes } from './resource-server.ts';

/** The application that asks, as the consent page shows it. */
export interface AskingApplication {
  readonly clientId: string;
  readonly name: string;
  /** Username. */
  readonly owner: string;
  readonly type: ApplicationType;
}

export interface PendingInteraction {
  readonly uid: string;
  readonly prompt: 'login' | 'consent';
  readonly application: AskingApplication;
  /** Where the person is sent back to. */
  readonly redirectUri: string;
  /** In the order asked for. */
  readonly scopes: readonly string[];
  /** A token is handed over directly (`response_type=token`). */
  readonly implicit: boolean;
  /** The account that is signed in. */
  readonly accountId: number | undefined;
  readonly loginHint: string | undefined;
  readonly uiLocales: string | undefined;
}

export interface Interactions {
  /** The interaction of the address, when it was begun in this browser and has not expired. */
  find(ctx: Koa.Context, uid: string): Promise<PendingInteraction | undefined>;
  /** The person has signed in; answers the address to go on to. */
  signedIn(ctx: Koa.Context, accountId: number): Promise<string>;
  /** The person has agreed to `scopes`, a part of those asked for. */
  agreed(ctx: Koa.Context, scopes: readonly string[]): Promise<string>;
  /** The person has refused. */
  refused(ctx: Koa.Context): Promise<string>;
}

/** The provider's question for a grant that was given before. */
export type RememberedGrant = (ctx: KoaContextWithOIDC) => Promise<Grant | undefined>;

type FindGrantId = (accountId: number, clientId: string) => Promise<string | undefined>;

export function createInteractions(provider: Provider, audience: string, findGrantId: FindGrantId): Interactions {
  const result = async (ctx: Koa.Context, outcome: Parameters<Provider['interactionResult']>[2]) =>
    await provider.interactionResult(ctx.req, ctx.res, outcome);

  return {
    find: async (ctx, uid) => {
      const interaction = await findInteraction(provider, ctx);
      if (interaction === undefined || interaction.uid !== uid) return undefined;
      const client = await provider.Client.find(textOf(interaction.params['client_id']) ?? '');
      return client === undefined ? undefined : describe(interaction, registrationOf(client));
    },
    signedIn: async (ctx, accountId) => {
      await forgetOtherAccount(provider, ctx, String(accountId));
      return await result(ctx, { login: { accountId: String(accountId) } });
    },
    agreed: async (ctx, scopes) => {
      const { session, params } = await provider.interactionDetails(ctx.req, ctx.res);
      const clientId = textOf(params['client_id']) ?? '';
      const accountId = session?.accountId;
      if (accountId === undefined) throw new errors.SessionNotFound('nobody is signed in');
      const earlier = await earlierScopes(provider, clientId, await findGrantId(Number(accountId), clientId));
      const grant = new provider.Grant({ accountId, clientId });
      const granted = [...new Set([...scopes, ...earlier])];
      const openid = granted.filter((scope) => openidScopes.some((word) => word === scope));
      if (openid.length > 0) grant.addOIDCScope(openid.join(' '));
      if (granted.length > 0) grant.addResourceScope(audience, granted.join(' '));
      const left = (textOf(params['scope']) ?? '').split(' ').filter((scope) => scope !== '' && !granted.includes(scope));
      if (left.length > 0) grant.rejectResourceScope(audience, left.join(' '));
      return await result(ctx, { consent: { grantId: await grant.save() } });
    },
    refused: async (ctx) =>
      await result(ctx, { error: 'access_denied', error_description: 'the person refused' }),
  };
}

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

async function findInteraction(provider: Provider, ctx: Koa.Context): Promise<Interaction | undefined> {
  try {
    return await provider.interactionDetails(ctx.req, ctx.res);
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
}

function describe(interaction: Interaction, registration: Registration): PendingInteraction {
  const { params, prompt, session, uid } = interaction;
  const { clientId, name, owner, type } = registration;
  return {
    uid,
    prompt: prompt.name === 'consent' ? 'consent' : 'login',
    application: { clientId, name, owner, type },
    redirectUri: textOf(params['redirect_uri']) ?? '',
    scopes: [...new Set((textOf(params['scope']) ?? '').split(' ').filter((scope) => scope !== ''))],
    implicit: params['response_type'] === 'none',
    accountId: session?.accountId === undefined ? undefined : Number(session.accountId),
    loginHint: textOf(params['login_hint']),
    uiLocales: textOf(params['ui_locales']),
  };
}

/** Words a confidential application was granted before stay granted; it is not asked for them again. */
async function earlierScopes(provider: Provider, clientId: string, grantId: string | undefined): Promise<readonly string[]> {
  const client = await provider.Client.find(clientId);
  if (grantId === undefined || client === undefined || registrationOf(client).type !== 'confidential') return [];
  const grant = await provider.Grant.find(grantId);
  if (grant === undefined) return [];
  const rejected = new Set(grantedScopes({ resources: grant.rejected?.resources }));
  return grantedScopes({ openid: grant.openid, resources: grant.resources }).filter((scope) => !rejected.has(scope));
}

/**
 * Another account signs in: the session that began the interaction ends first, and the interaction
 * is let go of it. The provider would otherwise ask to sign out in between.
 */
async function forgetOtherAccount(provider: Provider, ctx: Koa.Context, accountId: string): Promise<void> {
  const session = await provider.Session.get(ctx);
  if (session.accountId === undefined || session.accountId === accountId) return;
  await session.destroy();
  ctx.cookies.set(provider.cookieName('session'), null, { path: '/', signed: true });
  const interaction = await provider.interactionDetails(ctx.req, ctx.res);
  delete interaction.session;
  await interaction.persist();
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
