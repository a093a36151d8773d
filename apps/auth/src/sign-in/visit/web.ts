import type Koa from 'koa';

import type { Interactions } from '../../protocol/authorize/interaction.ts';
import type { Sessions } from '../../protocol/session/session.ts';
import type { Viewer } from '../../pages/views/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Csrf } from '../../pages/http/csrf.ts';
import type { CreateFrame } from '../../pages/http/page-frame.ts';
import type { SignedIn } from './signed-in.ts';
import type { StepUp } from './step-up.ts';

/** What every route that answers with a page works with. */
export interface Web {
  readonly baseUrl: string;
  readonly csrf: Csrf;
  readonly createFrame: CreateFrame;
  readonly sessions: Sessions;
  readonly interactions: Interactions;
  readonly stepUp: StepUp;
  /** Who an account is, for the top of the page; undefined when it is gone. */
  readonly findViewer: (accountId: number) => Promise<Viewer | undefined>;
  /** Whether the account has to confirm its e-mail address before it lets applications in. */
  readonly mustVerifyEmail: (accountId: number) => Promise<boolean>;
  /** Whoever bears the username publishes applications, and has not confirmed the address that the service could write to. */
  readonly isPublisherUnconfirmed: (username: string) => Promise<boolean>;
}

/** Who is signed in; undefined for nobody. */
export async function findSignedIn(web: Web, ctx: Koa.Context): Promise<SignedIn | undefined> {
  const session = await web.sessions.current(ctx);
  if (session === undefined) return undefined;
  const viewer = await web.findViewer(session.accountId);
  return viewer === undefined ? undefined : { session, viewer, frame: web.createFrame(ctx, { viewer }) };
}

/**
 * For pages that need somebody: when nobody is signed in, answers with a redirect to the sign-in that
 * leads back here, and gives undefined.
 */
export async function requireSignedIn(web: Web, ctx: Koa.Context): Promise<SignedIn | undefined> {
  const signedIn = await findSignedIn(web, ctx);
  if (signedIn !== undefined) return signedIn;
  const back = ctx.method === 'GET' ? ctx.url : ctx.path;
  ctx.redirect(`${pagePaths.login}?${new URLSearchParams({ return_to: back }).toString()}`);
  if (ctx.method !== 'GET') ctx.status = 303;
  return undefined;
}
