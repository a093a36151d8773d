import type Koa from 'koa';
import type { VNode } from 'preact';

import type { AuthEvents } from '../../audit/events.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { ErrorSummary, PostForm, TextField } from '../../pages/views/field.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { SecondFactor } from '../factors/second-factor.ts';
import type { Pending } from '../flow/pending.ts';
import { toFlowEvent } from '../flow/sign-in-flow.ts';
import type { EndSignIn, ProvenOwner, SignInFlow, SignInStep } from '../flow/sign-in-flow.ts';

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
    owner: Pick<ProvenOwner, 'accountId' | 'isHidden'>,
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
    completeWithPassword: async (ctx, flow, { accountId, isHidden }) => {
      if ((await secondFactor.find(accountId)) === undefined) {
        return await endSignIn(ctx, flow, { accountId, isHidden, methods: ['pwd'] });
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
      const { accountId, isHidden } = found;
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
      const owner = { accountId, methods: ['pwd', 'otp', 'mfa'], isHidden } as const;
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
  const { frame, loginHref, application, leadsOut } = flow;
  const isStep = application !== undefined;
  renderPage(ctx, <SecondFactorPage {...{ frame, loginHref, isStep, problem }} />, { status, leadsOut });
}

function renderCodesLeft(
  ctx: Koa.Context,
  { frame, application }: SignInFlow,
  props: { readonly codesLeft: number; readonly continueTo: string },
): void {
  renderPage(ctx, <RecoveryCodeUsedPage frame={frame} {...props} isStep={application !== undefined} />);
}

interface SecondFactorPageProps {
  readonly frame: Frame;
  readonly problem?: 'wrong' | 'throttled' | undefined;
  readonly loginHref: string;
  /** Part of an interaction. */
  readonly isStep?: boolean;
}

/** Asks for a code after the password; the field also accepts recovery codes. */
export function SecondFactorPage({ frame, problem, loginHref, isStep = false }: SecondFactorPageProps): VNode {
  const { factors, signIn } = frame.messages;
  const { secondFactor: texts } = factors;
  const wrong = problem === 'wrong' ? texts.wrong : undefined;
  return (
    <Layout frame={frame} title={texts.title} kind="card" isStep={isStep}>
      <h1>{texts.title}</h1>
      <ErrorSummary
        frame={frame}
        errors={{ code: wrong }}
        problem={problem === 'throttled' ? signIn.login.throttled : undefined}
      />
      <PostForm frame={frame}>
        <TextField name="code" label={texts.code} hint={texts.codeHint} error={wrong} autocomplete="one-time-code" />
        <button class="button wide">{texts.submit}</button>
      </PostForm>
      <p class="aside">
        <a href={loginHref}>{texts.back}</a>
      </p>
    </Layout>
  );
}

interface RecoveryCodeUsedPageProps {
  readonly frame: Frame;
  readonly codesLeft: number;
  /** Where the sign-in leads. */
  readonly continueTo: string;
  readonly isStep?: boolean;
}

/** Shown after a sign-in with a recovery code: says how many are left. */
export function RecoveryCodeUsedPage(props: RecoveryCodeUsedPageProps): VNode {
  const { frame, codesLeft, continueTo, isStep = false } = props;
  const { secondFactor: texts } = frame.messages.factors;
  return (
    <Layout frame={frame} title={texts.recoveryUsed} kind="card" isStep={isStep}>
      <h1>{texts.recoveryUsed}</h1>
      <Notice kind="warning">{texts.recoveryLeft(codesLeft)}</Notice>
      <p>{texts.recoveryAdvice}</p>
      <p>
        <a class="button wide" href={continueTo}>
          {texts.continue}
        </a>
      </p>
      {isStep ? null : (
        <p class="aside">
          <a href={pagePaths.security}>{texts.toSecurity}</a>
        </p>
      )}
    </Layout>
  );
}
