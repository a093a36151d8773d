/** What a page of ours needs to know of the authorization request that brought the person, and how it goes on. */
import type Koa from 'koa';
import { errors } from 'oidc-provider';
import type { Interaction, Provider } from 'oidc-provider';

import type { ApplicationType } from '@linnet/applications/application-type';
import type { Links } from '@linnet/applications/links';
import { compareScopes, describeScopes } from '@linnet/applications/requested-scope';
import type { AskedScope } from '@linnet/applications/requested-scope';
import type { Duration } from '@linnet/applications/grant-duration';
import { registrationOf } from '../client/client.ts';
import type { Registration } from '../client/client-store.ts';
import type { ConsentGrants } from '../grants/consent-grant.ts';
import { toAuthorizationRequest } from './restart.ts';
import type { AuthenticationMethods, Sessions } from '../session/session.ts';

/** The application that asks, as the consent page shows it. */
export interface RequestingApplication {
  readonly clientId: string;
  readonly name: string;
  /** Username. */
  readonly owner: string;
  readonly type: ApplicationType;
  readonly links: Links;
  /** The name of its picture. */
  readonly logo: string | undefined;
}

export interface PendingInteraction {
  readonly uid: string;
  readonly prompt: 'login' | 'consent';
  readonly application: RequestingApplication;
  /** Where the person is sent back to. */
  readonly redirectUri: string;
  /** In the order asked for. */
  readonly scopes: readonly AskedScope[];
  /** A token is handed over directly (`response_type=token`). */
  readonly implicit: boolean;
  /** The account that is signed in. */
  readonly accountId: number | undefined;
  readonly loginHint: string | undefined;
  readonly uiLocales: string | undefined;
}

/** It was finished, has expired, or was begun in another browser. */
export class InteractionEnded extends Error {
  override readonly name = 'InteractionEnded';
}

/** What a person agrees to. */
export interface Consent {
  /** A part of those asked for. */
  readonly scopes: readonly string[];
  readonly duration: Duration;
}

/** Whatever goes on with an interaction throws InteractionEnded when there is none, or no longer. */
export interface Interactions {
  /** The interaction of the address, when it was begun in this browser and has not expired. */
  find(ctx: Koa.Context, uid: string): Promise<PendingInteraction | undefined>;
  /** Where the authorization of an interaction that has ended begins anew; undefined unless it was this browser's. */
  findRestart(ctx: Koa.Context, uid: string): Promise<string | undefined>;
  /** The person has signed in; answers the address to go on to. Whoever was signed in before is signed out. */
  signedIn(ctx: Koa.Context, accountId: number, methods: AuthenticationMethods): Promise<string>;
  /** Signs the person out; the interaction goes on with a sign-in. */
  switchAccount(ctx: Koa.Context): Promise<void>;
  grantConsent(ctx: Koa.Context, consent: Consent): Promise<string>;
  /** The person has refused. */
  denyConsent(ctx: Koa.Context): Promise<string>;
}

interface InteractionsOptions {
  readonly provider: Provider;
  readonly sessions: Pick<Sessions, 'signOut'>;
  readonly grants: ConsentGrants;
  /** The parameters of the authorization request that an interaction was begun for, ended or not. */
  readonly findParams: (uid: string) => Promise<Readonly<Record<string, unknown>> | undefined>;
}

export function createInteractions({ provider, sessions, grants, findParams }: InteractionsOptions): Interactions {
  const load = async (ctx: Koa.Context) => await orEnded(() => provider.interactionDetails(ctx.req, ctx.res));
  const finish = async (ctx: Koa.Context, outcome: Parameters<Provider['interactionResult']>[2]) =>
    await orEnded(() => provider.interactionResult(ctx.req, ctx.res, outcome));

  /** The interaction without the session that began it: the provider would otherwise insist on that one. */
  async function leaveSession(ctx: Koa.Context, interaction: Interaction): Promise<void> {
    delete interaction.session;
    await interaction.persist();
    await sessions.signOut(ctx);
  }

  return {
    find: async (ctx, uid) => {
      const interaction = await unlessEnded(load(ctx));
      if (interaction?.uid !== uid) return undefined;
      const client = await provider.Client.find(clientIdOf(interaction));
      if (client === undefined) return undefined;
      return await tellAllowed(grants, describe(interaction, registrationOf(client)));
    },
    findRestart: async (ctx, uid) => {
      if (ctx.cookies.get(provider.cookieName('interaction'), { signed: true }) !== uid) return undefined;
      const params = await findParams(uid);
      return params === undefined ? undefined : toAuthorizationRequest(params);
    },
    signedIn: async (ctx, accountId, methods) => {
      const session = await provider.Session.get(ctx);
      const isAnother = session.accountId !== undefined && session.accountId !== String(accountId);
      if (isAnother) await leaveSession(ctx, await load(ctx));
      return await finish(ctx, { login: { accountId: String(accountId), amr: [...methods] } });
    },
    switchAccount: async (ctx) => {
      const interaction = await load(ctx);
      askToSignIn(interaction);
      await leaveSession(ctx, interaction);
    },
    grantConsent: async (ctx, { scopes, duration }) => {
      const interaction = await load(ctx);
      const { uid, session, params } = interaction;
      if (session?.accountId === undefined) throw new InteractionEnded('nobody is signed in');
      const parties = { accountId: session.accountId, clientId: clientIdOf(interaction) };
      const agreement = { asked: wordsOf(params['scope']), agreed: scopes, duration };
      const grantId = await grants.save({ interactionUid: uid, ...parties, ...agreement });
      return await finish(ctx, { consent: { grantId } });
    },
    denyConsent: async (ctx) => {
      const { uid } = await load(ctx);
      await grants.revoke(uid);
      return await finish(ctx, { error: 'access_denied', error_description: 'the person refused' });
    },
  };
}

/** At consent it matters what was allowed before. */
async function tellAllowed(grants: ConsentGrants, pending: PendingInteraction): Promise<PendingInteraction> {
  const { accountId, prompt, application, scopes } = pending;
  if (accountId === undefined || prompt !== 'consent') return pending;
  return { ...pending, scopes: compareScopes(scopes, await grants.findGrantedScopes(accountId, application.clientId)) };
}

/** Whatever came before in the interaction, a sign-in comes next. */
function askToSignIn(interaction: Interaction): void {
  interaction.prompt = { name: 'login', reasons: ['switch_account'], details: {} };
  delete interaction.result;
}

/** @throws InteractionEnded for what the provider says in words of its own. */
async function orEnded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof errors.SessionNotFound ? new InteractionEnded(error.message, { cause: error }) : error;
  }
}

async function unlessEnded<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof InteractionEnded) return undefined;
    throw error;
  }
}

function clientIdOf({ params }: Interaction): string {
  return textOf(params['client_id']) ?? '';
}

function describe(interaction: Interaction, registration: Registration): PendingInteraction {
  const { params, prompt, session, uid } = interaction;
  const { clientId, name, owner, type, links, logo } = registration;
  return {
    uid,
    prompt: prompt.name === 'consent' ? 'consent' : 'login',
    application: { clientId, name, owner, type, links, logo },
    redirectUri: textOf(params['redirect_uri']) ?? '',
    scopes: describeScopes(wordsOf(params['scope']), registration),
    implicit: params['response_type'] === 'none',
    accountId: session?.accountId === undefined ? undefined : Number(session.accountId),
    loginHint: textOf(params['login_hint']),
    uiLocales: textOf(params['ui_locales']),
  };
}

function wordsOf(scope: unknown): readonly string[] {
  const words = (textOf(scope) ?? '').split(' ').filter((word) => word !== '');
  return [...new Set(words)];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
