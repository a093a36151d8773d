import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import type { SecondFactor } from '../factors/second-factor.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import type { Pending } from '../flow/pending.ts';
import type { EndSignIn, ProvenOwner } from '../flow/sign-in-end.ts';
import { toFlowEvent } from '../flow/sign-in-flow.ts';
import type { SignInFlow, SignInStep } from '../flow/sign-in-flow.ts';
import { RecoveryCodeUsedPage, SecondFactorPage } from './second-factor-page.tsx';

interface SecondFactorStepOptions {
  readonly pending: Pending;
  readonly secondFactor: Pick<SecondFactor, 'find' | 'acceptCode'>;
  readonly throttle: Pick<Throttle, 'countSecondFactor' | 'passedSecondFactor'>;
  readonly endSignIn: EndSignIn;
  readonly events: AuthEvents;
}

/** Signs in with the field `code`. A wrong code is 422, too many attempts are 429. */
export interface SecondFactorStep extends SignInStep {
  /** After the correct password: signs in, or requires a code first. Returns the address to redirect to. */
  completeWithPassword(
    ctx: Koa.Context,
    flow: SignInFlow,
    owner: Pick<ProvenOwner, 'accountId' | 'isDeleted'>,
  ): Promise<string>;
}

export function createSecondFactorStep(options: SecondFactorStepOptions): SecondFactorStep {
  const { pending, secondFactor, throttle, endSignIn, events } = options;

  function reject(ctx: Koa.Context, flow: SignInFlow, reason: 'second-factor' | 'throttled'): void {
    events.signInRefused({ ...toFlowEvent(flow, ctx), reason });
    const isThrottled = reason === 'throttled';
    render(ctx, flow, isThrottled ? { problem: 'throttled', status: 429 } : { problem: 'wrong', status: 422 });
  }

  return {
    completeWithPassword: async (ctx, flow, { accountId, isDeleted }) => {
      if ((await secondFactor.find(accountId)) === undefined) {
        return await endSignIn(ctx, flow, { accountId, isDeleted, methods: ['pwd'] });
      }
      await pending.begin(ctx, accountId, ['pwd']);
      return flow.secondFactorHref;
    },
    show: async (ctx, flow) => {
      if ((await pending.find(ctx)) === undefined) redirectTo(ctx, flow.loginHref);
      else render(ctx, flow, {});
    },
    submit: async (ctx, flow, form) => {
      const found = await pending.find(ctx);
      if (found === undefined) {
        redirectTo(ctx, flow.loginHref);
        return;
      }
      const { accountId, deletedAt } = found;
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
      const owner = { accountId, methods: ['pwd', 'otp', 'mfa'], isDeleted: deletedAt !== null } as const;
      const address = await endSignIn(ctx, flow, owner);
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
