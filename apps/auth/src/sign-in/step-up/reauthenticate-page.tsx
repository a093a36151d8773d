import type { VNode } from 'preact';

import { heldField } from '../visit/step-up.ts';
import { ErrorSummary } from '../../pages/views/error-summary.tsx';
import { TextField } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/views/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { PasskeyForm } from '../../pages/views/passkey-form.tsx';
import { PostForm } from '../../pages/views/post-form.tsx';
import { UserText } from '@linnet/ui/user-text';

export interface ReauthenticatePageProps {
  readonly frame: Frame;
  /** What was sent before the question, sealed. */
  readonly held: string;
  /** The person has an authenticator app. */
  readonly asksCode?: boolean;
  /** What the browser is asked where the person has a passkey. */
  readonly passkeyQuestion?: string | undefined;
  /** The field that was wrong, or why it was refused. */
  readonly refusal?: 'password' | 'code' | 'passkey' | 'throttled' | 'credentials' | 'second-factor' | undefined;
}

/** Asks who is signed in to prove it again. */
export function ReauthenticatePage(props: ReauthenticatePageProps): VNode {
  const { frame, held, passkeyQuestion, refusal } = props;
  const { factors, signIn } = frame.messages;
  const { reauthenticate: texts, passkeys } = factors;
  const problems = { throttled: signIn.login.throttled, passkey: passkeys.refused } as const;
  const problem = refusal === 'throttled' || refusal === 'passkey' ? problems[refusal] : undefined;
  const errors = findErrors(props);
  return (
    <Layout frame={frame} title={texts.title} kind="card">
      <h1>{texts.title}</h1>
      <p class="lead">{texts.intro(<UserText strong text={`@${frame.viewer?.username ?? ''}`} />)}</p>
      <ErrorSummary frame={frame} errors={errors} problem={problem} />
      <PasswordForm {...props} errors={errors} />
      {passkeyQuestion === undefined ? null : (
        <PasskeyForm
          frame={frame}
          act="get"
          question={passkeyQuestion}
          hidden={{ [heldField]: held }}
          label={passkeys.use}
          testId="use-passkey"
        />
      )}
    </Layout>
  );
}

function findErrors({ frame, refusal }: ReauthenticatePageProps): FieldErrors<'password' | 'code'> {
  const { reauthenticate, secondFactor } = frame.messages.factors;
  if (refusal === 'password') return { password: reauthenticate.passwordWrong };
  return refusal === 'code' ? { code: secondFactor.wrong } : {};
}

type PasswordFormProps = ReauthenticatePageProps & { readonly errors: ReturnType<typeof findErrors> };

function PasswordForm({ frame, held, asksCode = false, errors }: PasswordFormProps): VNode {
  const { factors, signIn } = frame.messages;
  const { reauthenticate: texts, secondFactor } = factors;
  return (
    <PostForm frame={frame} hidden={{ [heldField]: held }}>
      <TextField
        name="password"
        type="password"
        label={signIn.login.password}
        error={errors.password}
        autocomplete="current-password"
      />
      {asksCode ? (
        <TextField
          name="code"
          label={secondFactor.code}
          hint={secondFactor.codeHint}
          error={errors.code}
          autocomplete="one-time-code"
        />
      ) : null}
      <button class="button wide" data-testid="confirm-identity">
        {texts.submit}
      </button>
    </PostForm>
  );
}
