import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import type { SecondFactor } from '../factors/second-factor.ts';
import { redirectTo } from '../../pages/http/done.ts';
import type { Form } from '../../pages/http/form.ts';
import { renderPage } from '../../pages/http/render.tsx';
import type { Throttle } from '../../pages/http/throttle.ts';
import { eventAt } from '../interaction/place.ts';
import type { Place } from '../interaction/place.ts';
import type { Pending } from './pending.ts';
import { RecoveryCodeUsedPage, SecondFactorPage } from './second-factor-page.tsx';

interface SecondFactorStepOptions {
  readonly pending: Pending;
  readonly secondFactor: Pick<SecondFactor, 'find' | 'take'>;
  readonly throttle: Pick<Throttle, 'countSecondFactor' | 'passedSecondFactor'>;
  readonly events: AuthEvents;
}

export interface SecondFactorStep {
  /** The password was right: signs in, or asks for a code first. Gives the address to go on to. */
  enterWithPassword(ctx: Koa.Context, place: Place, accountId: number): Promise<string>;
  show(ctx: Koa.Context, place: Place): Promise<void>;
  /** Signs in with the field `code`. A wrong one is 422, too many are 429. */
  submit(ctx: Koa.Context, place: Place, form: Form): Promise<void>;
}

export function createSecondFactorStep(options: SecondFactorStepOptions): SecondFactorStep {
  const { pending, secondFactor, throttle, events } = options;

  function refuse(ctx: Koa.Context, place: Place, reason: 'second-factor' | 'throttled'): void {
    events.signInRefused({ ...eventAt(place, ctx), reason });
    const isThrottled = reason === 'throttled';
    render(ctx, place, isThrottled ? { problem: 'throttled', status: 429 } : { problem: 'wrong', status: 422 });
  }

  return {
    enterWithPassword: async (ctx, place, accountId) => {
      if ((await secondFactor.find(accountId)) !== undefined) {
        await pending.begin(ctx, accountId);
        return place.secondFactorHref;
      }
      const address = await place.enter(accountId, ['pwd']);
      events.signedIn({ ...eventAt(place, ctx), accountId });
      return address;
    },
    show: async (ctx, place) => {
      if ((await pending.find(ctx)) === undefined) redirectTo(ctx, place.loginHref);
      else render(ctx, place, {});
    },
    submit: async (ctx, place, form) => {
      const accountId = await pending.find(ctx);
      if (accountId === undefined) {
        redirectTo(ctx, place.loginHref);
        return;
      }
      const waitSeconds = await throttle.countSecondFactor(accountId);
      if (waitSeconds !== undefined) {
        ctx.set('Retry-After', String(waitSeconds));
        refuse(ctx, place, 'throttled');
        return;
      }
      const taken = await secondFactor.take(accountId, form.text('code'));
      if (taken === undefined) {
        refuse(ctx, place, 'second-factor');
        return;
      }
      await throttle.passedSecondFactor(accountId);
      pending.end(ctx);
      const address = await place.enter(accountId, ['pwd', 'otp', 'mfa']);
      events.signedIn({ ...eventAt(place, ctx), accountId });
      if (taken.isRecoveryCode) tellCodesLeft(ctx, place, { codesLeft: taken.codesLeft, continueTo: address });
      else redirectTo(ctx, address);
    },
  };
}

interface Shown {
  readonly status?: number;
  readonly problem?: 'wrong' | 'throttled';
}

function render(ctx: Koa.Context, place: Place, { status = 200, problem }: Shown): void {
  const { frame, loginHref, application, formAction } = place;
  const isStep = application !== undefined;
  renderPage(ctx, <SecondFactorPage {...{ frame, loginHref, isStep, problem }} />, { status, formAction });
}

function tellCodesLeft(
  ctx: Koa.Context,
  { frame, application }: Place,
  told: { readonly codesLeft: number; readonly continueTo: string },
): void {
  renderPage(ctx, <RecoveryCodeUsedPage frame={frame} {...told} isStep={application !== undefined} />);
}
