import { AccountTaken } from '@linnet/accounts/account';
import type { Account, Registration } from '@linnet/accounts/account';
import type { Accounts } from '@linnet/accounts/accounts';
import { NameRefused } from '@linnet/accounts/names/name-rules';
import { RegistrationClosed, RegistrationRefused } from '@linnet/accounts/registrations/registrar';
import type { Attempt, Registered, Registrar } from '@linnet/accounts/registrations/registrar';
import type Koa from 'koa';

import type { AuthEvents } from '../../audit/events.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Throttle } from '../../pages/throttle/throttle.ts';
import { toFlowEvent } from '../flow/sign-in-flow.ts';
import type { SignInFlow, SignInStep } from '../flow/sign-in-flow.ts';
import type { SecondFactorStep } from '../second-factor/second-factor-step.tsx';
import { readRegisterForm } from './register-form.ts';
import { RegisterPage, RegistrationNotice, proofWorker } from './register-page.tsx';
import type { RegisterPageProps } from './register-page.tsx';
import type { RegistrationProofs } from './registration-proof.ts';

export interface RegisterStepOptions {
  readonly accounts: Pick<Accounts, 'checkCredentials'>;
  readonly registrar: Registrar;
  /** Undefined: REGISTRATION_PROOF is off. */
  readonly proofs: RegistrationProofs | undefined;
  readonly throttle: Pick<Throttle, 'countRegistration'>;
  readonly secondFactor: Pick<SecondFactorStep, 'completeWith'>;
  readonly events: AuthEvents;
  readonly clientAddress: (ctx: Koa.Context) => string;
}

/** `isNew`: false if the same form was submitted a moment ago. */
type Outcome = Registered & { readonly isNew: boolean };

type Refusal = AccountTaken | NameRefused | RegistrationClosed | RegistrationRefused;

interface PageState extends Pick<RegisterPageProps, 'values' | 'errors' | 'problem'> {
  readonly status?: number;
}

/** The parameter `done` of the page that says that an operator decides. */
const pending = 'pending';
type Notice = 'closed' | typeof pending;

/**
 * Creates the account and signs in, or stores a request for it. Wrong fields are 422, too many registrations 429. If nobody
 * can register, the page is 403.
 */
export function createRegisterStep(options: RegisterStepOptions): SignInStep {
  const { registrar, secondFactor, events, clientAddress } = options;
  const render = async (ctx: Koa.Context, flow: SignInFlow, state: PageState) => {
    await renderForm(options, ctx, { ...state, flow });
  };
  return {
    show: async (ctx, flow) => {
      if (findDone(ctx, [pending]) !== undefined) renderNotice(ctx, flow, pending);
      else if (!isClosed(registrar, ctx, flow)) await render(ctx, flow, {});
    },
    submit: async (ctx, flow, form) => {
      if (isClosed(registrar, ctx, flow)) return;
      const { register: texts } = flow.frame.messages.signIn;
      const { values, errors, registration, ...origin } = readRegisterForm(form, flow.frame.messages);
      if (registration === undefined) {
        await render(ctx, flow, { values, errors, status: 422 });
        return;
      }
      const counted = await count(options, ctx, { email: registration.email, proof: form.text('proof') });
      if (counted.problem !== undefined) {
        await render(ctx, flow, { values, status: counted.status, problem: texts.errors[counted.problem] });
        return;
      }
      const from = { clientId: flow.application?.clientId ?? null, address: clientAddress(ctx), ...counted };
      const { language } = flow.frame.messages;
      const outcome = await register(options, { registration: { ...registration, language }, ...origin, ...from });
      if (outcome instanceof Error) {
        await render(ctx, flow, { values, ...toState(outcome, flow), status: 422 });
        return;
      }
      const { account, isNew, isPending } = outcome;
      if (isPending) {
        redirectTo(ctx, flow.registerHref, pending);
        return;
      }
      if (isNew) events.registered({ ...toFlowEvent(flow, ctx), accountId: account.id });
      const owner = { accountId: account.id, isHidden: false, methods: ['pwd'] } as const;
      redirectTo(ctx, await secondFactor.completeWith(ctx, flow, owner));
    },
  };
}

async function renderForm(
  { registrar: { mode }, proofs }: RegisterStepOptions,
  ctx: Koa.Context,
  { flow, status = 200, ...state }: PageState & { readonly flow: SignInFlow },
): Promise<void> {
  const { frame, loginHref, application, purpose, leadsOut } = flow;
  const invitation = state.values?.invitation ?? readInvitation(ctx);
  const asks = asksOf(mode, invitation);
  const values = { ...state.values, invitation };
  const challenge = await proofs?.create();
  const page = <RegisterPage {...{ ...state, ...asks, values, frame, loginHref, application, purpose, challenge }} />;
  const { scripts } = frame.assets;
  const policy = challenge === undefined ? {} : { script: scripts['proof.js'], worker: scripts[proofWorker] };
  renderPage(ctx, page, { status, leadsOut, ...policy });
}

/** What the form asks besides the account. */
export function asksOf(mode: Registrar['mode'], invitation: string) {
  const asksInvitation = mode === 'invitation' || (mode === 'approval' && invitation !== '');
  return { asksInvitation, asksReason: mode === 'approval' && !asksInvitation };
}

type Counted =
  | { readonly lacksProof: boolean; readonly problem?: undefined }
  | { readonly problem: 'throttled' | 'proof'; readonly status: number };

/** Counts the attempt, and takes the proof. */
async function count(
  { throttle, proofs }: RegisterStepOptions,
  ctx: Koa.Context,
  { email, proof }: { readonly email: string; readonly proof: string },
): Promise<Counted> {
  const waitSeconds = await throttle.countRegistration(ctx, email);
  if (waitSeconds !== undefined) {
    ctx.set('Retry-After', String(waitSeconds));
    return { problem: 'throttled', status: 429 };
  }
  const state = (await proofs?.use(proof)) ?? 'given';
  return state === 'refused' ? { problem: 'proof', status: 422 } : { lacksProof: state === 'missing' };
}

async function register({ registrar, accounts }: RegisterStepOptions, attempt: Attempt): Promise<Outcome | Refusal> {
  try {
    return { ...(await registrar.register(attempt)), isNew: true };
  } catch (error) {
    if (error instanceof NameRefused || error instanceof RegistrationClosed || error instanceof RegistrationRefused) {
      return error;
    }
    if (!(error instanceof AccountTaken)) throw error;
    const account = await findJustRegistered(accounts, attempt.registration);
    return account === undefined ? error : { account, isPending: false, isNew: false };
  }
}

/** True after a response that nobody can register. */
function isClosed({ mode }: Registrar, ctx: Koa.Context, flow: SignInFlow): boolean {
  if (mode === 'closed') renderNotice(ctx, flow, mode);
  return mode === 'closed';
}

/** The code in the link of an invitation. */
export function readInvitation({ query }: Koa.Context): string {
  const { invitation } = query;
  return typeof invitation === 'string' ? invitation : '';
}

function renderNotice(ctx: Koa.Context, { frame, loginHref }: SignInFlow, kind: Notice): void {
  renderPage(ctx, <RegistrationNotice {...{ frame, loginHref, kind }} />, { status: kind === pending ? 200 : 403 });
}

/** What the page says about it. */
export function toState(refusal: Refusal, { frame }: SignInFlow): Pick<PageState, 'errors' | 'problem'> {
  const { errors } = frame.messages.signIn.register;
  if (refusal instanceof RegistrationRefused) return { problem: errors.refused };
  if (refusal instanceof NameRefused) return { errors: { first_name: frame.messages.names.errors[refusal.problem] } };
  if (refusal instanceof RegistrationClosed) return { errors: { invitation: errors.invitation } };
  const { fields } = refusal;
  return {
    errors: {
      ...(fields.includes('email') ? { email: errors.emailTaken } : {}),
      ...(fields.includes('username') ? { username: errors.usernameTaken } : {}),
    },
  };
}

/** Impatient double submissions arrive within this time. */
const repeatMs = 60_000;

/**
 * The account that the same form created a moment ago: submitting it twice acts once and signs in both times.
 * Returns undefined if the address or username belongs to another account.
 */
async function findJustRegistered(
  accounts: Pick<Accounts, 'checkCredentials'>,
  { email, password, firstName, lastName, username }: Registration,
  now: number = Date.now(),
): Promise<Account | undefined> {
  const account = await accounts.checkCredentials(email, password);
  if (account === undefined || now - account.createdAt.getTime() > repeatMs) return undefined;
  const isSame = account.firstName === firstName && account.lastName === lastName;
  return isSame && (username === undefined || account.username === username) ? account : undefined;
}
