/** What the sign-in and consent pages need from the authorization request, and how they resume it. */
import type Koa from 'koa';
import { errors } from 'oidc-provider';
import type { Interaction, Provider } from 'oidc-provider';

import type { ApplicationType } from '@linnet/applications/application/application-type';
import type { Links } from '@linnet/applications/application/links';
import { compareScopes, describeScopes } from '@linnet/applications/grants/requested-scope';
import type { RequestedScope } from '@linnet/applications/grants/requested-scope';
import type { EarlierConsent } from '@linnet/applications/grants/earlier-consent-store';
import { registrationOf } from '../client/client.ts';
import type { Registration } from '../client/client-store.ts';
import type { ConsentDuration, ConsentGrants } from '../grant/consent-grant.ts';
import type { AskedScopes, FindAskedScopes } from '../token/asked-scopes.ts';
import type { Restarts } from './restart.ts';
import { selectAccountPrompt, isStillAllowed } from './prompts.ts';
import { toLogin } from '../session/session.ts';
import type { Sessions, SignInProof } from '../session/session.ts';

/** The application that sent the authorization request, as the consent page shows it. */
export interface RequestingApplication {
  readonly clientId: string;
  readonly name: string;
  /** Username; null if it registered itself. */
  readonly owner: string | null;
  readonly type: ApplicationType;
  readonly links: Links;
  /** The file name of its logo. */
  readonly logo: string | undefined;
}

/** The prompts that have a page, in the order in which the provider asks for them. */
type InteractionPrompt = 'login' | 'select_account' | 'consent';

export interface PendingInteraction {
  readonly uid: string;
  readonly prompt: InteractionPrompt;
  readonly application: RequestingApplication;
  readonly redirectUri: string;
  /** In the order requested. */
  readonly scopes: readonly RequestedScope[];
  /** What the account has granted the application before; set for the prompt `consent` only. */
  readonly earlier?: EarlierConsent | undefined;
  /** The request comes from an agent. */
  readonly isAgent: boolean;
  /** The response contains the token itself (`response_type=token`). */
  readonly implicit: boolean;
  /** The account that is signed in. */
  readonly accountId: number | undefined;
  /** The person chose to sign in with another account than `accountId`. */
  readonly isSwitching: boolean;
  /** `max_age`; 0 with `prompt=login`. */
  readonly maxAge: number | undefined;
  readonly loginHint: string | undefined;
  readonly uiLocales: string | undefined;
}

/** The interaction was finished, has expired, or was started in another browser. */
export class InteractionEnded extends Error {
  override readonly name = 'InteractionEnded';
}

/** What a person consents to. */
export interface Consent {
  /** A subset of those requested. */
  readonly scopes: readonly string[];
  /** The scopes that the page listed as granted earlier. */
  readonly shownEarlier: readonly string[];
  readonly duration: ConsentDuration;
}

/** Methods that resume an interaction throw InteractionEnded if it does not exist or has ended. */
export interface Interactions {
  /** The interaction `uid`, if it was started in this browser and is active. */
  find(ctx: Koa.Context, uid: string): Promise<PendingInteraction | undefined>;
  /** Whether this browser started the interaction, which may have ended, so that it can be restarted. */
  canRestart(ctx: Koa.Context, uid: string): Promise<boolean>;
  /** Restarts the authorization request. Returns the URL to redirect to, or undefined if it cannot be restarted. */
  restart(ctx: Koa.Context, uid: string): Promise<string | undefined>;
  /** The person has signed in. Signs out the previous account, and returns the URL to redirect to. */
  signedIn(ctx: Koa.Context, accountId: number, proof: SignInProof): Promise<string>;
  /** Signs the person out; the next step is to sign in. */
  switchAccount(ctx: Koa.Context): Promise<void>;
  /** The person continues with the account that is signed in. Returns the URL to redirect to. */
  keepAccount(ctx: Koa.Context): Promise<string>;
  /** The next step is to sign in with another account. Until then the person stays signed in. */
  chooseOtherAccount(ctx: Koa.Context): Promise<void>;
  /** Returns the URL to redirect to. */
  grantConsent(ctx: Koa.Context, consent: Consent): Promise<string>;
  /** Returns the URL to redirect to. */
  denyConsent(ctx: Koa.Context): Promise<string>;
}

interface InteractionsOptions {
  readonly provider: Provider;
  readonly sessions: Pick<Sessions, 'signIn' | 'signOut'>;
  readonly grants: ConsentGrants;
  readonly restarts: Restarts;
  readonly findAskedScopes: FindAskedScopes;
}

export function createInteractions(options: InteractionsOptions): Interactions {
  const { provider, sessions, grants, restarts, findAskedScopes } = options;
  const load: Load = async (ctx) => await orEnded(() => provider.interactionDetails(ctx.req, ctx.res));
  const finish: Finish = async (ctx, outcome) =>
    await orEnded(() => provider.interactionResult(ctx.req, ctx.res, outcome));

  const hasStarted = (ctx: Koa.Context, uid: string): boolean =>
    ctx.cookies.get(provider.cookieName('interaction'), { signed: true }) === uid;

  /** Removes the session from the interaction: the provider would accept no other session otherwise. */
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
      if (client === undefined || !isStillAllowed(client, interaction.params)) return undefined;
      const asked = await findAskedScopes(interaction.params);
      return await compareWithGrant(grants, describe(interaction, registrationOf(client), asked));
    },
    canRestart: async (ctx, uid) => hasStarted(ctx, uid) && (await restarts.exists(uid)),
    restart: async (ctx, uid) => (hasStarted(ctx, uid) ? await restarts.restart(uid) : undefined),
    signedIn: async (ctx, accountId, proof) => {
      const session = await provider.Session.get(ctx);
      const isOther = session.accountId !== undefined && session.accountId !== String(accountId);
      if (isOther || proof.upstream !== undefined) await leaveSession(ctx, await load(ctx));
      // The session exists before the request resumes, so that it ends with that of the provider from the start.
      if (proof.upstream !== undefined) await sessions.signIn(ctx, accountId, proof);
      return await finish(ctx, { login: toLogin(accountId, proof), ...accountSelected });
    },
    switchAccount: async (ctx) => {
      const interaction = await load(ctx);
      requireSignIn(interaction);
      await leaveSession(ctx, interaction);
    },
    ...createAccountChoice(load, finish),
    grantConsent: async (ctx, consent) => {
      const grantId = await saveConsent(options, await load(ctx), consent);
      return await finish(ctx, { consent: { grantId } });
    },
    denyConsent: async (ctx) => {
      const { uid } = await load(ctx);
      await grants.revoke(uid);
      return await finish(ctx, { error: 'access_denied', error_description: 'the person denied the request' });
    },
  };
}

async function saveConsent(
  { grants, findAskedScopes }: Pick<InteractionsOptions, 'grants' | 'findAskedScopes'>,
  interaction: Interaction,
  { scopes, shownEarlier, duration }: Consent,
): Promise<string> {
  const { uid, session, params } = interaction;
  if (session?.accountId === undefined) throw new InteractionEnded('no account is signed in');
  const redirectUri = requiredText(params, 'redirect_uri');
  const clientId = clientIdOf(interaction);
  const parties = { accountId: session.accountId, clientId, redirectUri, sessionUid: session.uid };
  const { scopes: requested } = await findAskedScopes(params);
  const consent = { requested, granted: scopes, shownEarlier, duration };
  const grantId = await grants.save({ interactionUid: uid, ...parties, ...consent });
  if (grantId === undefined) throw new InteractionEnded('the session has ended');
  return grantId;
}

type Load = (ctx: Koa.Context) => Promise<Interaction>;
type Finish = (ctx: Koa.Context, outcome: Parameters<Provider['interactionResult']>[2]) => Promise<string>;

function createAccountChoice(load: Load, finish: Finish): Pick<Interactions, 'keepAccount' | 'chooseOtherAccount'> {
  return {
    keepAccount: async (ctx) => await finish(ctx, accountSelected),
    chooseOtherAccount: async (ctx) => {
      const interaction = await load(ctx);
      requireSignIn(interaction);
      await interaction.persist();
    },
  };
}

/** The consent page marks scopes that were granted before. */
async function compareWithGrant(grants: ConsentGrants, pending: PendingInteraction): Promise<PendingInteraction> {
  const { accountId, prompt, application, scopes } = pending;
  if (accountId === undefined || prompt !== 'consent') return pending;
  const earlier = await grants.findEarlier(accountId, application.clientId);
  return { ...pending, earlier, scopes: compareScopes(scopes, earlier) };
}

/** Resolves the prompt `select_account`: who has just signed in, or continues, has selected an account. */
const accountSelected = { [selectAccountPrompt]: {} };

const switchReason = 'switch_account';

/** Makes sign-in the next step, whatever the interaction's state. */
function requireSignIn(interaction: Interaction): void {
  interaction.prompt = { name: 'login', reasons: [switchReason], details: {} };
  delete interaction.result;
}

/** @throws InteractionEnded for the provider's SessionNotFound */
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
  return requiredText(params, 'client_id');
}

function describe(
  interaction: Interaction,
  registration: Registration,
  { scopes, apis, isAgent }: AskedScopes,
): PendingInteraction {
  const { params, prompt, session, uid } = interaction;
  const { clientId, name, owner, type, links, logo } = registration;
  return {
    uid,
    prompt: toPrompt(prompt.name),
    application: { clientId, name, owner, type, links, logo },
    redirectUri: requiredText(params, 'redirect_uri'),
    scopes: describeScopes(scopes, registration, apis),
    isAgent,
    implicit: params['response_type'] === 'none',
    accountId: session?.accountId === undefined ? undefined : Number(session.accountId),
    isSwitching: prompt.reasons.includes(switchReason),
    maxAge: prompt.reasons.includes('login_prompt') ? 0 : numberOf(params['max_age']),
    loginHint: textOf(params['login_hint']),
    uiLocales: textOf(params['ui_locales']),
  };
}

function toPrompt(name: string): InteractionPrompt {
  return name === 'consent' || name === selectAccountPrompt ? name : 'login';
}

/** The provider starts an interaction only after it has validated these parameters. */
function requiredText(params: Interaction['params'], name: string): string {
  const value = textOf(params[name]);
  if (value === undefined) throw new TypeError(`the interaction has no ${name}`);
  return value;
}

/** The provider has checked that it is a number. */
function numberOf(value: unknown): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
