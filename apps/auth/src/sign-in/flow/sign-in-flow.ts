/** What the sign-in steps (`login`, `register`, `second-factor`) share, wherever they run. */
import type { RequestState } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import type { AuthEvents, RequestEvent } from '../../audit/events.ts';
import type { Form } from '../../pages/form/form.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import type { PendingInteraction, RequestingApplication } from '../../protocol/authorize/interaction.ts';
import type { SignInProof } from '../../protocol/session/session.ts';
import type { Pending } from './pending.ts';

/** Values of the parameter `done` after a reset; the second also was the first proof of the address. */
export const passwordResetNotices = ['password-reset', 'first-password-reset'] as const;
export type PasswordResetNotice = (typeof passwordResetNotices)[number];

export type SignInPurpose = 'session-ended' | 'create-application';

/** A sign-in in progress: on `/login` and `/register` by themselves, or inside an interaction. */
export interface SignInFlow {
  readonly frame: Frame;
  readonly loginHref: string;
  readonly registerHref: string;
  readonly secondFactorHref: string;
  /** Where the sign-in with a provider continues. */
  readonly upstreamHref: string;
  /** How many seconds ago the person may have signed in with a provider; 0: they sign in there again. */
  readonly maxAge: number | undefined;
  /** Where the owner of a deleted account decides whether to keep it. */
  readonly restorationHref: string;
  /** The application that started the interaction. */
  readonly application?: RequestingApplication;
  /** Why the person signs in, if the page that leads here says so. */
  readonly purpose?: SignInPurpose | undefined;
  /** The sign-in may end at an application. */
  readonly leadsOut: boolean;
  /** The person has just reset their password by a link in mail. */
  readonly passwordReset: PasswordResetNotice | undefined;
  /** Initial value of the login field. */
  findLoginHint(): Promise<string | undefined>;
  /** Signs the person in under a new session id. Returns the address to redirect to. */
  complete(accountId: number, proof: SignInProof): Promise<string>;
}

/** One page of a sign-in: shows it and handles its form. */
export interface SignInStep {
  show(ctx: Koa.Context, flow: SignInFlow): Promise<void>;
  submit(ctx: Koa.Context, flow: SignInFlow, form: Form): Promise<void>;
}

/** The members that all events of a flow have in common. */
export function toFlowEvent({ application }: SignInFlow, ctx: Koa.Context): RequestEvent {
  const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
  return { requestId, clientId: application?.clientId };
}

/** Somebody has proven to be the owner of the account, with every factor that it requires. */
export interface ProvenOwner extends SignInProof {
  readonly accountId: number;
  /** The account is suspended, or is deleted and can be restored. */
  readonly isHidden: boolean;
}

/** Ends a sign-in: signs in, or shows what the owner of a hidden account can do. Returns the address to redirect to. */
export type EndSignIn = (ctx: Koa.Context, flow: SignInFlow, owner: ProvenOwner) => Promise<string>;

interface SignInEndOptions {
  readonly restoration: Pick<Pending, 'begin'>;
  readonly throttle: Pick<Throttle, 'rememberBrowser'>;
  readonly events: Pick<AuthEvents, 'signedIn'>;
}

export function createSignInEnd({ restoration, throttle, events }: SignInEndOptions): EndSignIn {
  return async (ctx, flow, { accountId, isHidden, ...proof }) => {
    if (isHidden) {
      await restoration.begin(ctx, accountId, proof);
      return flow.restorationHref;
    }
    const address = await flow.complete(accountId, proof);
    await throttle.rememberBrowser(ctx, accountId);
    events.signedIn({ ...toFlowEvent(flow, ctx), accountId });
    return address;
  };
}

/** A request for a page of an interaction that this browser began and that has not ended. */
export interface InteractionRequest {
  readonly ctx: Koa.Context;
  readonly pending: PendingInteraction;
  /** Path of the page that serves the current prompt. */
  readonly path: string;
}

/**
 * Serves one page of an interaction: shows it and handles its form.
 * Both methods may throw InteractionEnded; the dispatcher handles it.
 */
export interface InteractionStep {
  show(request: InteractionRequest): Promise<void>;
  submit(request: InteractionRequest, form: Form): Promise<void>;
}

/** Where a person restarts the authorization request of an interaction, even if the interaction has ended. */
export function restartPath(uid: string): string {
  return `/interaction/${uid}/restart`;
}
