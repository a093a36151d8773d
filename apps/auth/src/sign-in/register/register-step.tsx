import { AccountTaken } from '@linnet/accounts/account';
import type { Account, Registration } from '@linnet/accounts/account';
import type { Accounts } from '@linnet/accounts/accounts';
import { NameRefused } from '@linnet/accounts/names/name-rules';
import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { toFlowEvent } from '../flow/sign-in-flow.ts';
import type { SignInFlow, SignInStep } from '../flow/sign-in-flow.ts';
import type { SecondFactorStep } from '../second-factor/second-factor-step.tsx';
import { readRegisterForm } from './register-form.ts';
import { RegisterPage } from './register-page.tsx';
import type { RegisterPageProps } from './register-page.tsx';
import { findJustRegistered } from './repeated-registration.ts';

interface RegisterStepOptions {
  readonly accounts: Pick<Accounts, 'checkCredentials' | 'register'>;
  readonly throttle: Pick<Throttle, 'countRegistration'>;
  readonly secondFactor: Pick<SecondFactorStep, 'completeWithPassword'>;
  readonly events: AuthEvents;
}

interface PageState extends Pick<RegisterPageProps, 'values' | 'errors' | 'problem'> {
  readonly status?: number;
}

interface Registered {
  readonly account: Account;
  readonly isNew: boolean;
}

/** Creates the account and signs in. Wrong fields are 422, too many registrations 429. */
export function createRegisterStep({ accounts, throttle, secondFactor, events }: RegisterStepOptions): SignInStep {
  async function register(registration: Registration): Promise<Registered | AccountTaken | NameRefused> {
    try {
      return { account: await accounts.register(registration), isNew: true };
    } catch (error) {
      if (error instanceof NameRefused) return error;
      if (!(error instanceof AccountTaken)) throw error;
      const account = await findJustRegistered(accounts, registration);
      return account === undefined ? error : { account, isNew: false };
    }
  }

  return {
    show: async (ctx, flow) => {
      render(ctx, flow, {});
    },
    submit: async (ctx, flow, form) => {
      const { register: texts } = flow.frame.messages.signIn;
      const { values, errors, registration } = readRegisterForm(form, flow.frame.messages);
      if (registration === undefined) {
        render(ctx, flow, { values, errors, status: 422 });
        return;
      }
      const waitSeconds = await throttle.countRegistration(ctx, registration.email);
      if (waitSeconds !== undefined) {
        ctx.set('Retry-After', String(waitSeconds));
        render(ctx, flow, { values, problem: texts.errors.throttled, status: 429 });
        return;
      }
      const outcome = await register({ ...registration, language: flow.frame.messages.language });
      if (outcome instanceof Error) {
        render(ctx, flow, { values, errors: refusalErrors(outcome, flow), status: 422 });
        return;
      }
      const { account, isNew } = outcome;
      if (isNew) events.registered({ ...toFlowEvent(flow, ctx), accountId: account.id });
      redirectTo(ctx, await secondFactor.completeWithPassword(ctx, flow, { accountId: account.id, isHidden: false }));
    },
  };
}

function render(ctx: Koa.Context, flow: SignInFlow, { status = 200, ...state }: PageState): void {
  const { frame, loginHref, application, leadsOut } = flow;
  const page = <RegisterPage {...state} frame={frame} loginHref={loginHref} application={application} />;
  renderPage(ctx, page, { status, leadsOut });
}

function refusalErrors(refusal: AccountTaken | NameRefused, { frame }: SignInFlow): NonNullable<PageState['errors']> {
  if (refusal instanceof NameRefused) return { first_name: frame.messages.names.errors[refusal.problem] };
  const { fields } = refusal;
  const { errors } = frame.messages.signIn.register;
  return {
    ...(fields.includes('email') ? { email: errors.emailTaken } : {}),
    ...(fields.includes('username') ? { username: errors.usernameTaken } : {}),
  };
}
