import type { Accounts } from '@linnet/accounts/accounts';
import { UserText } from '@linnet/ui/user-text.tsx';
import type Koa from 'koa';
import type { VNode } from 'preact';

import type { AuthEvents } from '../../audit/events.ts';
import type { Form } from '../../pages/form/form.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { PostForm, TextField } from '../../pages/views/field.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { passkeyField, PasskeyForm } from '../../pages/views/passkey-form.tsx';
import { ProviderButtons, providerField } from '../upstream/upstream-page.tsx';
import type { ProviderChoice } from '../upstream/upstream-page.tsx';
import { beginUpstream } from '../upstream/upstream-step.tsx';
import type { Upstream } from '../upstream/upstream.ts';
import type { Passkeys } from '../factors/passkeys.ts';
import { toFlowEvent } from '../flow/sign-in-flow.ts';
import type { EndSignIn, PasswordResetNotice, SignInFlow, SignInPurpose, SignInStep } from '../flow/sign-in-flow.ts';
import type { SecondFactorStep } from '../second-factor/second-factor-step.tsx';

interface LoginStepOptions {
  readonly accounts: Pick<Accounts, 'checkSignIn'>;
  readonly throttle: Pick<Throttle, 'countSignIn' | 'signedIn'>;
  readonly passkeys: Pick<Passkeys, 'createSignInOptions' | 'verify'>;
  readonly secondFactor: Pick<SecondFactorStep, 'completeWith'>;
  readonly endSignIn: EndSignIn;
  readonly events: AuthEvents;
  readonly upstream: Upstream;
}

/**
 * Signs in with the fields `login` and `password`, or with `passkey`. A failure is 422 with one text whatever was
 * wrong (checklist UI10), since RFC 9110 keeps 401 for schemes with a challenge. Too many attempts are 429.
 */
export function createLoginStep(options: LoginStepOptions): SignInStep {
  return {
    show: async (ctx, flow) => {
      await render(options, { ctx, flow }, { login: await flow.findLoginHint(), reset: flow.passwordReset });
    },
    submit: async (ctx, flow, form) => {
      if (form.has(providerField)) await beginUpstream(options, { ctx, flow }, form);
      else if (form.all(passkeyField).length > 0) await signInWithPasskey(options, { ctx, flow }, form);
      else await signInWithPassword(options, { ctx, flow }, form);
    },
  };
}

interface LoginRequest {
  readonly ctx: Koa.Context;
  readonly flow: SignInFlow;
}

async function signInWithPassword(options: LoginStepOptions, request: LoginRequest, form: Form): Promise<void> {
  const { accounts, throttle, secondFactor } = options;
  const { ctx, flow } = request;
  const login = form.text('login');
  const waitSeconds = await throttle.countSignIn(ctx, login);
  if (waitSeconds !== undefined) {
    ctx.set('Retry-After', String(waitSeconds));
    await reject(options, request, { login, reason: 'throttled' });
    return;
  }
  const checked = await accounts.checkSignIn(login, form.text('password'));
  if (checked === undefined) {
    await reject(options, request, { login, reason: 'credentials' });
    return;
  }
  await throttle.signedIn(ctx);
  const owner = { accountId: checked.account.id, isHidden: checked.isHidden, methods: ['pwd'] as const };
  redirectTo(ctx, await secondFactor.completeWith(ctx, flow, owner));
}

/** Passkeys require user verification, which makes them two factors: no code is asked for. */
async function signInWithPasskey(options: LoginStepOptions, request: LoginRequest, form: Form): Promise<void> {
  const { ctx, flow } = request;
  const passkey = await options.passkeys.verify(flow.frame.csrfToken(), form.text(passkeyField));
  if (passkey === undefined) {
    await reject(options, request, { login: '', reason: 'passkey' });
    return;
  }
  redirectTo(ctx, await options.endSignIn(ctx, flow, passkey));
}

const rejections = {
  credentials: { status: 422, problem: 'failed' },
  passkey: { status: 422, problem: 'passkey' },
  throttled: { status: 429, problem: 'throttled' },
} as const;

async function reject(
  options: LoginStepOptions,
  request: LoginRequest,
  { login, reason }: { readonly login: string; readonly reason: keyof typeof rejections },
): Promise<void> {
  const { status, problem } = rejections[reason];
  options.events.signInRefused({ ...toFlowEvent(request.flow, request.ctx), reason });
  await render(options, request, { login, problem, status });
}

interface PageState extends Pick<LoginPageProps, 'login' | 'problem' | 'reset'> {
  readonly status?: number;
}

async function render(
  { passkeys, upstream: { providers } }: LoginStepOptions,
  { ctx, flow }: LoginRequest,
  { status = 200, ...state }: PageState,
): Promise<void> {
  const { frame, registerHref, application, purpose, leadsOut } = flow;
  const passkeyOptions = await passkeys.createSignInOptions(frame.csrfToken());
  const script = passkeyOptions === undefined ? undefined : frame.assets.scripts['passkeys.js'];
  const page = <LoginPage {...state} {...{ frame, registerHref, application, purpose, passkeyOptions, providers }} />;
  renderPage(ctx, page, { status, leadsOut: leadsOut || providers.length > 0, script });
}

interface LoginPageProps {
  readonly frame: Frame;
  /** Initial value of the field. */
  readonly login?: string | undefined;
  /** `failed` is one text for all causes (checklist UI10). */
  readonly problem?: 'failed' | 'throttled' | 'passkey' | undefined;
  /** Options for `navigator.credentials.get`, as JSON; undefined where passkeys are not possible. */
  readonly passkeyOptions?: string | undefined;
  /** The person has just reset their password by a link in mail. */
  readonly reset?: PasswordResetNotice | undefined;
  /** Link to the registration page of the same flow. */
  readonly registerHref?: string | undefined;
  /** The application that started the interaction. */
  readonly application?: { readonly name: string } | undefined;
  readonly purpose?: SignInPurpose | undefined;
  readonly providers?: readonly ProviderChoice[];
}

export function LoginPage(props: LoginPageProps): VNode {
  const { frame, login, problem, reset, passkeyOptions, registerHref, application, purpose, providers = [] } = props;
  const { continueTo, login: texts } = frame.messages.signIn;
  const { forgot, reset: resetTexts } = frame.messages.email;
  const { passkeys } = frame.messages.factors;
  const problems = { failed: texts.failed, throttled: texts.throttled, passkey: passkeys.refused };
  return (
    <Layout frame={frame} title={texts.title} kind="card" isStep={application !== undefined}>
      <h1>{texts.title}</h1>
      {application === undefined ? null : <p class="lead">{continueTo(<UserText strong text={application.name} />)}</p>}
      {purpose === undefined ? null : <p class="lead">{texts.purposes[purpose]}</p>}
      {reset === undefined ? null : (
        <Notice kind="done">{reset === 'password-reset' ? resetTexts.done : resetTexts.firstProofDone}</Notice>
      )}
      {problem === undefined ? null : <Notice kind="problem">{problems[problem]}</Notice>}
      <PostForm frame={frame}>
        <TextField name="login" label={texts.login} value={login} autocomplete="username webauthn" />
        <TextField name="password" type="password" label={texts.password} autocomplete="current-password" />
        <button class="button wide">{texts.submit}</button>
      </PostForm>
      <p>
        <a href={pagePaths.forgotPassword}>{forgot.link}</a>
      </p>
      {passkeyOptions === undefined ? null : (
        <PasskeyForm
          frame={frame}
          act="get"
          question={passkeyOptions}
          isOffered
          label={passkeys.signIn}
          testId="passkey-sign-in"
        />
      )}
      <ProviderButtons frame={frame} providers={providers} />
      {registerHref === undefined ? null : (
        <p class="aside">
          {texts.noAccount} <a href={registerHref}>{texts.register}</a>
        </p>
      )}
    </Layout>
  );
}
