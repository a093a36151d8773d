import type { Accounts } from '@linnet/accounts/accounts';
import type { Account } from '@linnet/accounts/account';
import { parseRegistration } from '@linnet/accounts/registration';
import { isEmailRefused } from '@linnet/accounts/registrations/block-store';
import { toEmailAddress } from '@linnet/contract/email-address';
import type { Queryable } from '@linnet/db/statement/transaction';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import {
  cancelEmailChange,
  findEmailChange,
  requestEmailChange,
  sendChangeAgain,
} from '../../mail/email-change-store.ts';
import { isVerificationRefused } from '../../mail/link-store.ts';
import { queueVerification } from '../../mail/mail-store.ts';
import type { Form } from '../../pages/form/form.ts';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { ErrorSummary, PostForm, TextField } from '../../pages/views/field.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaForm, AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { parseReturnTo } from '../../sign-in/visit/return-to.ts';
import { AccountLayout } from './account-layout.tsx';

type EmailField = 'email' | 'current_password';

/** Values of the parameter `done`. */
const emailDone = ['sent', 'resent', 'change-cancelled'] as const;
type EmailDone = (typeof emailDone)[number];

const doneTexts = { sent: 'sent', resent: 'resent', 'change-cancelled': 'changeCancelled' } as const;

interface EmailPageProps {
  readonly frame: Frame;
  readonly present: string;
  readonly isVerified: boolean;
  /** The last message to the current address was given up. */
  readonly isRefused?: boolean;
  /** A new address that has not been verified yet. */
  readonly pending?: PendingEmail | undefined;
  /** As typed. */
  readonly next?: string;
  readonly errors?: FieldErrors<EmailField>;
  readonly problem?: string | undefined;
  readonly done?: EmailDone | undefined;
}

export function EmailPage(props: EmailPageProps): VNode {
  const { frame, present, isVerified, isRefused = false, pending, next, errors = {}, problem, done } = props;
  const { page: texts } = frame.messages.email;
  return (
    <AccountLayout frame={frame} page="email" title={texts.title}>
      {done === undefined ? null : <Notice kind="done">{texts[doneTexts[done]]}</Notice>}
      <ErrorSummary frame={frame} errors={errors} problem={problem} />
      <dl class="facts panel">
        <div>
          <dt>{texts.present}</dt>
          <dd>
            <UserText text={present} /> <span class="quiet">({isVerified ? texts.verified : texts.unverified})</span>
          </dd>
        </div>
      </dl>
      {isRefused ? <RefusedNotice frame={frame} address={present} /> : null}
      {isVerified ? null : <ResendForm frame={frame} />}
      {pending === undefined ? null : <PendingEmailPanel frame={frame} pending={pending} />}
      <section>
        <h2>{texts.changeTitle}</h2>
        <p>{texts.changeText}</p>
        <PostForm frame={frame} username={frame.viewer?.username} class="panel" hidden={{ action: 'change' }}>
          <TextField
            name="email"
            type="email"
            label={texts.next}
            value={next}
            error={errors.email}
            autocomplete="email"
          />
          <TextField
            name="current_password"
            type="password"
            label={texts.password}
            error={errors.current_password}
            autocomplete="current-password"
          />
          <button class="button" data-testid="change-email">
            {texts.submit}
          </button>
        </PostForm>
      </section>
    </AccountLayout>
  );
}

function RefusedNotice({ frame, address }: { readonly frame: Frame; readonly address: string }): VNode {
  return <Notice kind="warning">{frame.messages.email.page.refused(<UserText text={address} />)}</Notice>;
}

function ResendForm({ frame }: { readonly frame: Frame }): VNode {
  const { page: texts } = frame.messages.email;
  return (
    <PostForm frame={frame} class="panel" hidden={{ action: 'resend' }}>
      <p>{texts.unverifiedText}</p>
      <button class="button quiet-button" data-testid="resend-verification">
        {texts.resend}
      </button>
    </PostForm>
  );
}

interface EmailRouteOptions {
  readonly baseUrl: string;
  readonly db: Queryable;
  readonly accounts: Pick<Accounts, 'findById' | 'checkCredentials'>;
  readonly throttle: Pick<Throttle, 'countMail' | 'countSignIn' | 'signedIn'>;
}

interface EmailRequest extends EmailRouteOptions {
  readonly visit: Visit;
  readonly account: Account;
}

type PageState = Pick<EmailPageProps, 'next' | 'errors' | 'problem' | 'done'>;

/**
 * `/account/email`: resends the verification link, or starts a change of the address, which needs the password. A
 * pending change can be cancelled, or its link resent. The page never reveals whether another account has the new address.
 */
export function emailRoute(options: EmailRouteOptions): AreaPage {
  const toForm = (act: Act): AreaForm => ({
    stepUp: 'asks-password',
    act: async (visit, form) => {
      const request = await load(options, visit);
      if (request !== undefined) await act(request, form);
    },
  });
  return {
    path: pagePaths.email,
    show: async (visit) => {
      const request = await load(options, visit);
      if (request !== undefined) await show(request, { done: findDone(visit.ctx, emailDone) });
    },
    form: toForm(changeAddress),
    forms: {
      resend: toForm(resend),
      'resend-change': toForm(resendChange),
      'cancel-change': toForm(cancelChange),
    },
  };
}

async function load(options: EmailRouteOptions, visit: Visit): Promise<EmailRequest | undefined> {
  const account = await options.accounts.findById(visit.session.accountId);
  return account === undefined ? undefined : { ...options, visit, account };
}

type Act = (request: EmailRequest, form: Form) => Promise<void>;

const resend: Act = async (request, form) => {
  if (await isThrottled(request)) return;
  const { db, account, visit, baseUrl } = request;
  await queueVerification(db, account.id);
  const returnTo = parseReturnTo(form.text('return_to'), baseUrl);
  if (returnTo === undefined) redirectTo(visit.ctx, pagePaths.email, 'resent');
  else redirectTo(visit.ctx, returnTo);
};

const resendChange: Act = async (request, form) => {
  if (await isThrottled(request)) return;
  const { account, visit } = request;
  if (await sendChangeAgain(visit.sessionDb, account.id, changeOf(form))) {
    redirectTo(visit.ctx, pagePaths.email, 'sent');
  } else await showChangeGone(request);
};

const cancelChange: Act = async (request, form) => {
  const { db, account, visit } = request;
  if (await cancelEmailChange(db, account.id, changeOf(form))) {
    redirectTo(visit.ctx, pagePaths.email, 'change-cancelled');
  } else await showChangeGone(request);
};

/** Returns 0, which is no id, for malformed text. */
function changeOf(form: Form): number {
  const id = form.text('change');
  return /^[1-9]\d{0,15}$/.test(id) ? Number(id) : 0;
}

/** The change has been completed or cancelled since; the account may have another address now, so it is loaded again. */
async function showChangeGone({ visit, ...options }: EmailRequest): Promise<void> {
  const request = await load(options, visit);
  const problem = visit.frame.messages.email.page.changeGone;
  if (request !== undefined) await show(request, { problem }, 409);
}

const changeAddress: Act = async (request, form) => {
  const { accounts, throttle, visit, account } = request;
  const { ctx, frame } = visit;
  const typed = form.text('email').trim();
  const next = toEmailAddress(typed) ?? typed;
  const password = form.text('current_password');
  const errors = findErrors(request, { next, password });
  if (Object.keys(errors).length > 0) {
    await show(request, { next, errors }, 422);
    return;
  }
  // Attempts count against the limits of the sign-in page.
  if (await rejectIfLimited(request, await throttle.countSignIn(ctx, account.username))) return;
  if ((await accounts.checkCredentials(account.username, password))?.id !== account.id) {
    await show(request, { next, errors: { current_password: frame.messages.account.password.currentWrong } }, 422);
    return;
  }
  await throttle.signedIn(ctx);
  if (await isEmailRefused(request.db, next)) {
    await show(request, { next, errors: { email: frame.messages.email.page.providerRefused } }, 422);
    return;
  }
  if (await isThrottled(request, next)) return;
  await requestEmailChange(visit.sessionDb, account.id, next);
  redirectTo(ctx, pagePaths.email, 'sent');
};

function findErrors(
  { visit, account }: EmailRequest,
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

/** Counts a message. Returns true if it has responded because there were too many. */
async function isThrottled(request: EmailRequest, to = request.account.email): Promise<boolean> {
  const { throttle, visit, account } = request;
  return await rejectIfLimited(request, await throttle.countMail(visit.ctx, { about: String(account.id), to }));
}

async function rejectIfLimited(request: EmailRequest, waitSeconds: number | undefined): Promise<boolean> {
  if (waitSeconds === undefined) return false;
  const { ctx, frame } = request.visit;
  ctx.set('Retry-After', String(waitSeconds));
  await show(request, { problem: frame.messages.email.page.throttled }, 429);
  return true;
}

async function show({ db, visit, account }: EmailRequest, state: PageState, status = 200): Promise<void> {
  const { frame } = visit;
  const { email: present, emailVerifiedAt } = account;
  const pending = await findEmailChange(db, account.id);
  const isVerified = emailVerifiedAt !== null;
  const isRefused = !isVerified && (await isVerificationRefused(db, account.id, present));
  const current = { frame, present, isVerified, isRefused, pending };
  renderPage(visit.ctx, <EmailPage {...current} {...state} />, { status });
}

/** A new address that has not been verified yet. */
interface PendingEmail {
  readonly id: number;
  readonly email: string;
  /** When the last link expires. */
  readonly expiresAt: Date;
  readonly isRefused: boolean;
}

interface PendingEmailPanelProps {
  readonly frame: Frame;
  readonly pending: PendingEmail;
}

function PendingEmailPanel({ frame, pending }: PendingEmailPanelProps): VNode {
  const { messages } = frame;
  const { page: texts } = messages.email;
  const { email, expiresAt, isRefused } = pending;
  const change = String(pending.id);
  return (
    <section class="panel" data-testid="pending-email">
      <h2>{texts.pendingTitle}</h2>
      {isRefused ? <RefusedNotice frame={frame} address={email} /> : <p>{texts.pendingText}</p>}
      <dl class="facts">
        <div>
          <dt>{texts.next}</dt>
          <dd>
            <UserText text={email} />
          </dd>
        </div>
        <div>
          <dt>{texts.pendingUntil}</dt>
          <dd>
            <time datetime={expiresAt.toISOString()}>{messages.formatMinute(expiresAt)}</time>
          </dd>
        </div>
      </dl>
      <div class="actions">
        <PostForm frame={frame} hidden={{ action: 'resend-change', change }}>
          <button class="button quiet-button" data-testid="resend-email-change">
            {texts.resendChange}
          </button>
        </PostForm>
        <PostForm frame={frame} hidden={{ action: 'cancel-change', change }}>
          <button class="button quiet-button" data-testid="cancel-email-change">
            {texts.cancelChange}
          </button>
        </PostForm>
      </div>
    </section>
  );
}
