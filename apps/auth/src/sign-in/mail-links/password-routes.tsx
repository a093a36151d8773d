import type { Account } from '@linnet/accounts/account';
import type { Accounts } from '@linnet/accounts/accounts';
import { parseRegistration } from '@linnet/accounts/registration';
import type { Db } from '@linnet/db/database';
import type { RequestState } from '@linnet/service/http/request-log';
import type Koa from 'koa';

import { revokeAllGrants } from '@linnet/applications/grants/connected-applications-store';
import { endUnprovenAccess } from '@linnet/applications/grants/first-proof-store';
import { findNewPasswordError } from '../password/password-form.ts';
import type { AuthEvents } from '../../audit/events.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { createFormPages } from '../../pages/form/form-pages.ts';
import type { FormPages } from '../../pages/form/form-pages.ts';
import type { Form } from '../../pages/form/form.ts';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import type { Web } from '../visit/web.ts';
import { findLink, useLink } from '../../mail/link-store.ts';
import { hashToken } from '../../mail/link-token.ts';
import { queuePasswordReset } from '../../mail/mail-store.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { ForgotPasswordPage } from './forgot-password-page.tsx';
import type { ForgotPasswordPageProps } from './forgot-password-page.tsx';
import { ResetPasswordPage } from './reset-password-page.tsx';
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
  const email = form.text('email').trim();
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
