import { AccountTaken } from '@linnet/accounts/account';
import type { Account, Registration } from '@linnet/accounts/account';
import type { Accounts } from '@linnet/accounts/accounts';
import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import { redirectTo } from '../../pages/http/done.ts';
import type { Form } from '../../pages/http/form.ts';
import { renderPage } from '../../pages/http/render.tsx';
import type { Throttle } from '../../pages/http/throttle.ts';
import { eventAt } from '../interaction/place.ts';
import type { Place } from '../interaction/place.ts';
import type { SecondFactorStep } from '../second-factor/second-factor-step.tsx';
import { readRegisterForm } from './register-form.ts';
import { RegisterPage } from './register-page.tsx';
import type { RegisterPageProps } from './register-page.tsx';
import { findRepeated } from './repeated-registration.ts';

interface RegisterStepOptions {
  readonly accounts: Pick<Accounts, 'checkCredentials' | 'register'>;
  readonly throttle: Pick<Throttle, 'countRegistration'>;
  readonly secondFactor: Pick<SecondFactorStep, 'enterWithPassword'>;
  readonly events: AuthEvents;
}

export interface RegisterStep {
  show(ctx: Koa.Context, place: Place): void;
  /** Makes the account and signs in. Wrong fields are 422, too many registrations 429. */
  submit(ctx: Koa.Context, place: Place, form: Form): Promise<void>;
}

interface Shown extends Pick<RegisterPageProps, 'values' | 'errors' | 'problem'> {
  readonly status?: number;
}

export function createRegisterStep({ accounts, throttle, secondFactor, events }: RegisterStepOptions): RegisterStep {
  /** The new account, or what is taken. */
  async function register(registration: Registration): Promise<{ account: Account; isNew: boolean } | AccountTaken> {
    try {
      return { account: await accounts.register(registration), isNew: true };
    } catch (error) {
      if (!(error instanceof AccountTaken)) throw error;
      const account = await findRepeated(accounts, registration);
      return account === undefined ? error : { account, isNew: false };
    }
  }

  return {
    show: (ctx, place) => {
      render(ctx, place, {});
    },
    submit: async (ctx, place, form) => {
      const { register: texts } = place.frame.messages.signIn;
      const { values, errors, registration } = readRegisterForm(form, place.frame.messages);
      if (registration === undefined) {
        render(ctx, place, { values, errors, status: 422 });
        return;
      }
      const waitSeconds = await throttle.countRegistration(ctx);
      if (waitSeconds !== undefined) {
        ctx.set('Retry-After', String(waitSeconds));
        render(ctx, place, { values, problem: texts.errors.throttled, status: 429 });
        return;
      }
      const outcome = await register({ ...registration, language: place.frame.messages.language });
      if (outcome instanceof AccountTaken) {
        render(ctx, place, { values, errors: takenErrors(outcome, place), status: 422 });
        return;
      }
      const { account, isNew } = outcome;
      if (isNew) events.registered({ ...eventAt(place, ctx), accountId: account.id });
      redirectTo(ctx, await secondFactor.enterWithPassword(ctx, place, account.id));
    },
  };
}

function render(ctx: Koa.Context, place: Place, { status = 200, ...shown }: Shown): void {
  const { frame, loginHref, application, formAction } = place;
  const page = <RegisterPage {...shown} frame={frame} loginHref={loginHref} application={application} />;
  renderPage(ctx, page, { status, formAction });
}

function takenErrors({ fields }: AccountTaken, { frame }: Place): NonNullable<Shown['errors']> {
  const { errors } = frame.messages.signIn.register;
  return {
    ...(fields.includes('email') ? { email: errors.emailTaken } : {}),
    ...(fields.includes('username') ? { username: errors.usernameTaken } : {}),
  };
}
