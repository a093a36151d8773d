import { randomBytes } from 'node:crypto';

import { AccountTaken } from '@linnet/accounts/account';
import { applyRoleRule, findAddressOwner, linkIdentity, useIdentity } from '@linnet/accounts/identity-store';
import { NameRefused } from '@linnet/accounts/names/name-rules';
import { RegistrationClosed, RegistrationRefused } from '@linnet/accounts/registrations/registrar';
import type { Registrar } from '@linnet/accounts/registrations/registrar';
import type { Db } from '@linnet/db/database';
import type { SignInProvider } from '@linnet/service/config/variables';
import type Koa from 'koa';

import { createForm } from '../../pages/form/form.ts';
import type { Form } from '../../pages/form/form.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { toFlowEvent } from '../flow/sign-in-flow.ts';
import type { ProvenOwner, SignInFlow, SignInStep } from '../flow/sign-in-flow.ts';
import { readRegisterForm } from '../register/register-form.ts';
import { RegisterPage, RegistrationNotice } from '../register/register-page.tsx';
import type { RegisterPageProps } from '../register/register-page.tsx';
import { asksOf, readInvitation, toState } from '../register/register-step.tsx';
import type { RegisterStepOptions } from '../register/register-step.tsx';
import type { SecondFactorStep } from '../second-factor/second-factor-step.tsx';
import { ReauthenticatePage } from '../step-up/reauthenticate-page.tsx';
import { noForm, verifyProof } from '../step-up/step-up.tsx';
import type { ProofOptions, Rejection } from '../step-up/step-up.tsx';
import { UpstreamProblemPage, problemStatus, providerField } from './upstream-page.tsx';
import type { UpstreamProblem } from './upstream-page.tsx';
import { ProviderFailed } from './upstream-client.ts';
import { toIdentity, toUpstreamSignIn } from './upstream.ts';
import type { Upstream, UpstreamPerson } from './upstream.ts';

export interface UpstreamStepOptions extends ProofOptions, Pick<RegisterStepOptions, 'events' | 'clientAddress'> {
  readonly throttle: ProofOptions['throttle'] & RegisterStepOptions['throttle'];
  readonly db: Db;
  readonly upstream: Upstream;
  /** By the id of the provider: the stricter of REGISTRATION and its own rule. */
  readonly registrars: ReadonlyMap<string, Registrar>;
  readonly secondFactorStep: Pick<SecondFactorStep, 'completeWith'>;
}

interface Request {
  readonly ctx: Koa.Context;
  readonly flow: SignInFlow;
  readonly person: UpstreamPerson;
  readonly provider: SignInProvider;
}

/** Leads to the provider whose button was pressed. */
export async function beginUpstream(
  { upstream, events }: Pick<UpstreamStepOptions, 'upstream' | 'events'>,
  { ctx, flow }: Pick<Request, 'ctx' | 'flow'>,
  form: Form,
): Promise<void> {
  const { upstreamHref: next, loginHref: back, maxAge } = flow;
  try {
    const loginHint = await findProviderHint(flow);
    redirectTo(ctx, await upstream.begin(ctx, form.text(providerField), { next, back, maxAge, loginHint }));
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error;
    events.signInRefused({ ...toFlowEvent(flow, ctx), reason: 'provider', problem: error.message });
    renderProblem({ ctx, flow }, error.problem);
  }
}

/** The `login_hint` of the application, if it is an address: a provider does not know the names of accounts here. */
async function findProviderHint(flow: SignInFlow): Promise<string | undefined> {
  const hint = await flow.findLoginHint();
  return hint?.includes('@') === true ? hint : undefined;
}

/**
 * Continues with somebody who came back from a provider: signs in whom it is linked to, asks for a proof if another account has the
 * address, or registers an account.
 */
export function createUpstreamStep(options: UpstreamStepOptions): SignInStep {
  const { upstream } = options;
  const enter = (ctx: Koa.Context, flow: SignInFlow): Request | undefined => {
    const person = upstream.find(ctx);
    const provider = upstream.providers.find(({ issuer }) => issuer === person?.issuer);
    if (person !== undefined && provider !== undefined && person.signedIn === undefined) {
      return { ctx, flow, person, provider };
    }
    redirectTo(ctx, flow.loginHref);
    return undefined;
  };
  return {
    show: async (ctx, flow) => {
      const request = enter(ctx, flow);
      if (request === undefined || (await signInOwner(options, request))) return;
      const owner = await findOwner(options, request);
      if (owner !== undefined) await renderLink(options, request, { ...owner, status: 200 });
      else if (mayRegister(options, request)) renderRegister(options, request, {});
    },
    submit: async (ctx, flow, form) => {
      const request = enter(ctx, flow);
      if (request === undefined || (await signInOwner(options, request))) return;
      const owner = await findOwner(options, request);
      if (owner !== undefined) await link(options, request, { ...owner, form });
      else if (mayRegister(options, request)) await register(options, request, form);
    },
  };
}

/** False if the person is linked to no account. */
async function signInOwner(options: UpstreamStepOptions, request: Request): Promise<boolean> {
  const { person } = request;
  const owner = await useIdentity(options.db, toIdentity(person));
  if (owner === undefined) return false;
  const { accountId, isHidden, isWaiting } = owner;
  if (isWaiting) renderWaiting(options, request);
  else await signIn(options, request, { accountId, isHidden, methods: person.methods });
  return true;
}

function renderWaiting({ upstream }: UpstreamStepOptions, { ctx, flow: { frame, loginHref } }: Request): void {
  upstream.end(ctx);
  renderPage(ctx, <RegistrationNotice {...{ frame, loginHref, kind: 'pending' }} />);
}

async function signIn(
  { db, upstream, secondFactorStep }: UpstreamStepOptions,
  { ctx, flow, person }: Request,
  owner: Omit<ProvenOwner, 'upstream'>,
): Promise<void> {
  if (person.isOperator !== undefined) await applyRoleRule(db, toIdentity(person), person.isOperator);
  upstream.end(ctx);
  redirectTo(ctx, await secondFactorStep.completeWith(ctx, flow, { ...owner, upstream: toUpstreamSignIn(person) }));
}

interface Owner {
  readonly accountId: number;
  readonly username: string;
  readonly isProven: boolean;
}

/** The account that has the address, if the provider proved it. */
async function findOwner({ db }: UpstreamStepOptions, { person: { email } }: Request): Promise<Owner | undefined> {
  return email === undefined ? undefined : await findAddressOwner(db, email);
}

async function link(
  options: UpstreamStepOptions,
  request: Request,
  { form, ...owner }: Owner & { readonly form: Form },
): Promise<void> {
  const { ctx, flow, person, provider } = request;
  const { accountId, username } = owner;
  const proof = await verifyProof(
    options,
    { ctx, frame: flow.frame, viewer: { username }, session: { accountId } },
    form,
  );
  if ('rejection' in proof) {
    const { reason, waitSeconds } = proof.rejection;
    options.events.signInRefused({ ...toFlowEvent(flow, ctx), reason });
    if (waitSeconds !== undefined) ctx.set('Retry-After', String(waitSeconds));
    await renderLink(options, request, {
      ...owner,
      rejection: proof.rejection,
      status: waitSeconds === undefined ? 422 : 429,
    });
  } else if (!owner.isProven) await renderLink(options, request, { ...owner, status: 403 });
  else if (await linkIdentity(options.db, accountId, { ...toIdentity(person), name: provider.name })) {
    // What was proved here counts, and not what the provider says.
    const proven = { ...person, acr: undefined, authTime: undefined };
    await signIn(options, { ...request, person: proven }, { accountId, isHidden: false, methods: proof.methods });
  } else if (!(await signInOwner(options, request))) renderProblem(request, 'taken');
}

interface LinkState extends Owner {
  readonly status: number;
  readonly rejection?: Rejection;
}

/** An account that never confirmed its address may be of somebody else: a new password by mail proves that it is not. */
async function renderLink(
  { passkeys, secondFactor }: UpstreamStepOptions,
  { ctx, flow, provider, person }: Request,
  { accountId, username, isProven, status, rejection }: LinkState,
): Promise<void> {
  const { frame } = flow;
  const passkeyOptions = isProven ? await passkeys.createSignInOptions(frame.csrfToken(), accountId) : undefined;
  const asksCode = (await secondFactor.find(accountId)) !== undefined;
  const found = { name: provider.name, email: person.email ?? '', isProven };
  const reason = rejection?.field ?? rejection?.reason;
  const page = (
    <ReauthenticatePage
      {...{ frame, username, passkeyOptions, asksCode, asksPassword: isProven }}
      {...{ sealedForm: noForm, rejection: reason, link: found }}
    />
  );
  const script = passkeyOptions === undefined ? undefined : frame.assets.scripts['passkeys.js'];
  renderPage(ctx, page, { status, script, leadsOut: flow.leadsOut });
}

/** False after a response that there can be no account for the person. */
function mayRegister({ registrars }: UpstreamStepOptions, request: Request): boolean {
  const { person, provider } = request;
  const problem = registrars.get(provider.id)?.mode === 'closed' ? 'no-account' : 'unproven';
  if (problem === 'unproven' && person.email !== undefined) return true;
  renderProblem(request, problem);
  return false;
}

type RegisterState = Pick<RegisterPageProps, 'values' | 'errors' | 'problem'> & { readonly status?: number };

function renderRegister(
  { registrars }: UpstreamStepOptions,
  { ctx, flow, person, provider }: Request,
  { status = 200, values, ...state }: RegisterState,
): void {
  const { frame, loginHref, application, leadsOut } = flow;
  const { firstName: first_name, lastName: last_name, username, email = '' } = person;
  const invitation = values?.invitation ?? readInvitation(ctx);
  const filled = { first_name, last_name, username: username.length < 5 ? '' : username, ...values, invitation };
  const asks = asksOf(registrars.get(provider.id)?.mode ?? 'closed', invitation);
  const upstream = { name: provider.name, email };
  const page = <RegisterPage {...{ ...state, ...asks, values: filled, frame, loginHref, application, upstream }} />;
  renderPage(ctx, page, { status, leadsOut });
}

async function register(options: UpstreamStepOptions, request: Request, form: Form): Promise<void> {
  const { throttle, events } = options;
  const { ctx, flow, person, provider } = request;
  const { email = '' } = person;
  const given = form.pairs.filter(([name]) => name !== 'email' && name !== 'password');
  // Nobody knows it, and it is not stored: the account has no password.
  const password = randomBytes(24).toString('base64url');
  const complete = createForm([...given, ['email', email], ['password', password]]);
  const { values, errors, registration, ...origin } = readRegisterForm(complete, flow.frame.messages);
  if (registration === undefined) {
    renderRegister(options, request, { values, errors, status: 422 });
    return;
  }
  const waitSeconds = await throttle.countRegistration(ctx, email);
  if (waitSeconds !== undefined) {
    ctx.set('Retry-After', String(waitSeconds));
    renderRegister(options, request, {
      values,
      problem: flow.frame.messages.signIn.register.errors.throttled,
      status: 429,
    });
    return;
  }
  const { language } = flow.frame.messages;
  const from = { clientId: flow.application?.clientId ?? null, address: options.clientAddress(ctx) };
  const attempt = { registration: { ...registration, language, isEmailProven: true }, ...origin, ...from };
  const outcome = await create(options, { attempt, person, provider }).catch(refusalOf);
  if (outcome instanceof Error) renderRegister(options, request, { values, ...toState(outcome, flow), status: 422 });
  else if (outcome.isPending) renderWaiting(options, request);
  else {
    const { id: accountId } = outcome.account;
    events.registered({ ...toFlowEvent(flow, ctx), accountId });
    await signIn(options, request, { accountId, isHidden: false, methods: person.methods });
  }
}

type Creation = Pick<Request, 'person' | 'provider'> & { readonly attempt: Parameters<Registrar['admit']>[0] };

/** The account and whom it is linked to come together. Undefined if the person is linked to an account already. */
async function create({ db, registrars }: UpstreamStepOptions, { attempt, person, provider }: Creation) {
  const registrar = registrars.get(provider.id);
  if (registrar === undefined) throw new RegistrationClosed('closed');
  const admitted = await registrar.admit(attempt);
  return await db.transaction(async (tx) => {
    const within = {
      query: tx.query.bind(tx),
      transaction: async <R,>(work: (of: typeof tx) => Promise<R>) => await work(tx),
    };
    const registered = await registrar.registerWithin(within, admitted, '-');
    const isLinked = await linkIdentity(tx, registered.account.id, { ...toIdentity(person), name: provider.name });
    if (!isLinked) throw new AccountTaken(['email']);
    return registered;
  });
}

function refusalOf(error: unknown): AccountTaken | NameRefused | RegistrationClosed | RegistrationRefused {
  if (error instanceof AccountTaken || error instanceof NameRefused) return error;
  if (error instanceof RegistrationClosed || error instanceof RegistrationRefused) return error;
  throw error;
}

function renderProblem({ ctx, flow }: Pick<Request, 'ctx' | 'flow'>, problem: UpstreamProblem): void {
  const page = <UpstreamProblemPage frame={flow.frame} problem={problem} back={flow.loginHref} />;
  renderPage(ctx, page, { status: problemStatus[problem] });
}
