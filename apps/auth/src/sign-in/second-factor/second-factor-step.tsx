import type Koa from 'koa';
import type { VNode } from 'preact';

import type { AuthEvents, SignInRefusal } from '../../audit/events.ts';
import type { Form } from '../../pages/form/form.ts';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { ErrorSummary, Fold, PostForm, TextField } from '../../pages/views/field.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { passkeyField, PasskeyForm } from '../../pages/views/passkey-form.tsx';
import type { Passkeys } from '../factors/passkeys.ts';
import type { SecondFactor } from '../factors/second-factor.ts';
import type { Pending } from '../flow/pending.ts';
import { toFlowEvent } from '../flow/sign-in-flow.ts';
import type { EndSignIn, ProvenOwner, SignInFlow, SignInStep } from '../flow/sign-in-flow.ts';

interface SecondFactorStepOptions {
  readonly pending: Pending;
  readonly secondFactor: Pick<SecondFactor, 'find' | 'acceptCode'>;
  readonly passkeys: Pick<Passkeys, 'createSignInOptions' | 'verify'>;
  readonly throttle: Pick<Throttle, 'countSecondFactor' | 'passedSecondFactor'>;
  readonly endSignIn: EndSignIn;
  readonly events: AuthEvents;
}

/** Signs in with the field `code`, `recovery_code` or `passkey`. A wrong one is 422, too many codes are 429. */
export interface SecondFactorStep extends SignInStep {
  /** After a first factor: signs in, or requires a code first. Returns the address to redirect to. */
  completeWith(ctx: Koa.Context, flow: SignInFlow, owner: ProvenOwner): Promise<string>;
}

export function createSecondFactorStep(options: SecondFactorStepOptions): SecondFactorStep {
  const { pending, secondFactor, endSignIn } = options;
  return {
    completeWith: async (ctx, flow, owner) => {
      const { accountId, methods } = owner;
      if (methods.includes('mfa') || (await secondFactor.find(accountId)) === undefined) {
        return await endSignIn(ctx, flow, owner);
      }
      await pending.begin(ctx, accountId, owner);
      return flow.secondFactorHref;
    },
    show: async (ctx, flow) => {
      const found = await pending.find(ctx);
      if (found === undefined) redirectTo(ctx, flow.loginHref);
      else await render(options, { ctx, flow, ...found }, {});
    },
    submit: async (ctx, flow, form) => {
      const found = await pending.find(ctx);
      if (found === undefined) redirectTo(ctx, flow.loginHref);
      else if (form.all(passkeyField).length > 0) await signInWithPasskey(options, { ctx, flow, ...found }, form);
      else await signInWithCode(options, { ctx, flow, ...found }, form);
    },
  };
}

interface SecondFactorRequest extends ProvenOwner {
  readonly ctx: Koa.Context;
  readonly flow: SignInFlow;
}

async function signInWithCode(
  options: SecondFactorStepOptions,
  request: SecondFactorRequest,
  form: Form,
): Promise<void> {
  const { pending, secondFactor, throttle, endSignIn } = options;
  const { ctx, flow, accountId, isHidden } = request;
  const waitSeconds = await throttle.countSecondFactor(accountId);
  if (waitSeconds !== undefined) {
    ctx.set('Retry-After', String(waitSeconds));
    await reject(options, request, { reason: 'throttled', problem: 'throttled' });
    return;
  }
  const { field, typed } = readCode(form);
  const accepted = await secondFactor.acceptCode(accountId, typed);
  if (accepted === undefined) {
    await reject(options, request, { reason: 'second-factor', problem: field });
    return;
  }
  await throttle.passedSecondFactor(accountId);
  pending.end(ctx);
  const methods = [...new Set([...request.methods, 'otp', 'mfa'] as const)];
  const address = await endSignIn(ctx, flow, { accountId, methods, isHidden, ...withoutClass(request) });
  if (accepted.isRecoveryCode) renderCodesLeft(ctx, flow, { codesLeft: accepted.codesLeft, continueTo: address });
  else redirectTo(ctx, address);
}

/** What is left of the sign-in with a provider: the code makes it stronger than the provider says. */
function withoutClass({ upstream }: Pick<ProvenOwner, 'upstream'>): Pick<ProvenOwner, 'upstream'> {
  return upstream === undefined ? {} : { upstream: { ...upstream, acr: undefined } };
}

/** The same as with a passkey on the sign-in page, but only one of the account whose password was correct. */
async function signInWithPasskey(
  options: SecondFactorStepOptions,
  request: SecondFactorRequest,
  form: Form,
): Promise<void> {
  const { ctx, flow, accountId } = request;
  const passkey = await options.passkeys.verify(flow.frame.csrfToken(), form.text(passkeyField));
  if (passkey?.accountId !== accountId) {
    await reject(options, request, { reason: 'passkey', problem: 'passkey' });
    return;
  }
  options.pending.end(ctx);
  redirectTo(ctx, await options.endSignIn(ctx, flow, { ...passkey, ...withoutClass(request) }));
}

async function reject(
  options: SecondFactorStepOptions,
  request: SecondFactorRequest,
  { reason, problem }: { readonly reason: SignInRefusal; readonly problem: SecondFactorPageProps['problem'] },
): Promise<void> {
  options.events.signInRefused({ ...toFlowEvent(request.flow, request.ctx), reason });
  await render(options, request, { problem, status: reason === 'throttled' ? 429 : 422 });
}

interface PageState extends Pick<SecondFactorPageProps, 'problem'> {
  readonly status?: number;
}

async function render(
  { passkeys }: SecondFactorStepOptions,
  { ctx, flow, accountId }: SecondFactorRequest,
  { status = 200, problem }: PageState,
): Promise<void> {
  const { frame, loginHref, application, leadsOut } = flow;
  const passkeyOptions = await passkeys.createSignInOptions(frame.csrfToken(), accountId);
  const script = passkeyOptions === undefined ? undefined : frame.assets.scripts['passkeys.js'];
  const isStep = application !== undefined;
  const page = <SecondFactorPage {...{ frame, loginHref, isStep, problem, passkeyOptions }} />;
  renderPage(ctx, page, { status, leadsOut, script });
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
  /** The wrong field, or another reason. */
  readonly problem?: CodeField | 'throttled' | 'passkey' | undefined;
  readonly loginHref: string;
  /** Options for `navigator.credentials.get`, as JSON; undefined if the person has no passkey. */
  readonly passkeyOptions?: string | undefined;
  /** Part of an interaction. */
  readonly isStep?: boolean;
}

/** Asks for a code or a passkey after the password. */
export function SecondFactorPage(props: SecondFactorPageProps): VNode {
  const { frame, problem, loginHref, passkeyOptions, isStep = false } = props;
  const { factors, signIn } = frame.messages;
  const { secondFactor: texts, passkeys } = factors;
  const problems = { throttled: signIn.login.throttled, passkey: passkeys.refused } as const;
  const isCode = problem === 'code' || problem === 'recovery_code';
  const errors = isCode ? codeErrors(frame, problem) : {};
  return (
    <Layout frame={frame} title={texts.title} kind="card" isStep={isStep}>
      <h1>{texts.title}</h1>
      <ErrorSummary
        frame={frame}
        errors={errors}
        problem={problem === undefined || isCode ? undefined : problems[problem]}
      />
      <PostForm frame={frame}>
        <CodeFields frame={frame} errors={errors} />
        <button class="button wide">{texts.submit}</button>
      </PostForm>
      {passkeyOptions === undefined ? null : (
        <PasskeyForm frame={frame} act="get" question={passkeyOptions} label={passkeys.use} testId="use-passkey" />
      )}
      <p class="aside">
        <a href={loginHref}>{texts.back}</a>
      </p>
    </Layout>
  );
}

/** A code of the authenticator app, or a recovery code. */
type CodeField = 'code' | 'recovery_code';

/** What was typed: the recovery code, if there is one. */
export function readCode(form: Form): { readonly field: CodeField; readonly typed: string } {
  const recoveryCode = form.text('recovery_code');
  if (recoveryCode !== '') return { field: 'recovery_code', typed: recoveryCode };
  return { field: 'code', typed: form.text('code') };
}

/** The error of a wrong code. */
export function codeErrors({ messages }: Frame, wrong: CodeField): FieldErrors<CodeField> {
  const { secondFactor: texts } = messages.factors;
  return wrong === 'code' ? { code: texts.wrong } : { recovery_code: texts.recoveryWrong };
}

interface CodeFieldsProps {
  readonly frame: Frame;
  readonly errors: FieldErrors<CodeField>;
}

/** Two fields, because phones show digits for the first, and recovery codes have letters. */
export function CodeFields({ frame, errors }: CodeFieldsProps): VNode {
  const { authenticator, secondFactor: texts } = frame.messages.factors;
  return (
    <>
      <TextField
        name="code"
        label={texts.code}
        hint={authenticator.codeHint}
        error={errors.code}
        autocomplete="one-time-code"
        isAlternative
      />
      <Fold open={errors.recovery_code !== undefined}>
        <summary>{texts.useRecovery}</summary>
        <TextField
          name="recovery_code"
          label={texts.recovery}
          error={errors.recovery_code}
          autocomplete="off"
          isAlternative
        />
      </Fold>
    </>
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
