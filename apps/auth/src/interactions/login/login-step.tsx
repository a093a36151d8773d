import type { Accounts } from '@linnet/accounts/accounts';
import type Koa from 'koa';

import type { AuthEvents } from '../../events.ts';
import { goOn } from '../../http/done.ts';
import type { Form } from '../../http/form.ts';
import { renderPage } from '../../http/render.tsx';
import type { Throttle } from '../../http/throttle.ts';
import { eventAt } from '../place.ts';
import type { Place } from '../place.ts';
import { LoginPage } from './login-page.tsx';
import type { LoginPageProps } from './login-page.tsx';

interface LoginStepOptions {
  readonly accounts: Pick<Accounts, 'checkCredentials'>;
  readonly throttle: Pick<Throttle, 'countSignIn' | 'signedIn'>;
  readonly events: AuthEvents;
}

type Shown = Pick<LoginPageProps, 'login' | 'isConfirmation' | 'isReset'>;

export interface LoginStep {
  show(ctx: Koa.Context, place: Place, shown?: Shown): void;
  /**
   * Signs in with the fields `login` and `password`. A refusal is 422 with one text, whatever was
   * wrong (checklist UI10): RFC 9110 keeps 401 for schemes with a challenge. Too many are 429.
   */
  submit(ctx: Koa.Context, place: Place, form: Form): Promise<void>;
}

export function createLoginStep({ accounts, throttle, events }: LoginStepOptions): LoginStep {
  const refuse = (
    ctx: Koa.Context,
    place: Place,
    { login, reason }: { login: string; reason: keyof typeof refusals },
  ) => {
    const { status, problem } = refusals[reason];
    events.signInRefused({ ...eventAt(place, ctx), reason });
    renderPage(ctx, toPage(place, { login, problem }), { status, formAction: place.formAction });
  };

  return {
    show: (ctx, place, shown = {}) => {
      renderPage(ctx, toPage(place, shown), { formAction: place.formAction });
    },
    submit: async (ctx, place, form) => {
      const login = form.text('login');
      const waitSeconds = await throttle.countSignIn(ctx, login);
      if (waitSeconds !== undefined) {
        ctx.set('Retry-After', String(waitSeconds));
        refuse(ctx, place, { login, reason: 'throttled' });
        return;
      }
      const account = await accounts.checkCredentials(login, form.text('password'));
      if (account === undefined) {
        refuse(ctx, place, { login, reason: 'credentials' });
        return;
      }
      await throttle.signedIn(ctx, login);
      const address = await place.enter(account.id);
      events.signedIn({ ...eventAt(place, ctx), accountId: account.id });
      goOn(ctx, address);
    },
  };
}

const refusals = {
  credentials: { status: 422, problem: 'failed' },
  throttled: { status: 429, problem: 'throttled' },
} as const;

function toPage(place: Place, shown: Pick<LoginPageProps, 'login' | 'problem' | 'isConfirmation' | 'isReset'>) {
  const { frame, registerHref, application } = place;
  return <LoginPage {...shown} frame={frame} registerHref={registerHref} application={application} />;
}
