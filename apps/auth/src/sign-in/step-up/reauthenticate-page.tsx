import type { VNode } from 'preact';

import { sealedFormField } from '../visit/step-up.ts';
import { ErrorSummary, TextField, PostForm } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { CodeFields, codeErrors } from '../second-factor/second-factor-step.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { ProviderButtons } from '../upstream/upstream-page.tsx';
import type { ProviderChoice } from '../upstream/upstream-page.tsx';
import { PasskeyForm } from '../../pages/views/passkey-form.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';

export interface ReauthenticatePageProps {
  readonly frame: Frame;
  readonly username: string;
  /** See `sealedFormField`. */
  readonly sealedForm: string;
  /** Instead of a confirmation: the account has the address that a provider proved, and is linked after the proof. */
  readonly link?: { readonly name: string; readonly email: string; readonly isProven: boolean } | undefined;
  /** Providers that are linked to the account: they are a proof, too. */
  readonly providers?: readonly ProviderChoice[];
  /** A password is a proof, alone or with a code; true if absent. */
  readonly asksPassword?: boolean;
  /** False: a provider that cannot confirm leaves no way but to set a password. True if absent. */
  readonly hasPassword?: boolean;
  /** The person has an authenticator app. */
  readonly asksCode?: boolean;
  /** Options for `navigator.credentials.get`, as JSON; undefined if the person has no passkey. */
  readonly passkeyOptions?: string | undefined;
  /** The wrong field, or another reason. */
  readonly rejection?:
    | 'password'
    | 'code'
    | 'recovery_code'
    | 'passkey'
    | 'throttled'
    | 'credentials'
    | 'second-factor'
    | 'provider'
    | undefined;
}

export function ReauthenticatePage(props: ReauthenticatePageProps): VNode {
  const { frame, sealedForm, asksPassword = true, passkeyOptions, rejection, providers = [] } = props;
  const { factors, signIn } = frame.messages;
  const { reauthenticate, passkeys } = factors;
  const { title, intro } = introOf(props);
  const problems = { throttled: signIn.login.throttled, passkey: passkeys.refused } as const;
  const problem = rejection === 'throttled' || rejection === 'passkey' ? problems[rejection] : undefined;
  const errors = findErrors(props);
  return (
    <Layout frame={frame} title={title} kind="card">
      <h1>{title}</h1>
      <p class="lead">{intro}</p>
      <ErrorSummary frame={frame} errors={errors} problem={problem} />
      {asksPassword ? <PasswordForm {...props} errors={errors} /> : null}
      {passkeyOptions === undefined ? null : (
        <PasskeyForm
          frame={frame}
          act="get"
          question={passkeyOptions}
          hidden={{ [sealedFormField]: sealedForm }}
          label={asksPassword ? passkeys.use : reauthenticate.withPasskey}
          testId="use-passkey"
        />
      )}
      <ProviderButtons frame={frame} providers={providers} hidden={{ [sealedFormField]: sealedForm }} />
      <PasswordHelp {...props} />
    </Layout>
  );
}

/** How to get a password, where nothing else may work. */
function PasswordHelp({ frame, hasPassword = true, passkeyOptions, link }: ReauthenticatePageProps): VNode | null {
  const { account, email } = frame.messages;
  if (!hasPassword && passkeyOptions === undefined) return <p class="quiet">{account.passwordCheck.none}</p>;
  if (link === undefined) return null;
  return (
    <p>
      <a href={pagePaths.forgotPassword}>{email.forgot.link}</a>
    </p>
  );
}

function introOf({ frame, username, link }: ReauthenticatePageProps) {
  const { factors, signIn } = frame.messages;
  const name = <UserText strong text={`@${username}`} />;
  if (link !== undefined) {
    const { title, text, unproven } = signIn.upstream.link;
    const say = link.isProven ? text : unproven;
    return { title, intro: say(name, <UserText text={link.email} />, <UserText text={link.name} />) };
  }
  return { title: factors.reauthenticate.title, intro: factors.reauthenticate.intro(name) };
}

function findErrors({ frame, rejection }: ReauthenticatePageProps): FieldErrors<'password' | 'code' | 'recovery_code'> {
  const { reauthenticate } = frame.messages.factors;
  if (rejection === 'password') return { password: reauthenticate.passwordWrong };
  return rejection === 'code' || rejection === 'recovery_code' ? codeErrors(frame, rejection) : {};
}

type PasswordFormProps = ReauthenticatePageProps & { readonly errors: ReturnType<typeof findErrors> };

function PasswordForm({ frame, username, sealedForm, asksCode = false, errors, link }: PasswordFormProps): VNode {
  const { factors, signIn } = frame.messages;
  const { reauthenticate: texts } = factors;
  return (
    <PostForm frame={frame} username={username} hidden={{ [sealedFormField]: sealedForm }}>
      <TextField
        name="password"
        type="password"
        label={signIn.login.password}
        error={errors.password}
        autocomplete="current-password"
      />
      {asksCode ? <CodeFields frame={frame} errors={errors} /> : null}
      <button class="button wide" data-testid="confirm-identity">
        {link === undefined ? texts.submit : signIn.upstream.link.submit}
      </button>
    </PostForm>
  );
}
