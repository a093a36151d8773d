import type { RequestState } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import { createFormPages } from '../../pages/form/form-pages.ts';
import type { FormPages } from '../../pages/form/form-pages.ts';
import type { Form } from '../../pages/form/form.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { ErrorPage } from '../../pages/views/error-page.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { LogoutRefused } from '../../protocol/session/end-session.ts';
import type { EndSession, LogoutRequest } from '../../protocol/session/end-session.ts';
import type { SignedIn } from '../visit/step-up.ts';
import { findSignedIn } from '../visit/web.ts';
import type { Web } from '../visit/web.ts';
import { logoutField, LogoutPage, SignedOutPage } from './logout-page.tsx';

interface EndSessionRoutesOptions {
  readonly web: Web;
  readonly events: AuthEvents;
  readonly endSession: EndSession;
}

/**
 * `/oauth/logout`: an application asks to sign the person out. The person always decides (decisions D105), and both
 * answers lead back to a registered address of the application. Who is not signed in is sent back at once. In the service's own
 * web client, the person has decided already.
 */
export function createEndSessionRoutes(options: EndSessionRoutesOptions): FormPages {
  const { web } = options;
  const show = async (ctx: Koa.Context) => {
    const checked = await check(options, ctx, new URLSearchParams(ctx.querystring));
    if (checked === undefined) return;
    const { request, signedIn } = checked;
    if (signedIn === undefined) finish(web, ctx, request);
    else if (request.isOwn) await signOut(options, ctx, { ...checked, signedIn });
    else ask(web, ctx, { request, signedIn });
  };
  return createFormPages<Koa.Context>({
    csrf: web.csrf,
    enter: async (ctx) => ctx,
    pages: [
      { path: pagePaths.endSession, show },
      {
        path: pagePaths.endSessionConfirm,
        // The form is sent by POST; nothing links here.
        show: (ctx) => redirectTo(ctx, pagePaths.logout),
        submit: async (ctx, form) => await decide(options, ctx, form),
      },
    ],
  });
}

interface Checked {
  readonly request: LogoutRequest;
  /** Undefined if nobody is signed in. */
  readonly signedIn: SignedIn | undefined;
  readonly requestId: string;
}

/** Returns undefined if it has responded with an error page. */
async function check(
  { web, endSession }: EndSessionRoutesOptions,
  ctx: Koa.Context,
  pairs: Iterable<readonly [name: string, value: string]>,
): Promise<Checked | undefined> {
  const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
  const signedIn = await findSignedIn(web, ctx);
  try {
    const request = await endSession.check(pairs, { requestId, accountId: signedIn?.session.accountId });
    return { request, signedIn, requestId };
  } catch (error) {
    if (!(error instanceof LogoutRefused)) throw error;
    const oauthError = { code: 'invalid_request', description: error.message };
    const frame = signedIn?.frame ?? web.createFrame(ctx);
    renderPage(ctx, <ErrorPage frame={frame} kind="bad-sign-out" oauthError={oauthError} />, { status: 400 });
    return undefined;
  }
}

async function decide(options: EndSessionRoutesOptions, ctx: Koa.Context, form: Form): Promise<void> {
  const checked = await check(options, ctx, form.pairs);
  if (checked === undefined) return;
  const { signedIn } = checked;
  if (signedIn === undefined || form.text(logoutField) === 'stay') {
    redirectTo(ctx, checked.request.returnTo ?? pagePaths.logout);
  } else {
    await signOut(options, ctx, { ...checked, signedIn });
  }
}

async function signOut(
  { web, events }: EndSessionRoutesOptions,
  ctx: Koa.Context,
  { request, signedIn, requestId }: Checked & { readonly signedIn: SignedIn },
): Promise<void> {
  await web.sessions.signOut(ctx);
  const clientId = request.application?.clientId;
  events.signedOut({ requestId, clientId, accountId: signedIn.session.accountId });
  redirectTo(ctx, request.returnTo ?? pagePaths.logout);
}

function finish(web: Web, ctx: Koa.Context, { returnTo, uiLocales }: LogoutRequest): void {
  if (returnTo === undefined) renderPage(ctx, <SignedOutPage frame={web.createFrame(ctx, { uiLocales })} />);
  else redirectTo(ctx, returnTo);
}

interface Question {
  readonly request: LogoutRequest;
  readonly signedIn: SignedIn;
}

function ask(web: Web, ctx: Koa.Context, { request, signedIn: { viewer } }: Question): void {
  const { application, returnTo, uiLocales, fields } = request;
  renderPage(
    ctx,
    <LogoutPage
      frame={web.createFrame(ctx, { viewer, uiLocales })}
      username={viewer.username}
      application={application}
      form={{ action: pagePaths.endSessionConfirm, hidden: fields }}
      canReturn={returnTo !== undefined}
    />,
    { leadsOut: returnTo !== undefined },
  );
}

interface LogoutRoutesOptions {
  readonly web: Web;
  readonly events: AuthEvents;
}

/** `/logout`: GET asks for confirmation, POST signs out. */
export function createLogoutRoutes({ web, events }: LogoutRoutesOptions): FormPages {
  const show = async (ctx: Koa.Context) => {
    const signedIn = await findSignedIn(web, ctx);
    if (signedIn === undefined) {
      const isDeleted = findDone(ctx, ['deleted']) !== undefined;
      renderPage(ctx, <SignedOutPage frame={web.createFrame(ctx)} isDeleted={isDeleted} />);
    } else renderPage(ctx, <LogoutPage frame={signedIn.frame} username={signedIn.viewer.username} />);
  };
  const submit = async (ctx: Koa.Context) => {
    const session = await web.sessions.current(ctx);
    await web.sessions.signOut(ctx);
    if (session !== undefined) {
      const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
      events.signedOut({ requestId, clientId: undefined, accountId: session.accountId });
    }
    redirectTo(ctx, pagePaths.logout);
  };
  const pages = [{ path: pagePaths.logout, show, submit }];
  return createFormPages<Koa.Context>({ csrf: web.csrf, enter: async (ctx) => ctx, pages });
}
