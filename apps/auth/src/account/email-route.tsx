import type { Account } from '@linnet/accounts/account';
import type { Accounts } from '@linnet/accounts/accounts';
import { parseRegistration } from '@linnet/accounts/registration';
import type { Queryable } from '@linnet/db/database';

import type { AreaPage, Visit } from '../http/area.ts';
import { findDone, goOn } from '../http/done.ts';
import type { Form } from '../http/form.ts';
import { renderPage } from '../http/render.tsx';
import type { Throttle } from '../http/throttle.ts';
import { parseReturnTo } from '../interactions/return-to.ts';
import { askEmailChange, askVerification } from '../mail/mail-store.ts';
import type { FieldErrors } from '../views/frame.ts';
import { pagePaths } from '../views/page-paths.ts';
import { EmailPage } from './email-page.tsx';
import type { EmailField, EmailPageProps } from './email-page.tsx';

interface EmailRouteOptions {
  readonly baseUrl: string;
  readonly db: Queryable;
  readonly accounts: Pick<Accounts, 'findById' | 'checkCredentials'>;
  readonly throttle: Pick<Throttle, 'countMail' | 'countSignIn' | 'signedIn'>;
}

/**
 * `/account/email`: another link to confirm the address, or one to a new address, which takes the password.
 * Whether another account has the new address is told to nobody but its owner.
 */
export function emailRoute(options: EmailRouteOptions): AreaPage {
  const { accounts } = options;
  return {
    path: pagePaths.email,
    show: async (visit) => {
      const account = await accounts.findById(visit.session.accountId);
      if (account === undefined) return;
      const done = findDone(visit.ctx, ['sent', 'resent']);
      renderPage(visit.ctx, <EmailPage {...standing(visit, account)} done={done} />);
    },
    sensitive: 'asks-password',
    act: async (visit) => {
      const account = await accounts.findById(visit.session.accountId);
      if (account === undefined) return;
      const form = await visit.readForm();
      if (form.text('action') === 'resend') await resend(options, visit, { account, form });
      else await change(options, visit, { account, form });
    },
  };
}

interface Request {
  readonly account: Account;
  readonly form: Form;
}

async function resend({ baseUrl, db, throttle }: EmailRouteOptions, visit: Visit, { account, form }: Request) {
  const { ctx } = visit;
  if (isThrottled(visit, account, await throttle.countMail(ctx, String(account.id)))) return;
  await askVerification(db, account.id);
  const returnTo = parseReturnTo(form.text('return_to'), baseUrl);
  if (returnTo === undefined) goOn(ctx, pagePaths.email, 'resent');
  else goOn(ctx, returnTo);
}

async function change(options: EmailRouteOptions, visit: Visit, { account, form }: Request): Promise<void> {
  const { db, accounts, throttle } = options;
  const { ctx, frame } = visit;
  const next = form.text('email').trim();
  const password = form.text('current_password');
  const errors = findErrors(visit, account, { next, password });
  if (Object.keys(errors).length > 0) {
    refuse(visit, account, { next, errors });
    return;
  }
  // Guessing the password here is held back as it is at the sign-in.
  if (isThrottled(visit, account, await throttle.countSignIn(ctx, account.username))) return;
  if ((await accounts.checkCredentials(account.username, password))?.id !== account.id) {
    refuse(visit, account, { next, errors: { current_password: frame.messages.account.password.currentWrong } });
    return;
  }
  await throttle.signedIn(ctx, account.username);
  if (isThrottled(visit, account, await throttle.countMail(ctx, String(account.id)))) return;
  await askEmailChange(db, account.id, next);
  goOn(ctx, pagePaths.email, 'sent');
}

function findErrors(
  { frame }: Visit,
  { email }: Account,
  { next, password }: { readonly next: string; readonly password: string },
): FieldErrors<EmailField> {
  const { account, signIn, email: texts } = frame.messages;
  const isMalformed = parseRegistration({ email: next }).problems?.email !== undefined;
  return {
    ...(isMalformed ? { email: signIn.register.errors.emailMalformed } : {}),
    ...(next === email ? { email: texts.page.same } : {}),
    ...(password === '' ? { current_password: account.password.currentMissing } : {}),
  };
}

function isThrottled(visit: Visit, account: Account, waitSeconds: number | undefined): boolean {
  if (waitSeconds === undefined) return false;
  visit.ctx.set('Retry-After', String(waitSeconds));
  const problem = visit.frame.messages.email.page.throttled;
  renderPage(visit.ctx, <EmailPage {...standing(visit, account)} problem={problem} />, { status: 429 });
  return true;
}

function refuse(visit: Visit, account: Account, shown: Pick<EmailPageProps, 'next' | 'errors'>): void {
  renderPage(visit.ctx, <EmailPage {...standing(visit, account)} {...shown} />, { status: 422 });
}

function standing({ frame }: Visit, { email, emailVerifiedAt }: Account) {
  return { frame, present: email, isVerified: emailVerifiedAt !== null };
}
