import type { Accounts } from '@linnet/accounts/accounts';
import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import type { Passkeys } from '../factors/passkeys.ts';
import { redirectTo } from '../../pages/http/done.ts';
import type { Form } from '../../pages/http/form.ts';
import { renderPage } from '../../pages/http/render.tsx';
import type { Throttle } from '../../pages/http/throttle.ts';
import { passkeyField } from '../../pages/views/passkey-form.tsx';
import { eventAt } from '../interaction/place.ts';
import type { Place } from '../interaction/place.ts';
import type { SecondFactorStep } from '../second-factor/second-factor-step.tsx';
import { LoginPage } from './login-page.tsx';
import type { LoginPageProps } from './login-page.tsx';

interface LoginStepOptions {
  readonly accounts: Pick<Accounts, 'checkCredentials'>;
  readonly throttle: Pick<Throttle, 'countSignIn' | 'signedIn'>;
  readonly passkeys: Pick<Passkeys, 'ask' | 'check' | 'isPossible'>;
  readonly secondFactor: Pick<SecondFactorStep, 'enterWithPassword'>;
  readonly events: AuthEvents;
}

type Shown = Pick<LoginPageProps, 'login' | 'problem' | 'isReset'>;

export interface LoginStep {
  show(ctx: Koa.Context, place: Place, shown?: Shown): Promise<void>;
  /**
   * Signs in with the fields `login` and `password`, or with `passkey`. A refusal is 422 with one text, whatever was
   * wrong (checklist UI10): RFC 9110 keeps 401 for schemes with a challenge. Too many are 429.
   */
  submit(ctx: Koa.Context, place: Place, form: Form): Promise<void>;
}

export function createLoginStep(options: LoginStepOptions): LoginStep {
  return {
    show: (ctx, place, shown = {}) => render(options, { ctx, place }, shown),
    submit: async (ctx, place, form) => {
      if (form.all(passkeyField).length > 0) await signInWithPasskey(options, { ctx, place }, form);
      else await signInWithPassword(options, { ctx, place }, form);
    },
  };
}

interface At {
  readonly ctx: Koa.Context;
  readonly place: Place;
}

async function signInWithPassword(options: LoginStepOptions, at: At, form: Form): Promise<void> {
  const { accounts, throttle, secondFactor } = options;
  const { ctx, place } = at;
  const login = form.text('login');
  const waitSeconds = await throttle.countSignIn(ctx, login);
  if (waitSeconds !== undefined) {
    ctx.set('Retry-After', String(waitSeconds));
    await refuse(options, at, { login, reason: 'throttled' });
    return;
  }
  const account = await accounts.checkCredentials(login, form.text('password'));
  if (account === undefined) {
    await refuse(options, at, { login, reason: 'credentials' });
    return;
  }
  await throttle.signedIn(ctx, login);
  redirectTo(ctx, await secondFactor.enterWithPassword(ctx, place, account.id));
}

/** A passkey that its owner unlocked is two factors in one: nothing more is asked. */
async function signInWithPasskey(options: LoginStepOptions, at: At, form: Form): Promise<void> {
  const { ctx, place } = at;
  const shown = await options.passkeys.check(place.frame.csrf, form.text(passkeyField));
  if (shown === undefined) {
    await refuse(options, at, { login: '', reason: 'passkey' });
    return;
  }
  const { accountId, methods } = shown;
  const address = await place.enter(accountId, methods);
  options.events.signedIn({ ...eventAt(place, ctx), accountId });
  redirectTo(ctx, address);
}

async function refuse(
  options: LoginStepOptions,
  at: At,
  { login, reason }: { readonly login: string; readonly reason: keyof typeof refusals },
): Promise<void> {
  const { status, problem } = refusals[reason];
  options.events.signInRefused({ ...eventAt(at.place, at.ctx), reason });
  await render(options, at, { login, problem, status });
}

async function render(
  { passkeys }: LoginStepOptions,
  { ctx, place }: At,
  { status = 200, ...shown }: Shown & { readonly status?: number },
): Promise<void> {
  const { frame, registerHref, application, formAction } = place;
  const passkeyQuestion = passkeys.isPossible ? await passkeys.ask(frame.csrf) : undefined;
  const script = passkeys.isPossible ? frame.assets.scripts['passkeys.js'] : undefined;
  const page = <LoginPage {...shown} {...{ frame, registerHref, application, passkeyQuestion }} />;
  renderPage(ctx, page, { status, formAction, script });
}

const refusals = {
  credentials: { status: 422, problem: 'failed' },
  passkey: { status: 422, problem: 'passkey' },
  throttled: { status: 429, problem: 'throttled' },
} as const;
