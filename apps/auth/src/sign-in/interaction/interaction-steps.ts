import type { PendingInteraction } from '../../protocol/authorize/interaction.ts';
import type { InteractionRequest, InteractionStep } from '../flow/interaction-step.ts';
import type { SignInFlow, SignInStep } from '../flow/sign-in-flow.ts';
import type { Web } from '../visit/web.ts';
import type { StepRoute } from './interaction-dispatcher.tsx';

interface Steps {
  readonly login: SignInStep;
  readonly register: SignInStep;
  readonly secondFactor: SignInStep;
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
    restorationHref: `${path}/restore`,
    application,
    // With an earlier consent, the form redirects straight to the application.
    leadsOut: true,
    passwordReset: undefined,
    findLoginHint: async () => await findLoginHint(web, pending),
    complete: async (accountId, methods) => await web.interactions.signedIn(ctx, accountId, methods),
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
