import { bindSession, endSessionsOf, linkIdentity, useIdentity } from '@linnet/accounts/identity-store';
import type { Db } from '@linnet/db/database';
import { nameRoute } from '@linnet/service/http/request-log';
import type { RequestState } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import { createFormPages } from '../../pages/form/form-pages.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaPage, Visit } from '../visit/area.ts';
import type { Web } from '../visit/web.ts';
import { UpstreamProblemPage, problemStatus } from './upstream-page.tsx';
import type { UpstreamProblem } from './upstream-page.tsx';
import { ProviderFailed } from './upstream-client.ts';
import { toIdentity } from './upstream.ts';
import type { Upstream, UpstreamPerson } from './upstream.ts';

export interface UpstreamRoutesOptions {
  readonly web: Web;
  readonly db: Db;
  readonly upstream: Upstream;
  readonly events: Pick<AuthEvents, 'signInRefused' | 'identityConfirmed' | 'sessionsEnded'>;
}

/** Where providers send browsers back, and where they say that a session ended there. */
export function createUpstreamRoutes(options: UpstreamRoutesOptions): readonly Koa.Middleware[] {
  const { web, upstream, events } = options;
  const callbacks = createFormPages<Koa.Context>({
    csrf: web.csrf,
    enter: async (ctx) => ctx,
    pages: upstream.providers.map(({ id }) => ({
      path: pagePaths.upstreamCallback(id),
      show: async (ctx) => {
        try {
          redirectTo(ctx, await upstream.receive(ctx, id));
        } catch (error) {
          if (!(error instanceof ProviderFailed)) throw error;
          events.signInRefused({ ...eventOf(ctx), reason: 'provider', problem: error.message });
          const page = <UpstreamProblemPage frame={web.createFrame(ctx)} problem={error.problem} back={error.back} />;
          renderPage(ctx, page, { status: problemStatus[error.problem] });
        }
      },
    })),
  });
  return [logoutRoute(options), callbacks];
}

function eventOf(ctx: Koa.Context) {
  const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
  return { requestId, clientId: undefined };
}

const maxLogoutBytes = 16_384;

/** OpenID Connect Back-Channel Logout §2.5: 200, or 400 with an error. The next request of an ended session is that of a stranger. */
function logoutRoute({ db, upstream, events }: UpstreamRoutesOptions): Koa.Middleware {
  const ids = new Map(upstream.providers.map(({ id }) => [pagePaths.upstreamLogout(id), id]));
  return async (ctx, next) => {
    const id = ids.get(ctx.path);
    if (id === undefined || ctx.method !== 'POST') {
      await next();
      return;
    }
    nameRoute(ctx, ctx.path);
    ctx.set('Cache-Control', 'no-store');
    try {
      await endSessionsOf(db, await upstream.readLogout(id, await readLogoutToken(ctx)));
      ctx.status = 200;
      ctx.body = '';
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error;
      events.signInRefused({ ...eventOf(ctx), reason: 'provider', problem: error.message });
      ctx.status = error.problem === 'unavailable' ? 503 : 400;
      ctx.body = { error: 'invalid_request', error_description: error.message };
    }
  };
}

/** @throws ProviderFailed */
async function readLogoutToken(ctx: Koa.Context): Promise<string> {
  const chunks: Buffer[] = [];
  let received = 0;
  const body: AsyncIterable<Buffer> = ctx.req;
  for await (const chunk of body) {
    received += chunk.length;
    if (received > maxLogoutBytes) throw new ProviderFailed('refused', 'the request is too long');
    chunks.push(chunk);
  }
  const [token = '', ...others] = new URLSearchParams(Buffer.concat(chunks).toString()).getAll('logout_token');
  if (token === '' || others.length > 0) throw new ProviderFailed('refused', 'logout_token must be sent once');
  return token;
}

/** `/account/security/provider`: where a person who is signed in comes back from a provider, to link it or to confirm who they are. */
export function createReturnPage({ web, upstream, events }: UpstreamRoutesOptions): AreaPage {
  return {
    path: pagePaths.linkProvider,
    show: async (visit) => {
      const { ctx, session } = visit;
      const person = upstream.find(ctx);
      if (person?.signedIn?.accountId !== session.accountId) {
        redirectTo(ctx, pagePaths.security);
        return;
      }
      upstream.end(ctx);
      if (person.signedIn.act === 'link') await link({ web, upstream }, visit, person);
      else await confirm({ web, events }, visit, person);
    },
  };
}

async function link(
  { web, upstream }: Pick<UpstreamRoutesOptions, 'web' | 'upstream'>,
  visit: Visit,
  person: UpstreamPerson,
) {
  const { ctx, session, sessionDb } = visit;
  const provider = upstream.providers.find(({ issuer }) => issuer === person.issuer);
  if (provider === undefined || web.stepUp.isStale(session) || (await web.mustVerifyEmail(session.accountId))) {
    redirectTo(ctx, pagePaths.security);
    return;
  }
  const isLinked = await linkIdentity(sessionDb, session.accountId, { ...toIdentity(person), name: provider.name });
  if (isLinked) redirectTo(ctx, `${pagePaths.security}?${linkedParameter}=${provider.id}`);
  else renderProblem(visit, 'taken', pagePaths.security);
}

/** Parameter of the security page: the provider that was linked just now. The browser comes from the provider, so `done` is not believed. */
export const linkedParameter = 'linked';

async function confirm(
  { web, events }: Pick<UpstreamRoutesOptions, 'web' | 'events'>,
  visit: Visit,
  person: UpstreamPerson,
) {
  const { ctx, session, event, sessionDb } = visit;
  const owner = await useIdentity(sessionDb, toIdentity(person));
  if (owner?.accountId !== session.accountId) {
    renderProblem(visit, 'taken', pagePaths.account);
    return;
  }
  const confirmed = await web.sessions.confirm(ctx, person.methods);
  if (confirmed !== undefined) {
    await bindSession(sessionDb, session.uid, person);
    events.identityConfirmed(event);
  }
  redirectTo(ctx, person.back);
}

function renderProblem({ ctx, frame }: Visit, problem: UpstreamProblem, back: string): void {
  renderPage(ctx, <UpstreamProblemPage {...{ frame, problem, back }} />, { status: problemStatus[problem] });
}
