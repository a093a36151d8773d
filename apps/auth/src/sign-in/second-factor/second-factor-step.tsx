import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import type { SecondFactor } from '../factors/second-factor.ts';
import { redirectTo } from '../../pages/http/done.ts';
import { renderPage } from '../../pages/http/render.tsx';
import type { Throttle } from '../../pages/http/throttle.ts';
import { toFlowEvent } from '../flow/sign-in-flow.ts';
import type { SignInFlow, SignInStep } from '../flow/sign-in-flow.ts';
import type { Pending } from './pending.ts';
import { RecoveryCodeUsedPage, SecondFactorPage } from './second-factor-page.tsx';

interface SecondFactorStepOptions {
  readonly pending: Pending;
  readonly secondFactor: Pick<SecondFactor, 'find' | 'acceptCode'>;
  readonly throttle: Pick<Throttle, 'countSecondFactor' | 'passedSecondFactor' | 'rememberBrowser'>;
  readonly events: AuthEvents;
}

/** Signs in with the field `code`. A wrong code is 422, too many attempts are 429. */
export interface SecondFactorStep extends SignInStep {
  /** After the correct password: signs in, or requires a code first. Returns the address to redirect to. */
  completeWithPassword(ctx: Koa.Context, flow: SignInFlow, accountId: number): Promise<string>;
}

export function createSecondFactorStep(options: SecondFactorStepOptions): SecondFactorStep {
  const { pending, secondFactor, throttle, events } = options;

  function reject(ctx: Koa.Context, flow: SignInFlow, reason: 'second-factor' | 'throttled'): void {
    events.signInRefused({ ...toFlowEvent(flow, ctx), reason });
    const isThrottled = reason === 'throttled';
    render(ctx, flow, isThrottled ? { problem: 'throttled', status: 429 } : { problem: 'wrong', status: 422 });
  }

  return {
    completeWithPassword: async (ctx, flow, accountId) => {
      if ((await secondFactor.find(accountId)) !== undefined) {
        await pending.begin(ctx, accountId);
        return flow.secondFactorHref;
      }
      const address = await flow.complete(accountId, ['pwd']);
      await throttle.rememberBrowser(ctx, accountId);
      events.signedIn({ ...toFlowEvent(flow, ctx), accountId });
      return address;
    },
    show: async (ctx, flow) => {
      if ((await pending.find(ctx)) === undefined) redirectTo(ctx, flow.loginHref);
      else render(ctx, flow, {});
    },
    submit: async (ctx, flow, form) => {
      const accountId = await pending.find(ctx);
      if (accountId === undefined) {
        redirectTo(ctx, flow.loginHref);
        return;
      }
      const waitSeconds = await throttle.countSecondFactor(accountId);
      if (waitSeconds !== undefined) {
        ctx.set('Retry-After', String(waitSeconds));
        reject(ctx, flow, 'throttled');
        return;
      }
      const accepted = await secondFactor.acceptCode(accountId, form.text('code'));
      if (accepted === undefined) {
        reject(ctx, flow, 'second-factor');
        return;
      }
      await throttle.passedSecondFactor(accountId);
      pending.end(ctx);
      const address = await flow.complete(accountId, ['pwd', 'otp', 'mfa']);
      await throttle.rememberBrowser(ctx, accountId);
      events.signedIn({ ...toFlowEvent(flow, ctx), accountId });
      if (accepted.isRecoveryCode) renderCodesLeft(ctx, flow, { codesLeft: accepted.codesLeft, continueTo: address });
      else redirectTo(ctx, address);
    },
  };
}

interface PageState {
  readonly status?: number;
  readonly problem?: 'wrong' | 'throttled';
}

function render(ctx: Koa.Context, flow: SignInFlow, { status = 200, problem }: PageState): void {
  const { frame, loginHref, application, formAction } = flow;
  const isStep = application !== undefined;
  renderPage(ctx, <SecondFactorPage {...{ frame, loginHref, isStep, problem }} />, { status, formAction });
}

function renderCodesLeft(
  ctx: Koa.Context,
  { frame, application }: SignInFlow,
  props: { readonly codesLeft: number; readonly continueTo: string },
): void {
  renderPage(ctx, <RecoveryCodeUsedPage frame={frame} {...props} isStep={application !== undefined} />);
}
