import type { Account } from '@linnet/accounts/account';
import type { Accounts } from '@linnet/accounts/accounts';
import { parseRegistration } from '@linnet/accounts/registration';
import { revokeAllGrants } from '@linnet/applications/grants/connected-applications-store';
import { endUnprovenAccess } from '@linnet/applications/grants/first-proof-store';
import { toEmailAddress } from '@linnet/contract/email-address';
import type { Db } from '@linnet/db/database';
import type { RequestState } from '@linnet/service/http/request-log';
import { UserText } from '@linnet/ui/user-text.tsx';
import type Koa from 'koa';
import type { VNode } from 'preact';

import type { AuthEvents } from '../../audit/events.ts';
import { findLink, hashToken, useLink } from '../../mail/link-store.ts';
import { queuePasswordReset } from '../../mail/mail-store.ts';
import { createFormPages } from '../../pages/form/form-pages.ts';
import type { FormPages } from '../../pages/form/form-pages.ts';
import type { Form } from '../../pages/form/form.ts';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { ErrorSummary, PostForm, TextField } from '../../pages/views/field.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { findNewPasswordError } from '../password/password-form.ts';
import type { Web } from '../visit/web.ts';
import { InvalidLinkPage } from './verify-email-page.tsx';

interface PasswordRoutesOptions {
  readonly web: Web;
  readonly db: Db;
  readonly accounts: Pick<Accounts, 'findKept' | 'hashPassword' | 'replacePassword'>;
  readonly throttle: Pick<Throttle, 'countMail' | 'rememberBrowser'>;
  readonly events: Pick<AuthEvents, 'passwordChanged'>;
  readonly isMailConfigured: boolean;
}

/** `/password/forgot` mails a link to `/password/reset?token=`, which works once within 30 minutes. */
export function createPasswordRoutes(options: PasswordRoutesOptions): FormPages {
  const { web } = options;
  const showForgot = (ctx: Koa.Context) => {
    const isSent = findDone(ctx, ['sent']) !== undefined;
    renderPage(ctx, <ForgotPasswordPage frame={web.createFrame(ctx)} isSent={isSent} />);
  };
  const showReset = async (ctx: Koa.Context) => {
    const { token } = ctx.query;
    const text = typeof token === 'string' ? token : '';
    const found = await findReset(options, text);
    const frame = web.createFrame(ctx);
    if (found === undefined) renderPage(ctx, <InvalidLinkPage frame={frame} of="reset" />, { status: 404 });
    else renderPage(ctx, <ResetPasswordPage frame={frame} username={found.account.username} token={text} />);
  };
  return createFormPages<Koa.Context>({
    csrf: web.csrf,
    enter: async (ctx) => ctx,
    pages: [
      {
        path: pagePaths.forgotPassword,
        show: showForgot,
        submit: async (ctx, form) => await sendLink(options, ctx, form),
      },
      { path: pagePaths.resetPassword, show: showReset, submit: async (ctx, form) => await reset(options, ctx, form) },
    ],
  });
}

/** Does the same for every address, so that neither the response nor its timing reveals whether an account exists. */
async function sendLink({ web, db, throttle }: PasswordRoutesOptions, ctx: Koa.Context, form: Form): Promise<void> {
  const frame = web.createFrame(ctx);
  const { forgot: texts } = frame.messages.email;
  const typed = form.text('email').trim();
  const email = toEmailAddress(typed) ?? typed;
  const reject = (status: 422 | 429, props: Partial<ForgotPasswordPageProps>) => {
    renderPage(ctx, <ForgotPasswordPage {...props} frame={frame} email={email} />, { status });
  };
  if (parseRegistration({ email }).problems?.email !== undefined) {
    reject(422, { errors: { email: texts.malformed } });
    return;
  }
  const waitSeconds = await throttle.countMail(ctx, { about: email, to: email });
  if (waitSeconds !== undefined) {
    ctx.set('Retry-After', String(waitSeconds));
    reject(429, { problem: texts.throttled });
    return;
  }
  await queuePasswordReset(db, email);
  redirectTo(ctx, pagePaths.forgotPassword, 'sent');
}

interface Reset {
  readonly account: Account;
  readonly tokenSha256: Buffer;
}

async function findReset({ db, accounts }: PasswordRoutesOptions, token: string): Promise<Reset | undefined> {
  const tokenSha256 = hashToken(token);
  const link = tokenSha256 === undefined ? undefined : await findLink(db, tokenSha256);
  if (tokenSha256 === undefined || link?.purpose !== 'reset_password' || link.isUsed) return undefined;
  const account = await accounts.findKept(link.accountId);
  return account === undefined ? undefined : { account, tokenSha256 };
}

async function reset(options: PasswordRoutesOptions, ctx: Koa.Context, form: Form): Promise<void> {
  const { web, throttle, events } = options;
  const frame = web.createFrame(ctx);
  const token = form.text('token');
  const password = form.text('new_password');
  const found = await findReset(options, token);
  const error = found && findNewPasswordError(password, found.account, frame.messages.signIn.passwordErrors);
  if (found !== undefined && error !== undefined) {
    const props = { frame, token, username: found.account.username, errors: { new_password: error } };
    renderPage(ctx, <ResetPasswordPage {...props} />, { status: 422 });
    return;
  }
  const outcome = found === undefined ? undefined : await setPassword(options, found, password);
  if (found !== undefined && outcome !== undefined) {
    const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
    events.passwordChanged({ requestId, clientId: undefined, accountId: found.account.id });
    // Who reads the account's mail gets in, however many wrong passwords were tried.
    await throttle.rememberBrowser(ctx, found.account.id);
    redirectTo(ctx, pagePaths.login, outcome.isFirstProof ? 'first-password-reset' : 'password-reset');
  } else {
    renderPage(ctx, <InvalidLinkPage frame={frame} of="reset" />, { status: 422 });
  }
}

interface ResetOutcome {
  /** The link was the first proof of the address; see `endUnprovenAccess`. */
  readonly isFirstProof: boolean;
}

/** Also revokes everything that a password change revokes. Returns undefined if the link has been used. */
async function setPassword(
  { db, accounts, isMailConfigured }: PasswordRoutesOptions,
  { account, tokenSha256 }: Reset,
  password: string,
): Promise<ResetOutcome | undefined> {
  const passwordHash = await accounts.hashPassword(password);
  return await db.transaction(async (tx) => {
    // First, because the trigger on `account` invalidates open links.
    if (!(await useLink(tx, tokenSha256))) return undefined;
    const isFirstProof = isMailConfigured && (await endUnprovenAccess(tx, account.id));
    if (!(await accounts.replacePassword({ accountId: account.id, passwordHash }, tx))) return undefined;
    await revokeAllGrants(tx, account.id);
    return { isFirstProof };
  });
}

interface ForgotPasswordPageProps {
  readonly frame: Frame;
  readonly email?: string;
  readonly errors?: FieldErrors<'email'>;
  readonly problem?: string | undefined;
  /** Shown for every address, so that the page does not reveal whether it has an account. */
  readonly isSent?: boolean;
}

export function ForgotPasswordPage({ frame, email, errors = {}, problem, isSent }: ForgotPasswordPageProps): VNode {
  const { forgot: texts } = frame.messages.email;
  const title = isSent === true ? texts.sentTitle : texts.title;
  return (
    <Layout frame={frame} title={title} kind="card">
      <h1>{title}</h1>
      {isSent === true ? (
        <Notice kind="done">{texts.sentText}</Notice>
      ) : (
        <>
          <p class="lead">{texts.text}</p>
          <ErrorSummary frame={frame} errors={errors} problem={problem} />
          <PostForm frame={frame} testId="forgot-password">
            <TextField
              name="email"
              type="email"
              label={texts.email}
              value={email}
              error={errors.email}
              autocomplete="email"
            />
            <button class="button wide">{texts.submit}</button>
          </PostForm>
        </>
      )}
      <p class="aside">
        <a href={pagePaths.login}>{texts.back}</a>
      </p>
    </Layout>
  );
}

interface ResetPasswordPageProps {
  readonly frame: Frame;
  readonly username: string;
  readonly token: string;
  readonly errors?: FieldErrors<'new_password'>;
}

export function ResetPasswordPage({ frame, username, token, errors = {} }: ResetPasswordPageProps): VNode {
  const { email, account } = frame.messages;
  const { reset: texts } = email;
  return (
    <Layout frame={frame} title={texts.title} kind="card">
      <h1>{texts.title}</h1>
      <p class="lead">{texts.text(<UserText strong text={`@${username}`} />)}</p>
      <ErrorSummary frame={frame} errors={errors} />
      <PostForm
        frame={frame}
        action={pagePaths.resetPassword}
        hidden={{ token }}
        username={username}
        testId="reset-password"
      >
        <TextField
          name="new_password"
          type="password"
          label={texts.next}
          hint={account.password.nextHint}
          error={errors.new_password}
          autocomplete="new-password"
        />
        <button class="button wide">{texts.submit}</button>
      </PostForm>
    </Layout>
  );
}
