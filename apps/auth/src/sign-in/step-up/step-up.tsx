import type { Accounts } from '@linnet/accounts/accounts';
import type { Secret } from '@linnet/service/secret';
import type Koa from 'koa';

import type { AuthEvents, PersonEvent, SignInRefusal } from '../../audit/events.ts';
import type { Passkeys } from '../factors/passkeys.ts';
import type { SecondFactor } from '../factors/second-factor.ts';
import { redirectTo } from '../../pages/http/done.ts';
import type { Form } from '../../pages/http/form.ts';
import { renderPage } from '../../pages/http/render.tsx';
import type { StepUp } from '../visit/step-up.ts';
import { heldField } from '../visit/step-up.ts';
import type { Throttle } from '../../pages/http/throttle.ts';
import type { SignedIn } from '../visit/signed-in.ts';
import type { AuthenticationMethods, Sessions } from '../../protocol/session/session.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { passkeyField } from '../../pages/views/passkey-form.tsx';
import { isRecent } from './recent-sign-in.ts';
import { holdForm, releaseForm } from './held-form.ts';
import { ReauthenticatePage } from './reauthenticate-page.tsx';
import type { ReauthenticatePageProps } from './reauthenticate-page.tsx';

export interface StepUpOptions {
  readonly sessions: Pick<Sessions, 'confirm'>;
  readonly accounts: Pick<Accounts, 'checkCredentials'>;
  readonly secondFactor: Pick<SecondFactor, 'find' | 'take'>;
  readonly passkeys: Pick<Passkeys, 'ask' | 'check' | 'isPossible' | 'list'>;
  readonly throttle: Pick<Throttle, 'countSignIn' | 'signedIn' | 'countSecondFactor' | 'passedSecondFactor'>;
  readonly events: AuthEvents;
  readonly secretKeys: readonly Secret[];
}

interface Asked extends SignedIn {
  readonly ctx: Koa.Context;
  readonly event: PersonEvent;
}

type Proof = { readonly methods: AuthenticationMethods } | { readonly refusal: Refusal };

interface Refusal {
  readonly reason: SignInRefusal;
  readonly field?: 'password' | 'code';
  readonly waitSeconds?: number;
}

/** What the page shows besides what it finds out itself. */
interface Shown extends Pick<ReauthenticatePageProps, 'held' | 'refusal'> {
  readonly status: number;
}

export function createStepUp(options: StepUpOptions): StepUp {
  const { sessions, secondFactor, events, secretKeys } = options;
  const prove = (asked: Asked, form: Form) =>
    form.all(passkeyField).length > 0 ? provePasskey(options, asked, form) : provePassword(options, asked, form);

  return {
    isStale: (session) => !isRecent(session),
    isSensitive: async (sensitive, { accountId }, form) => {
      if (sensitive === 'asks-password') return (await secondFactor.find(accountId)) !== undefined;
      return typeof sensitive === 'object' ? sensitive.includes(form.text('action')) : sensitive !== false;
    },
    leadToQuestion: (ctx) => {
      ctx.redirect(`${pagePaths.reauthenticate}?${new URLSearchParams({ return_to: ctx.url }).toString()}`);
    },
    ask: async (asked, form) => {
      const held = await holdForm(form, { accountId: asked.session.accountId, path: asked.ctx.path }, secretKeys);
      await showQuestion(options, asked, { held: held ?? notHeld, status: 403 });
    },
    answer: async (asked, form) => {
      const { ctx, event, session } = asked;
      const proof = await prove(asked, form);
      if ('refusal' in proof) {
        const { reason, field, waitSeconds } = proof.refusal;
        events.confirmationRefused({ ...event, reason });
        if (waitSeconds !== undefined) ctx.set('Retry-After', String(waitSeconds));
        const status = waitSeconds === undefined ? 422 : 429;
        await showQuestion(options, asked, { held: form.text(heldField), refusal: field ?? reason, status });
        return undefined;
      }
      const confirmed = await sessions.confirm(ctx, proof.methods);
      if (confirmed !== undefined) events.identityConfirmed(event);
      const heldFor = { accountId: session.accountId, path: ctx.path };
      const held = await releaseForm(form.text(heldField), heldFor, secretKeys);
      if (confirmed !== undefined && held !== undefined) return { session: confirmed, form: held };
      // The page is asked for anew, or the sign-in when the session has ended.
      redirectTo(ctx, ctx.url);
      return undefined;
    },
  };
}

/** Stands in the field when there is no form: the page is shown afterwards. */
const notHeld = '-';

/** The question on a page of its own, for pages that are sensitive themselves. */
export async function showQuestionAlone(options: StepUpOptions, asked: Asked): Promise<void> {
  await showQuestion(options, asked, { held: notHeld, status: 200 });
}

async function showQuestion(
  { passkeys, secondFactor }: StepUpOptions,
  { ctx, frame, session: { accountId } }: Asked,
  { status, ...shown }: Shown,
): Promise<void> {
  const hasPasskey = passkeys.isPossible && (await passkeys.list(accountId)).length > 0;
  const passkeyQuestion = hasPasskey ? await passkeys.ask(frame.csrf, accountId) : undefined;
  const asksCode = (await secondFactor.find(accountId)) !== undefined;
  const script = hasPasskey ? frame.assets.scripts['passkeys.js'] : undefined;
  renderPage(ctx, <ReauthenticatePage {...shown} {...{ frame, passkeyQuestion, asksCode }} />, { status, script });
}

async function provePasskey({ passkeys }: StepUpOptions, { frame, session }: Asked, form: Form): Promise<Proof> {
  const shown = await passkeys.check(frame.csrf, form.text(passkeyField));
  if (shown?.accountId !== session.accountId) return { refusal: { reason: 'passkey' } };
  return { methods: shown.methods };
}

/** Guessing is held back as it is at the sign-in (checklist UI11). */
async function provePassword(options: StepUpOptions, { ctx, viewer, session }: Asked, form: Form): Promise<Proof> {
  const { accounts, throttle, secondFactor } = options;
  const { accountId } = session;
  const waitSeconds = await throttle.countSignIn(ctx, viewer.username);
  if (waitSeconds !== undefined) return { refusal: { reason: 'throttled', waitSeconds } };
  const account = await accounts.checkCredentials(viewer.username, form.text('password'));
  if (account?.id !== accountId) return { refusal: { reason: 'credentials', field: 'password' } };
  await throttle.signedIn(ctx, viewer.username);
  if ((await secondFactor.find(accountId)) === undefined) return { methods: ['pwd'] };
  return await proveCode(options, accountId, form);
}

async function proveCode({ throttle, secondFactor }: StepUpOptions, accountId: number, form: Form): Promise<Proof> {
  const waitSeconds = await throttle.countSecondFactor(accountId);
  if (waitSeconds !== undefined) return { refusal: { reason: 'throttled', waitSeconds } };
  const taken = await secondFactor.take(accountId, form.text('code'));
  if (taken === undefined) return { refusal: { reason: 'second-factor', field: 'code' } };
  await throttle.passedSecondFactor(accountId);
  return { methods: ['pwd', 'otp', 'mfa'] };
}
