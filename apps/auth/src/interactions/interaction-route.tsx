/**
 * The pages between an authorization request and its answer: signing in or registering, then consent.
 * All are at `/interaction/:uid`, which only the browser that began may open (checklist AZ19).
 */
import Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type Koa from 'koa';

import { goOn } from '../http/done.ts';
import type { Form } from '../http/form.ts';
import { mount } from '../http/mount.ts';
import { readOwnForm } from '../http/own-form.ts';
import { renderPage } from '../http/render.tsx';
import { formActionSource } from '../http/security-headers.ts';
import type { Web } from '../http/web.ts';
import { InteractionEnded } from '../oidc/interaction.ts';
import type { PendingInteraction } from '../oidc/interaction.ts';
import { ErrorPage } from '../views/error-page.tsx';
import { decisionField } from './consent/consent-page.tsx';
import type { ConsentStep } from './consent/consent-step.tsx';
import type { LoginStep } from './login/login-step.tsx';
import type { Place } from './place.ts';
import type { RegisterStep } from './register/register-step.tsx';

interface InteractionRoutesOptions {
  readonly web: Web;
  readonly login: LoginStep;
  readonly register: RegisterStep;
  readonly consent: ConsentStep;
}

/** What one page does with an interaction that goes on; false when it cannot after all. */
type Show = (ctx: RouterContext, pending: PendingInteraction) => Promise<boolean>;
type Submit = (ctx: RouterContext, pending: PendingInteraction, form: Form) => Promise<void>;

export function createInteractionRoutes({ web, login, register, consent }: InteractionRoutesOptions): Koa.Middleware {
  const { interactions } = web;

  function placeOf(ctx: Koa.Context, pending: PendingInteraction): Place {
    const { uid, application, redirectUri, uiLocales } = pending;
    return {
      frame: web.createFrame(ctx, { uiLocales }),
      loginHref: addressOf(uid),
      registerHref: `${addressOf(uid)}/register`,
      application,
      // Who has agreed before is sent back to the application at once.
      formAction: [formActionSource(redirectUri)],
      enter: async (accountId) => await interactions.signedIn(ctx, accountId),
    };
  }

  /** Answers for an interaction that is over, or was begun in another browser; a form that comes late begins anew. */
  async function answerEnded(ctx: RouterContext, form?: Form): Promise<void> {
    const restart = await interactions.findRestart(ctx, uidOf(ctx));
    if (form !== undefined && restart !== undefined && form.text(decisionField) !== 'deny') {
      goOn(ctx, restart);
      return;
    }
    const page = <ErrorPage frame={web.createFrame(ctx)} kind="ended-interaction" continueTo={restart} />;
    renderPage(ctx, page, { status: 400 });
  }

  const toShow = (show: Show) => async (ctx: RouterContext) => {
    const pending = await interactions.find(ctx, uidOf(ctx));
    if (pending === undefined || !(await show(ctx, pending))) await answerEnded(ctx);
  };

  const toSubmit = (submit: Submit) => async (ctx: RouterContext) => {
    const pending = await interactions.find(ctx, uidOf(ctx));
    // A refusal of the form is in the language of its page, too.
    if (pending !== undefined) web.createFrame(ctx, { uiLocales: pending.uiLocales });
    const form = await readOwnForm(web, ctx);
    try {
      if (pending === undefined) await answerEnded(ctx, form);
      else await submit(ctx, pending, form);
    } catch (error) {
      if (!(error instanceof InteractionEnded)) throw error;
      await answerEnded(ctx, form);
    }
  };

  const router = new Router({ sensitive: true, strict: true });
  router.get(
    '/interaction/:uid',
    toShow(async (ctx, pending) => {
      if (pending.prompt === 'consent') return await consent.show(ctx, pending);
      login.show(ctx, placeOf(ctx, pending), { login: await findHint(web, pending) });
      return true;
    }),
  );
  router.post(
    '/interaction/:uid',
    toSubmit(async (ctx, pending, form) => {
      // A page that was open when the interaction went on to another step: the person sees that one.
      if (form.has(decisionField) !== (pending.prompt === 'consent')) goOn(ctx, addressOf(pending.uid));
      else if (pending.prompt === 'consent') await consent.submit(ctx, pending, form);
      else await login.submit(ctx, placeOf(ctx, pending), form);
    }),
  );
  router.get(
    '/interaction/:uid/register',
    toShow(async (ctx, pending) => {
      if (pending.prompt === 'consent') goOn(ctx, addressOf(pending.uid));
      else register.show(ctx, placeOf(ctx, pending));
      return await Promise.resolve(true);
    }),
  );
  router.post(
    '/interaction/:uid/register',
    toSubmit(async (ctx, pending, form) => {
      if (pending.prompt === 'consent') goOn(ctx, addressOf(pending.uid));
      else await register.submit(ctx, placeOf(ctx, pending), form);
    }),
  );
  return mount(router);
}

const maxHintLength = 254;

/** What the login field holds at first: `login_hint`, or who is to sign in once more. */
async function findHint(web: Web, { loginHint, accountId }: PendingInteraction): Promise<string | undefined> {
  if (loginHint !== undefined) return loginHint.slice(0, maxHintLength);
  return accountId === undefined ? undefined : (await web.findViewer(accountId))?.username;
}

function uidOf(ctx: RouterContext): string {
  return ctx.params['uid'] ?? '';
}

function addressOf(uid: string): string {
  return `/interaction/${encodeURIComponent(uid)}`;
}
