import type { Account } from '@linnet/accounts/account';
import type { Accounts } from '@linnet/accounts/accounts';
import { parseRegistration } from '@linnet/accounts/registration';
import type { Queryable } from '@linnet/db/database';

import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findDone, redirectTo } from '../../pages/http/done.ts';
import type { Form } from '../../pages/http/form.ts';
import { renderPage } from '../../pages/http/render.tsx';
import type { Throttle } from '../../pages/http/throttle.ts';
import { parseReturnTo } from '../../sign-in/visit/return-to.ts';
import { askEmailChange, cancelEmailChange, findEmailChange, sendChangeAgain } from '../../mail/email-change-store.ts';
import { askVerification } from '../../mail/mail-store.ts';
import type { FieldErrors } from '../../pages/views/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { EmailPage, emailDone } from './email-page.tsx';
import type { EmailField, EmailPageProps } from './email-page.tsx';

interface EmailRouteOptions {
  readonly baseUrl: string;
  readonly db: Queryable;
  readonly accounts: Pick<Accounts, 'findById' | 'checkCredentials'>;
  readonly throttle: Pick<Throttle, 'countMail' | 'countSignIn' | 'signedIn'>;
}

/** Somebody at the page, and what the page works with. */
interface Place extends EmailRouteOptions {
  readonly visit: Visit;
  readonly account: Account;
}

type Shown = Pick<EmailPageProps, 'next' | 'errors' | 'problem' | 'done'>;

/**
 * `/account/email`: another link to confirm the address, or one to a new address, which takes the password. A new
 * address that waits to be confirmed is shown; it can be taken back, or sent another link.
 * Whether another account has the new address is told to nobody but its owner.
 */
export function emailRoute(options: EmailRouteOptions): AreaPage {
  return {
    path: pagePaths.email,
    show: async (visit) => {
      const place = await enter(options, visit);
      if (place !== undefined) await show(place, { done: findDone(visit.ctx, emailDone) });
    },
    sensitive: 'asks-password',
    act: async (visit) => {
      const form = await visit.readForm();
      const place = await enter(options, visit);
      if (place !== undefined) await (actions.get(form.text('action')) ?? change)(place, form);
    },
  };
}

async function enter(options: EmailRouteOptions, visit: Visit): Promise<Place | undefined> {
  const account = await options.accounts.findById(visit.session.accountId);
  return account === undefined ? undefined : { ...options, visit, account };
}

type Act = (place: Place, form: Form) => Promise<void>;

const resend: Act = async (place, form) => {
  if (await isThrottled(place)) return;
  const { db, account, visit, baseUrl } = place;
  await askVerification(db, account.id);
  const returnTo = parseReturnTo(form.text('return_to'), baseUrl);
  if (returnTo === undefined) redirectTo(visit.ctx, pagePaths.email, 'resent');
  else redirectTo(visit.ctx, returnTo);
};

const resendChange: Act = async (place, form) => {
  if (await isThrottled(place)) return;
  const { db, account, visit } = place;
  if (await sendChangeAgain(db, account.id, changeOf(form))) redirectTo(visit.ctx, pagePaths.email, 'sent');
  else await refuseEnded(place);
};

const cancelChange: Act = async (place, form) => {
  const { db, account, visit } = place;
  if (await cancelEmailChange(db, account.id, changeOf(form))) {
    redirectTo(visit.ctx, pagePaths.email, 'change-cancelled');
  } else await refuseEnded(place);
};

/** The hidden field `action` tells which of the page's forms was sent; the one for a new address has another. */
const actions: ReadonlyMap<string, Act> = new Map([
  ['resend', resend],
  ['resend-change', resendChange],
  ['cancel-change', cancelChange],
]);

/** Ids begin at 1: 0 is nobody's. */
function changeOf(form: Form): number {
  const id = form.text('change');
  return /^[1-9]\d{0,15}$/.test(id) ? Number(id) : 0;
}

/** The change ended meanwhile, maybe by its link: the account may have another address now. */
async function refuseEnded({ visit, ...options }: Place): Promise<void> {
  const place = await enter(options, visit);
  const problem = visit.frame.messages.email.page.changeGone;
  if (place !== undefined) await show(place, { problem }, 409);
}

const change: Act = async (place, form) => {
  const { db, accounts, throttle, visit, account } = place;
  const { ctx, frame } = visit;
  const next = form.text('email').trim();
  const password = form.text('current_password');
  const errors = findErrors(place, { next, password });
  if (Object.keys(errors).length > 0) {
    await show(place, { next, errors }, 422);
    return;
  }
  // Guessing the password here is held back as it is at the sign-in.
  if (await isHeldBack(place, await throttle.countSignIn(ctx, account.username))) return;
  if ((await accounts.checkCredentials(account.username, password))?.id !== account.id) {
    await show(place, { next, errors: { current_password: frame.messages.account.password.currentWrong } }, 422);
    return;
  }
  await throttle.signedIn(ctx, account.username);
  if (await isThrottled(place)) return;
  await askEmailChange(db, account.id, next);
  redirectTo(ctx, pagePaths.email, 'sent');
};

function findErrors(
  { visit, account }: Place,
  { next, password }: { readonly next: string; readonly password: string },
): FieldErrors<EmailField> {
  const { account: accountTexts, signIn, email: texts } = visit.frame.messages;
  const isMalformed = parseRegistration({ email: next }).problems?.email !== undefined;
  return {
    ...(isMalformed ? { email: signIn.register.errors.emailMalformed } : {}),
    ...(next === account.email ? { email: texts.page.same } : {}),
    ...(password === '' ? { current_password: accountTexts.password.currentMissing } : {}),
  };
}

/** Counts a message that is to be sent; when there were too many, this has answered. */
async function isThrottled(place: Place): Promise<boolean> {
  const { throttle, visit, account } = place;
  return await isHeldBack(place, await throttle.countMail(visit.ctx, String(account.id)));
}

async function isHeldBack(place: Place, waitSeconds: number | undefined): Promise<boolean> {
  if (waitSeconds === undefined) return false;
  const { ctx, frame } = place.visit;
  ctx.set('Retry-After', String(waitSeconds));
  await show(place, { problem: frame.messages.email.page.throttled }, 429);
  return true;
}

async function show({ db, visit, account }: Place, shown: Shown, status = 200): Promise<void> {
  const { frame } = visit;
  const { email: present, emailVerifiedAt } = account;
  const pending = await findEmailChange(db, account.id);
  const standing = { frame, present, isVerified: emailVerifiedAt !== null, pending };
  renderPage(visit.ctx, <EmailPage {...standing} {...shown} />, { status });
}
