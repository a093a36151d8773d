import type { VNode } from 'preact';

import { ErrorSummary, TextArea, TextField, PostForm } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';

import type { SignInPurpose } from '../flow/sign-in-flow.ts';

/** The file of the library that solves challenges. */
export const proofWorker = 'pbkdf2.js';

export type RegisterField = 'first_name' | 'last_name' | 'username' | 'email' | 'password' | 'reason' | 'invitation';

export interface RegisterPageProps {
  readonly frame: Frame;
  /** As typed. The password is never shown again. */
  readonly values?: Readonly<Partial<Record<Exclude<RegisterField, 'password'>, string>>>;
  readonly errors?: FieldErrors<RegisterField>;
  /** An error that belongs to no field, such as too many attempts. */
  readonly problem?: string | undefined;
  /** Link to the sign-in page of the same flow. */
  readonly loginHref: string;
  /** The application that started the interaction. */
  readonly application?: { readonly name: string } | undefined;
  /** What the page leads to. */
  readonly purpose?: SignInPurpose | undefined;
  /** An operator decides, and reads why the person wants an account. */
  readonly asksReason?: boolean;
  readonly asksInvitation?: boolean;
  /** The provider that signed the person in and proved the address: there is no password. */
  readonly upstream?: { readonly name: string; readonly email: string } | undefined;
  /** The challenge of a proof of work. */
  readonly challenge?: string | undefined;
}

export function RegisterPage(props: RegisterPageProps): VNode {
  const { frame, values = {}, errors = {}, problem, loginHref, application } = props;
  const { asksReason = false, asksInvitation = false, challenge, upstream } = props;
  const { register: texts } = frame.messages.signIn;
  return (
    <Layout frame={frame} title={texts.title} kind="card" isStep={application !== undefined}>
      <h1>{texts.title}</h1>
      <Intro {...props} />
      <ErrorSummary frame={frame} errors={errors} problem={problem ?? errorOfAddress(props)} />
      <PostForm frame={frame}>
        {asksInvitation ? (
          <TextField
            name="invitation"
            label={texts.invitation}
            hint={texts.invitationHint}
            value={values.invitation}
            error={errors.invitation}
            autocomplete="off"
          />
        ) : null}
        <Fields frame={frame} values={values} errors={errors} />
        {upstream === undefined ? <Credentials frame={frame} values={values} errors={errors} /> : null}
        {asksReason ? <Reason frame={frame} values={values} errors={errors} /> : null}
        <Proof frame={frame} challenge={challenge} />
        <button class="button wide">{asksReason ? texts.request : texts.submit}</button>
      </PostForm>
      <p class="aside">
        {texts.haveAccount} <a href={loginHref}>{texts.login}</a>
      </p>
    </Layout>
  );
}

/** It has no field if a provider proved the address. */
function errorOfAddress({ upstream, errors }: RegisterPageProps): string | undefined {
  return upstream === undefined ? undefined : errors?.email;
}

/** What the registration leads to, and where the person comes from. */
function Intro({ frame, application, purpose, upstream }: RegisterPageProps): VNode {
  const { continueTo, login, upstream: texts } = frame.messages.signIn;
  return (
    <>
      {application === undefined ? null : <p class="lead">{continueTo(<UserText strong text={application.name} />)}</p>}
      {purpose === 'create-application' ? <p class="lead">{login.purposes[purpose]}</p> : null}
      {upstream === undefined ? null : (
        <p>{texts.registering(<UserText text={upstream.name} />, <UserText strong text={upstream.email} />)}</p>
      )}
    </>
  );
}

/** Without scripts, it says what happens then. */
function Proof({ frame, challenge }: Pick<RegisterPageProps, 'frame' | 'challenge'>): VNode | null {
  if (challenge === undefined) return null;
  const { working, done, waiting, failed, needScript } = frame.messages.signIn.register.proof;
  const { scripts } = frame.assets;
  return (
    <div class="field">
      <input type="hidden" name="proof" value="" />
      <p
        class="hint"
        aria-live="polite"
        data-proof={challenge}
        data-worker={scripts[proofWorker]}
        data-working={working}
        data-done={done}
        data-waiting={waiting}
        data-failed={failed}
      />
      <noscript>
        <p class="hint">{needScript}</p>
      </noscript>
      <script type="module" src={scripts['proof.js']} />
    </div>
  );
}

interface NoticeProps extends Pick<RegisterPageProps, 'frame' | 'loginHref'> {
  /** `pending`: an operator decides about the registration that was sent. The others: why nobody can register. */
  readonly kind: keyof RegisterPageProps['frame']['messages']['signIn']['register']['notices'];
}

/** Instead of the form. */
export function RegistrationNotice({ frame, loginHref, kind }: NoticeProps): VNode {
  const { notices, haveAccount, login } = frame.messages.signIn.register;
  const { title, text } = notices[kind];
  return (
    <Layout frame={frame} title={title} kind="card">
      <h1>{title}</h1>
      <p>{text}</p>
      <p class="aside">
        {haveAccount} <a href={loginHref}>{login}</a>
      </p>
    </Layout>
  );
}

type FieldsProps = Required<Pick<RegisterPageProps, 'frame' | 'values' | 'errors'>>;

function Reason({ frame, values, errors }: FieldsProps): VNode {
  const { register: texts } = frame.messages.signIn;
  return (
    <TextArea
      name="reason"
      label={texts.reason}
      hint={texts.reasonHint}
      value={values.reason}
      error={errors.reason}
      optional={frame.messages.form.optional}
      rows={3}
      isProse
    />
  );
}

function Fields({ frame, values, errors }: FieldsProps): VNode {
  const { register: texts } = frame.messages.signIn;
  return (
    <>
      <div class="pair">
        <TextField
          name="first_name"
          label={texts.firstName}
          value={values.first_name}
          error={errors.first_name}
          autocomplete="given-name"
        />
        <TextField
          name="last_name"
          label={texts.lastName}
          value={values.last_name}
          error={errors.last_name}
          autocomplete="family-name"
        />
      </div>
      <TextField
        name="username"
        label={texts.username}
        value={values.username}
        hint={texts.usernameHint}
        error={errors.username}
        optional={frame.messages.form.optional}
        autocomplete="username"
      />
    </>
  );
}

function Credentials({ frame, values, errors }: FieldsProps): VNode {
  const { register: texts } = frame.messages.signIn;
  return (
    <>
      <TextField
        name="email"
        type="email"
        label={texts.email}
        value={values.email}
        error={errors.email}
        autocomplete="email"
      />
      <TextField
        name="password"
        type="password"
        label={texts.password}
        hint={texts.passwordHint}
        error={errors.password}
        autocomplete="new-password"
      />
    </>
  );
}
