/**
 * The pages between an authorization request and its answer, all at `/interaction/:uid`: signing in or
 * registering, then consent. `interaction-door` sees to it that an interaction is one of this browser.
 */
import Router from '@koa/router';
import type Koa from 'koa';

import { redirectTo } from '../../pages/http/done.ts';
import { mount } from '../../pages/http/mount.ts';
import { formActionSource } from '../../pages/http/security-headers.ts';
import type { Web } from '../visit/web.ts';
import type { PendingInteraction } from '../../protocol/authorize/interaction.ts';
import { decisionField } from '../consent/consent-page.tsx';
import type { ConsentStep } from '../consent/consent-step.tsx';
import { createInteractionDoor } from './interaction-door.tsx';
import type { InteractionDoor } from './interaction-door.tsx';
import type { LoginStep } from '../login/login-step.tsx';
import type { Place } from './place.ts';
import type { RegisterStep } from '../register/register-step.tsx';
import type { SecondFactorStep } from '../second-factor/second-factor-step.tsx';

interface InteractionRoutesOptions {
  readonly web: Web;
  readonly login: LoginStep;
  readonly register: RegisterStep;
  readonly consent: ConsentStep;
  readonly secondFactor: SecondFactorStep;
}

const path = '/interaction/:uid';
const registerPath = `${path}/register`;
const secondFactorPath = `${path}/second-factor`;

export function createInteractionRoutes(options: InteractionRoutesOptions): Koa.Middleware {
  const { web, login, register, consent } = options;
  const door = createInteractionDoor(web);
  const router = new Router({ sensitive: true, strict: true });

  const show = door.toShow(async (ctx, pending) => {
    if (pending.prompt === 'consent') return await consent.show(ctx, pending);
    await login.show(ctx, placeOf(web, ctx, pending), { login: await findHint(web, pending) });
    return true;
  });

  const submit = door.toSubmit(async (ctx, pending, form) => {
    const isConsent = pending.prompt === 'consent';
    // A page that was open when the interaction went on to another step: the person sees that one.
    if (form.has(decisionField) !== isConsent) redirectTo(ctx, addressOf(pending));
    else if (isConsent) await consent.submit(ctx, pending, form);
    else await login.submit(ctx, placeOf(web, ctx, pending), form);
  });

  const showRegister = door.toShow(async (ctx, pending) => {
    if (pending.prompt === 'consent') redirectTo(ctx, addressOf(pending));
    else register.show(ctx, placeOf(web, ctx, pending));
    return await Promise.resolve(true);
  });

  const submitRegister = door.toSubmit(async (ctx, pending, form) => {
    if (pending.prompt === 'consent') redirectTo(ctx, addressOf(pending));
    else await register.submit(ctx, placeOf(web, ctx, pending), form);
  });

  router.get(path, show).post(path, submit);
  addSecondFactor(router, options, door);
  router.get(registerPath, showRegister).post(registerPath, submitRegister);
  return mount(router);
}

function addSecondFactor(router: Router, { web, secondFactor }: InteractionRoutesOptions, door: InteractionDoor): void {
  const show = door.toShow(async (ctx, pending) => {
    if (pending.prompt === 'consent') redirectTo(ctx, addressOf(pending));
    else await secondFactor.show(ctx, placeOf(web, ctx, pending));
    return true;
  });
  const submit = door.toSubmit(async (ctx, pending, form) => {
    if (pending.prompt === 'consent') redirectTo(ctx, addressOf(pending));
    else await secondFactor.submit(ctx, placeOf(web, ctx, pending), form);
  });
  router.get(secondFactorPath, show).post(secondFactorPath, submit);
}

function placeOf(web: Web, ctx: Koa.Context, pending: PendingInteraction): Place {
  const { application, redirectUri, uiLocales } = pending;
  const loginHref = addressOf(pending);
  return {
    frame: web.createFrame(ctx, { uiLocales }),
    loginHref,
    registerHref: `${loginHref}/register`,
    secondFactorHref: `${loginHref}/second-factor`,
    application,
    // Who has agreed before is sent back to the application at once.
    formAction: [formActionSource(redirectUri)],
    enter: async (accountId, methods) => await web.interactions.signedIn(ctx, accountId, methods),
  };
}

const maxHintLength = 254;

/** What the login field holds at first: `login_hint`, or who is to sign in once more. */
async function findHint(web: Web, { loginHint, accountId }: PendingInteraction): Promise<string | undefined> {
  if (loginHint !== undefined) return loginHint.slice(0, maxHintLength);
  return accountId === undefined ? undefined : (await web.findViewer(accountId))?.username;
}

function addressOf({ uid }: PendingInteraction): string {
  return `/interaction/${encodeURIComponent(uid)}`;
}
