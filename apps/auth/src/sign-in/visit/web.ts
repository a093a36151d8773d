import type Koa from 'koa';

import type { ApplicationFacts } from '@linnet/applications/application/application-facts-store';
import type { Interactions } from '../../protocol/authorize/interaction.ts';
import type { Sessions } from '../../protocol/session/session.ts';
import type { Viewer } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Csrf } from '../../pages/form/csrf.ts';
import type { CreateFrame } from '../../pages/frame/page-frame.ts';
import { doneParameter } from '../../pages/frame/render.tsx';
import type { KeptForms } from './kept-form.ts';
import type { SessionDb } from './session-db-store.ts';
import type { SignedIn, StepUp } from './step-up.ts';

/** Dependencies of all routes that respond with pages. */
export interface Web {
  readonly baseUrl: string;
  /** Where people start after signing in: the web client, if there is one. */
  readonly landing: string;
  readonly csrf: Csrf;
  readonly createFrame: CreateFrame;
  readonly sessions: Sessions;
  readonly interactions: Interactions;
  readonly stepUp: StepUp;
  readonly keptForms: KeptForms;
  /** The database for writes that give lasting access to an account; see `SessionDb`. */
  readonly atSession: (sessionUid: string) => SessionDb;
  /** Call after a person may have written something, before the response: API servers then show it. */
  readonly wrote: (accountId: number) => Promise<void>;
  /** The account as the page header shows it; undefined if it is suspended or deleted. */
  readonly findViewer: (accountId: number) => Promise<Viewer | undefined>;
  /** Whether the account must verify its e-mail address before it can authorize applications. */
  readonly mustVerifyEmail: (accountId: number) => Promise<boolean>;
  /** Whether the owner of an application, by username, has yet to verify their e-mail address. */
  readonly isPublisherUnconfirmed: (username: string) => Promise<boolean>;
  /** What the pages that introduce an application say about it; undefined if it does not exist. */
  readonly findApplicationFacts: (clientId: string) => Promise<ApplicationFacts | undefined>;
}

export async function findSignedIn(web: Web, ctx: Koa.Context): Promise<SignedIn | undefined> {
  const session = await web.sessions.current(ctx);
  if (session === undefined) return undefined;
  const viewer = await web.findViewer(session.accountId);
  if (viewer === undefined) return undefined;
  return { session, viewer, frame: web.createFrame(ctx, { viewer, accountId: session.accountId }) };
}

/** If nobody is signed in, redirects to the sign-in page, which leads back here, and returns undefined. */
export async function requireSignedIn(web: Web, ctx: Koa.Context): Promise<SignedIn | undefined> {
  const signedIn = await findSignedIn(web, ctx);
  if (signedIn !== undefined) return signedIn;
  redirectToSignIn(ctx);
  return undefined;
}

/** Values of the parameter `done`: nothing was. The session had ended, or the identity was not confirmed in time. */
export const returnWords = ['session-ended', 'unconfirmed'] as const;

/** The address of the page to which a form was sent, which then shows it again. */
export function returnAddress({ path, querystring }: Koa.Context, why: (typeof returnWords)[number]): string {
  const query = new URLSearchParams(querystring);
  query.set(doneParameter, why);
  return `${path}?${query.toString()}`;
}

/** The sign-in page leads back here, where the form that was sent is shown again. */
export function redirectToSignIn(ctx: Koa.Context): void {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const back = isRead ? ctx.url : returnAddress(ctx, 'session-ended');
  ctx.redirect(`${pagePaths.login}?${new URLSearchParams({ return_to: back }).toString()}`);
  if (!isRead) ctx.status = 303;
}
