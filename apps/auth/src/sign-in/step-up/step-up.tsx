import type { Accounts } from '@linnet/accounts/accounts';
import { findIdentities, findOtherWaysIn } from '@linnet/accounts/identity-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import { open, seal } from '@linnet/keys/sealing';
import type { Secret } from '@linnet/service/config/secret';
import type { RequestState } from '@linnet/service/http/request-log';
import { z } from 'zod';

import type { AuthEvents, SignInRefusal } from '../../audit/events.ts';
import { createForm } from '../../pages/form/form.ts';
import type { Form } from '../../pages/form/form.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { passkeyField } from '../../pages/views/passkey-form.tsx';
import type { AuthenticationMethods, BrowserSession, Sessions } from '../../protocol/session/session.ts';
import type { Passkeys } from '../factors/passkeys.ts';
import type { SecondFactor } from '../factors/second-factor.ts';
import { readCode } from '../second-factor/second-factor-step.tsx';
import type { AreaPage } from '../visit/area.ts';
import type { KeptForms } from '../visit/kept-form.ts';
import { parseReturnTo } from '../visit/return-to.ts';
import { returnAddress } from '../visit/web.ts';
import { isRecent, sealedFormField, usedFactor } from '../visit/step-up.ts';
import type { Reauthentication, StepUp } from '../visit/step-up.ts';
import { UpstreamProblemPage, problemStatus, providerField } from '../upstream/upstream-page.tsx';
import { ProviderFailed } from '../upstream/upstream-client.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { ReauthenticatePage } from './reauthenticate-page.tsx';
import type { ReauthenticatePageProps } from './reauthenticate-page.tsx';

export interface StepUpOptions extends ProofOptions {
  readonly sessions: Pick<Sessions, 'confirm'>;
  readonly events: AuthEvents;
  readonly keptForms: Pick<KeptForms, 'keep'>;
  readonly secretKeys: readonly Secret[];
  readonly db: Queryable;
  readonly upstream: Pick<Upstream, 'providers' | 'begin'>;
  /** The page that confirms the identity by itself; `/reauthenticate` if absent. */
  readonly path?: string;
}

/** What checks a proof. */
export interface ProofOptions {
  readonly accounts: Pick<Accounts, 'checkCredentials'>;
  readonly secondFactor: Pick<SecondFactor, 'find' | 'acceptCode'>;
  readonly passkeys: Pick<Passkeys, 'createSignInOptions' | 'verify'>;
  readonly throttle: Pick<Throttle, 'countSignIn' | 'signedIn' | 'countSecondFactor' | 'passedSecondFactor'>;
  /** A password alone does not confirm the identity, also of people without an authenticator app. */
  readonly requiresFactor?: boolean;
}

type Proving = Pick<Reauthentication, 'ctx' | 'frame'> & {
  readonly viewer: Pick<Reauthentication['viewer'], 'username'>;
  readonly session: Pick<BrowserSession, 'accountId'>;
};

type Outcome = { readonly methods: AuthenticationMethods } | { readonly rejection: Rejection };

export interface Rejection {
  readonly reason: SignInRefusal;
  readonly field?: 'password' | 'code' | 'recovery_code';
  readonly waitSeconds?: number;
}

interface PageState extends Pick<ReauthenticatePageProps, 'sealedForm' | 'rejection'> {
  readonly status: number;
}

/** Whether the person must confirm their identity before a sensitive form. */
function isStale({ requiresFactor = false }: Pick<StepUpOptions, 'requiresFactor'>, session: BrowserSession): boolean {
  return !isRecent(session) || (requiresFactor && !usedFactor(session));
}

export function createStepUp(options: StepUpOptions): StepUp {
  const { sessions, secondFactor, events, keptForms, secretKeys, path = pagePaths.reauthenticate } = options;
  return {
    isStale: (session) => isStale(options, session),
    hasAuthenticatorApp: async (accountId) => (await secondFactor.find(accountId)) !== undefined,
    redirectToReauthenticate: (ctx) => {
      ctx.redirect(`${path}?${new URLSearchParams({ return_to: ctx.url }).toString()}`);
    },
    askToConfirm: async (request, form) => {
      const target = { accountId: request.session.accountId, path: request.ctx.path };
      const sealedForm = sealForm(form, target, secretKeys);
      if (sealedForm === undefined) await keptForms.keep(request.ctx, target.accountId, form);
      await render(options, request, { sealedForm: sealedForm ?? longForm, status: 403 });
    },
    findHeld: ({ path: to }, accountId, form) =>
      unsealForm(form.text(sealedFormField), { accountId, path: to }, secretKeys)?.form,
    confirm: async (request, form) => {
      const { ctx, event, session } = request;
      if (form.has(providerField)) {
        await beginConfirmation(options, request, form);
        return undefined;
      }
      const outcome = await verifyProof(options, request, form);
      const sealedForm = form.text(sealedFormField);
      if ('rejection' in outcome) {
        await refuse(options, request, { ...outcome.rejection, sealedForm });
        return undefined;
      }
      const confirmed = await sessions.confirm(ctx, outcome.methods);
      if (confirmed !== undefined) events.identityConfirmed(event);
      const held = unsealForm(sealedForm, { accountId: session.accountId, path: ctx.path }, secretKeys);
      if (confirmed !== undefined && held?.isExpired === false) return { session: confirmed, form: held.form };
      if (held !== undefined) await keptForms.keep(ctx, session.accountId, held.form);
      // Loads the page again; if the session has ended, that leads to the sign-in page.
      redirectTo(ctx, sealedForm === noForm ? ctx.url : returnAddress(ctx, 'unconfirmed'));
      return undefined;
    },
  };
}

/** Leads to a linked provider, which asks again. The form that was sent is shown afterwards. */
async function beginConfirmation(options: StepUpOptions, { ctx, frame, session }: Reauthentication, form: Form) {
  const { upstream, keptForms, secretKeys, events } = options;
  const { accountId } = session;
  const held = unsealForm(form.text(sealedFormField), { accountId, path: ctx.path }, secretKeys);
  if (held !== undefined) await keptForms.keep(ctx, accountId, held.form);
  const signedIn = { accountId, act: 'confirm' } as const;
  const to = { next: pagePaths.linkProvider, back: ctx.url, maxAge: 0, signedIn };
  try {
    redirectTo(ctx, await upstream.begin(ctx, form.text(providerField), to));
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error;
    const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
    events.confirmationRefused({ requestId, clientId: undefined, accountId, reason: 'provider' });
    const page = <UpstreamProblemPage frame={frame} problem={error.problem} back={ctx.url} />;
    renderPage(ctx, page, { status: problemStatus[error.problem] });
  }
}

/** Checks a passkey, or a password with a code if the person has an authenticator app. */
export async function verifyProof(options: ProofOptions, proving: Proving, form: Form): Promise<Outcome> {
  return form.all(passkeyField).length > 0
    ? await verifyPasskey(options, proving, form)
    : await verifyPassword(options, proving, form);
}

async function refuse(
  options: StepUpOptions,
  request: Reauthentication,
  { reason, field, waitSeconds, sealedForm }: Rejection & Pick<PageState, 'sealedForm'>,
): Promise<void> {
  options.events.confirmationRefused({ ...request.event, reason });
  if (waitSeconds !== undefined) request.ctx.set('Retry-After', String(waitSeconds));
  const status = waitSeconds === undefined ? 422 : 429;
  await render(options, request, { sealedForm, rejection: field ?? reason, status });
}

/** Value of the hidden field when no form was sent before. */
export const noForm = '-';
/** The same for a form that is too long for the field; it is kept elsewhere. */
const longForm = 'long';

/** The page by itself, before pages that are sensitive themselves. */
async function renderReauthenticatePage(options: StepUpOptions, request: Reauthentication): Promise<void> {
  await render(options, request, { sealedForm: noForm, status: 200 });
}

/** A provider does not say which factor it asked for, so it confirms nothing where a factor is required. */
async function findProofs({ db, upstream, requiresFactor = false }: StepUpOptions, accountId: number) {
  if (upstream.providers.length === 0 || requiresFactor) return { providers: [], hasPassword: true };
  const [linked, { hasPassword }] = [await findIdentities(db, accountId), await findOtherWaysIn(db, accountId)];
  const isLinked = ({ issuer }: { readonly issuer: string }) => linked.some((one) => one.issuer === issuer);
  return { providers: upstream.providers.filter(isLinked), hasPassword };
}

async function render(
  options: StepUpOptions,
  { ctx, frame, viewer: { username }, session: { accountId } }: Reauthentication,
  { status, ...state }: PageState,
): Promise<void> {
  const { passkeys, secondFactor, requiresFactor = false } = options;
  const passkeyOptions = await passkeys.createSignInOptions(frame.csrfToken(), accountId);
  const asksCode = (await secondFactor.find(accountId)) !== undefined;
  const { providers, hasPassword } = await findProofs(options, accountId);
  const asksPassword = hasPassword && (asksCode || !requiresFactor);
  const script = passkeyOptions === undefined ? undefined : frame.assets.scripts['passkeys.js'];
  const page = (
    <ReauthenticatePage
      {...state}
      {...{ frame, username, passkeyOptions, asksCode, asksPassword, hasPassword, providers }}
    />
  );
  renderPage(ctx, page, { status, script, leadsOut: providers.length > 0 });
}

async function verifyPasskey({ passkeys }: ProofOptions, { frame, session }: Proving, form: Form): Promise<Outcome> {
  const passkey = await passkeys.verify(frame.csrfToken(), form.text(passkeyField));
  if (passkey?.accountId !== session.accountId) return { rejection: { reason: 'passkey' } };
  return { methods: passkey.methods };
}

/** Attempts count against the limits of the sign-in page (checklist UI11). */
async function verifyPassword(options: ProofOptions, { ctx, viewer, session }: Proving, form: Form): Promise<Outcome> {
  const { accounts, throttle, secondFactor, requiresFactor = false } = options;
  const { accountId } = session;
  const waitSeconds = await throttle.countSignIn(ctx, viewer.username);
  if (waitSeconds !== undefined) return { rejection: { reason: 'throttled', waitSeconds } };
  const account = await accounts.checkCredentials(viewer.username, form.text('password'));
  if (account?.id !== accountId) return { rejection: { reason: 'credentials', field: 'password' } };
  await throttle.signedIn(ctx);
  if ((await secondFactor.find(accountId)) === undefined) {
    return requiresFactor ? { rejection: { reason: 'passkey' } } : { methods: ['pwd'] };
  }
  return await verifyCode(options, accountId, form);
}

async function verifyCode({ throttle, secondFactor }: ProofOptions, accountId: number, form: Form): Promise<Outcome> {
  const waitSeconds = await throttle.countSecondFactor(accountId);
  if (waitSeconds !== undefined) return { rejection: { reason: 'throttled', waitSeconds } };
  const { field, typed } = readCode(form);
  const accepted = await secondFactor.acceptCode(accountId, typed);
  if (accepted === undefined) return { rejection: { reason: 'second-factor', field } };
  await throttle.passedSecondFactor(accountId);
  return { methods: ['pwd', 'otp', 'mfa'] };
}

const formPurpose = 'linnet held form';
const formLifetimeMs = 900_000;
/** The limit of `readForm` leaves no room for more. */
const maxSealedLength = 60_000;

/** Whose form it is, and the path it was sent to. */
interface FormTarget {
  readonly accountId: number;
  readonly path: string;
}

const schema = z.object({
  accountId: z.number(),
  path: z.string(),
  until: z.number(),
  pairs: z.array(z.tuple([z.string(), z.string()])),
});

/** Returns undefined if the form is too long. */
function sealForm(form: Form, target: FormTarget, keys: readonly Secret[]): string | undefined {
  const { accountId, path } = target;
  const sealed = seal(
    JSON.stringify({ accountId, path, until: Date.now() + formLifetimeMs, pairs: form.pairs }),
    formPurpose,
    keys,
  );
  return sealed.length > maxSealedLength ? undefined : sealed;
}

interface UnsealedForm {
  readonly form: Form;
  /** It may be shown again, and not be acted on. */
  readonly isExpired: boolean;
}

/** Returns undefined if the form was sealed for another account or page. */
function unsealForm(text: string, target: FormTarget, keys: readonly Secret[]): UnsealedForm | undefined {
  const opened = open(text, formPurpose, keys);
  if (opened === undefined) return undefined;
  const { accountId, path, until, pairs } = schema.parse(JSON.parse(opened));
  const matches = accountId === target.accountId && path === target.path;
  return matches ? { form: createForm(pairs), isExpired: until <= Date.now() } : undefined;
}

interface ReauthenticateOptions extends StepUpOptions {
  readonly baseUrl: string;
  /** Where it leads without `return_to`. */
  readonly next?: string;
}

/** `/reauthenticate?return_to=`: confirms the identity before a page that is sensitive itself. */
export function reauthenticateRoute(options: ReauthenticateOptions): AreaPage {
  const { path = pagePaths.reauthenticate, next = pagePaths.account } = options;
  return {
    path,
    show: async (visit) => {
      const { ctx, session } = visit;
      if (isStale(options, session)) await renderReauthenticatePage(options, visit);
      else redirectTo(ctx, parseReturnTo(ctx.query['return_to'], options.baseUrl) ?? next);
    },
    // `createArea` verifies the form; the redirect leads to `show`.
    form: {
      stepUp: 'none',
      act: async ({ ctx }) => redirectTo(ctx, ctx.url),
    },
  };
}
