/**
 * Everything at `/interaction/:uid`, between an authorization request and its response. The dispatcher loads the
 * interaction, checks that this browser began it (checklist AZ19) and runs the step for its prompt and the path.
 */
import type { RouterContext } from '@koa/router';

import { sendsNoCookies } from '../../pages/form/csrf.ts';
import { createFormPages } from '../../pages/form/form-pages.ts';
import type { FormPage, FormPages } from '../../pages/form/form-pages.ts';
import type { Form } from '../../pages/form/form.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { ErrorPage } from '../../pages/views/error-page.tsx';
import { InteractionEnded } from '../../protocol/authorize/interaction.ts';
import type { PendingInteraction } from '../../protocol/authorize/interaction.ts';
import { decisionField } from '../consent/consent-page.tsx';
import { restartPath } from '../flow/sign-in-flow.ts';
import type { InteractionRequest, InteractionStep, SignInFlow, SignInStep } from '../flow/sign-in-flow.ts';
import { accountField } from '../select-account/select-account.tsx';
import type { Web } from '../visit/web.ts';

type Prompt = PendingInteraction['prompt'];

/** A row of the dispatch table. */
interface StepRoute {
  readonly prompt: Prompt;
  /** Path below `/interaction/:uid`; empty for the page that a prompt starts with. */
  readonly path: '' | '/register' | '/second-factor' | '/provider' | '/restore';
  readonly step: InteractionStep;
}

export function createInteractionDispatcher(web: Web, steps: readonly StepRoute[]): FormPages {
  return createFormPages<Visitor>({
    csrf: web.csrf,
    enter: async (ctx) => {
      const pending = await web.interactions.find(ctx, uidOf(ctx));
      // From here on, errors are shown in the language of the interaction.
      if (pending !== undefined) web.createFrame(ctx, { uiLocales: pending.uiLocales });
      return { ctx, pending };
    },
    pages: [...listStepPages(web, steps), createRestartPage(web)],
  });
}

function listStepPages(web: Web, steps: readonly StepRoute[]): readonly FormPage<Visitor>[] {
  const paths = [...new Set(steps.map((one) => one.path))];
  return paths.map((path) => {
    const answer = guard(web, async (request, form) => {
      const step = steps.find((one) => one.prompt === request.pending.prompt && one.path === path)?.step;
      // The form may come from the page of an earlier prompt.
      const isCurrent = form === undefined || promptOf(form) === request.pending.prompt;
      if (step === undefined || !isCurrent) redirectTo(request.ctx, request.path);
      else if (form === undefined) await step.show(request);
      else await step.submit(request, form);
    });
    return {
      path: `/interaction/:uid${path}`,
      show: async (visitor) => await answer(visitor, undefined),
      submit: answer,
    };
  });
}

function createRestartPage(web: Web): FormPage<Visitor> {
  return {
    path: restartPath(':uid'),
    show: async ({ ctx }) => {
      if (!(await restart(web, ctx))) renderEnded(web, ctx, undefined);
    },
  };
}

interface Visitor {
  readonly ctx: RouterContext;
  /** Undefined if the interaction does not exist, has ended, or was started in another browser. */
  readonly pending: PendingInteraction | undefined;
}

/** The prompt whose page sent the form, by the name of its button. */
function promptOf(form: Form): Prompt {
  if (form.has(accountField)) return 'select_account';
  return form.has(decisionField) ? 'consent' : 'login';
}

type Dispatch = (request: InteractionRequest, form: Form | undefined) => Promise<void>;

/** Handles interactions that do not exist or have ended. */
function guard(web: Web, dispatch: Dispatch): (visitor: Visitor, form: Form | undefined) => Promise<void> {
  return async ({ ctx, pending }, form) => {
    try {
      if (pending === undefined) throw new InteractionEnded('not found for this browser');
      await dispatch({ ctx, pending, path: `/interaction/${encodeURIComponent(uidOf(ctx))}` }, form);
    } catch (error) {
      if (!(error instanceof InteractionEnded)) throw error;
      await answerEnded(web, ctx, form);
    }
  };
}

/** A late form restarts the authorization, unless the person denied it. */
async function answerEnded(web: Web, ctx: RouterContext, form: Form | undefined): Promise<void> {
  const isLate = form !== undefined && form.text(decisionField) !== 'deny';
  if (isLate && (await restart(web, ctx))) return;
  const continueTo = (await web.interactions.canRestart(ctx, uidOf(ctx)))
    ? restartPath(encodeURIComponent(uidOf(ctx)))
    : undefined;
  renderEnded(web, ctx, continueTo);
}

function renderEnded(web: Web, ctx: RouterContext, continueTo: string | undefined): void {
  const kind = sendsNoCookies(ctx) ? 'no-cookies' : 'ended-interaction';
  const page = <ErrorPage frame={web.createFrame(ctx)} kind={kind} continueTo={continueTo} />;
  renderPage(ctx, page, { status: 400 });
}

/** Redirects to the authorization request, and returns false if there is none. */
async function restart(web: Web, ctx: RouterContext): Promise<boolean> {
  const address = await web.interactions.restart(ctx, uidOf(ctx));
  if (address !== undefined) redirectTo(ctx, address);
  return address !== undefined;
}

function uidOf({ params: { uid } }: RouterContext): string {
  if (uid === undefined) throw new Error('the route has no parameter uid');
  return uid;
}

interface Steps {
  readonly login: SignInStep;
  readonly register: SignInStep;
  readonly secondFactor: SignInStep;
  readonly upstream: SignInStep;
  readonly restoration: SignInStep;
  readonly selectAccount: InteractionStep;
  readonly consent: InteractionStep;
}

/** Which step serves which prompt, and at which path. */
export function createInteractionSteps(web: Web, steps: Steps): readonly StepRoute[] {
  return [
    { prompt: 'login', path: '', step: inInteraction(web, steps.login) },
    { prompt: 'login', path: '/register', step: inInteraction(web, steps.register) },
    { prompt: 'login', path: '/second-factor', step: inInteraction(web, steps.secondFactor) },
    { prompt: 'login', path: '/provider', step: inInteraction(web, steps.upstream) },
    { prompt: 'login', path: '/restore', step: inInteraction(web, steps.restoration) },
    { prompt: 'select_account', path: '', step: steps.selectAccount },
    { prompt: 'consent', path: '', step: steps.consent },
  ];
}

function inInteraction(web: Web, step: SignInStep): InteractionStep {
  return {
    show: async (request) => await step.show(request.ctx, createFlow(web, request)),
    submit: async (request, form) => await step.submit(request.ctx, createFlow(web, request), form),
  };
}

function createFlow(web: Web, { ctx, pending, path }: InteractionRequest): SignInFlow {
  const { application, uiLocales } = pending;
  return {
    frame: web.createFrame(ctx, { uiLocales }),
    loginHref: path,
    registerHref: `${path}/register`,
    secondFactorHref: `${path}/second-factor`,
    upstreamHref: `${path}/provider`,
    // If somebody is signed in, the application wants a new sign-in.
    maxAge: pending.accountId !== undefined && !pending.isSwitching ? 0 : pending.maxAge,
    restorationHref: `${path}/restore`,
    application,
    // With an earlier consent, the form redirects straight to the application.
    leadsOut: true,
    passwordReset: undefined,
    findLoginHint: async () => await findLoginHint(web, pending),
    complete: async (accountId, proof) => await web.interactions.signedIn(ctx, accountId, proof),
  };
}

const maxHintLength = 254;

/** The `login_hint` of the request, or the username of the account that has to sign in again. */
async function findLoginHint(web: Web, pending: PendingInteraction): Promise<string | undefined> {
  const { loginHint, accountId, isSwitching } = pending;
  if (isSwitching) return undefined;
  if (loginHint !== undefined) return loginHint.slice(0, maxHintLength);
  return accountId === undefined ? undefined : (await web.findViewer(accountId))?.username;
}
