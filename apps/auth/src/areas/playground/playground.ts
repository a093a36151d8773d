/**
 * The playground lets an owner run their application through its authorization and API requests. It sends real HTTP
 * requests. Each step is recorded before it is carried out, so that it happens once.
 */
import { hash, randomBytes } from 'node:crypto';

import { listTestPeople } from '@linnet/accounts/test-people-store';
import type { TestPerson } from '@linnet/accounts/test-people-store';
import type { Db } from '@linnet/db/database';
import type { Secret } from '@linnet/service/config/secret';

import type { OwnedApplication } from '@linnet/applications/application/application-store';
import type { Changed, MyApplications } from '@linnet/applications/my-applications';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AuthorizeTestPerson } from '../../protocol/grant/consent-grant.ts';
import type { SessionDb } from '../../sign-in/visit/session-db-store.ts';
import { authenticationOf, chooseSecret } from './begin.ts';
import type { BeginProblem, BeginRequest, ChosenSecret } from './begin.ts';
import type { Call } from './calls.ts';
import { authorizationRequest, callRequest, refreshRequest, revokeRequest, tokenRequest } from './requests.ts';
import type { Client } from './requests.ts';
import { withExchange, withSubmission } from './run.ts';
import type { Exchange, PlaygroundRequest, RunContent, Value } from './run.ts';
import type { RunKey } from './run-store.ts';
import { createRuns } from './runs.ts';
import type { OpenRun, Runs } from './runs.ts';
import { createSend } from './send.ts';
import type { Received, Secrets, Send } from './send.ts';

interface Step {
  /** Id of the form submission. */
  readonly mark: string;
  /** Client assertion of an application with keys; otherwise empty. */
  readonly assertion: string;
}

/** Does nothing if the step was taken before. */
export type TakeStep = (run: OpenRun, step: Step) => Promise<void>;

interface CallStep {
  readonly mark: string;
  readonly call: Call;
  readonly typed: Readonly<Record<string, string>>;
}

export interface Playground {
  readonly find: (key: RunKey) => Promise<OpenRun | undefined>;
  /** Replaces the previous run. */
  begin(owner: RunOwner, request: BeginRequest): Promise<readonly BeginProblem[] | 'begun' | 'made-secret'>;
  /** Takes an authorization response. Returns the client id, or undefined if no run of the account expects it. */
  finishAuthorization(accountId: number, parameters: URLSearchParams): Promise<string | undefined>;
  readonly requestToken: TakeStep;
  readonly refresh: TakeStep;
  readonly revoke: TakeStep;
  call(run: OpenRun, step: CallStep): Promise<void>;
}

interface PlaygroundOptions {
  readonly baseUrl: string;
  readonly db: Pick<Db, 'prisma' | 'query'>;
  readonly secretKeys: readonly Secret[];
  readonly applications: Pick<MyApplications, 'at'>;
  /** Resolves when every process accepts the redirect URI of the playground for the application. */
  readonly changed: Changed;
  readonly authorizeTestPerson: AuthorizeTestPerson;
}

interface Parts extends PlaygroundOptions {
  readonly runs: Runs;
  readonly send: Send;
}

export function createPlayground(options: PlaygroundOptions): Playground {
  const { baseUrl, db, secretKeys } = options;
  const parts: Parts = { ...options, runs: createRuns(db, secretKeys), send: createSend(baseUrl) };
  return {
    find: parts.runs.find,
    begin: async (owner, request) => await begin(parts, owner, request),
    finishAuthorization: async (accountId, parameters) => await finishAuthorization(parts, accountId, parameters),
    requestToken: async (run, step) => await requestToken(parts, run, step),
    refresh: async (run, step) =>
      await exchange(parts, run, { ...step, kind: 'refresh', take: withRefreshToken, request: refreshRequest }),
    revoke: async (run, step) =>
      await exchange(parts, run, { ...step, kind: 'revoke', take: withToken, request: revokeRequest }),
    call: async (run, { call, typed, mark }) => {
      const request = () => callRequest(call, typed, mark);
      await exchange(parts, run, { mark, kind: 'call', take: withToken, request, call: { id: call.route.id, typed } });
    },
  };
}

function withToken(content: RunContent): RunContent | undefined {
  return content.tokens === undefined ? undefined : content;
}

function withRefreshToken(content: RunContent): RunContent | undefined {
  return content.tokens?.refresh === undefined ? undefined : content;
}

const randomText = () => randomBytes(32).toString('base64url');

interface RunOwner {
  readonly accountId: number;
  readonly application: OwnedApplication;
  /** A new secret is stored with it. */
  readonly sessionDb: SessionDb;
}

async function begin(parts: Parts, owner: RunOwner, request: BeginRequest): ReturnType<Playground['begin']> {
  const { accountId, application, sessionDb } = owner;
  const { clientId } = application;
  const scope = application.scopes.filter((one) => request.scopes.includes(one)).join(' ');
  const problems = findProblems(application, request, scope);
  if (problems.length > 0) return problems;
  const person = await findTestPerson(parts.db, accountId, request);
  if (person === 'unknown') return ['person'];
  const earlier = await parts.runs.find({ accountId, clientId });
  if (earlier?.content.marks.includes(request.mark) === true) return 'begun';
  const applications = parts.applications.at(sessionDb);
  const chosen = await chooseSecret({ ...parts, applications, accountId, application, earlier }, request);
  if (chosen === 'repeated') return 'begun';
  if (typeof chosen === 'string') return [chosen];
  await startRun(parts, owner, { request, scope, chosen, person });
  const isMade = chosen.madeSecretEndsAt !== undefined && chosen.secret !== earlier?.content.secret;
  return isMade ? 'made-secret' : 'begun';
}

/** Undefined: the owner. */
async function findTestPerson(
  db: Pick<Db, 'query'>,
  ownerId: number,
  { flow, person }: BeginRequest,
): Promise<TestPerson | 'unknown' | undefined> {
  if (flow === 'application' || person === '') return undefined;
  return (await listTestPeople(db, ownerId)).find(({ id }) => String(id) === person) ?? 'unknown';
}

interface Start {
  readonly person: TestPerson | undefined;
  readonly request: BeginRequest;
  readonly scope: string;
  readonly chosen: ChosenSecret;
}

async function startRun(
  parts: Parts,
  { accountId, application }: RunOwner,
  { request, scope, person, chosen: { endsAt, ...secret } }: Start,
): Promise<void> {
  const { clientId } = application;
  const authentication = authenticationOf(application);
  const flow = request.flow === 'application' ? 'application' : 'person';
  const waiting = flow === 'person' && person === undefined ? { state: randomText() } : {};
  const known = { flow, scope, authentication, ...secret, ...waiting, verifier: randomText() } as const;
  const content = { ...known, marks: [request.mark], exchanges: [] };
  await parts.runs.start({ accountId, clientId, endsAt, content });
  await parts.changed(clientId);
  const run = await parts.runs.find({ accountId, clientId });
  if (run === undefined || waiting.state !== undefined) return;
  if (person !== undefined) await authorizeTestPerson(parts, run, person);
  else if (authentication !== 'keys') await requestToken(parts, run, { mark: randomText(), assertion: '' });
}

/** A test person has no password and is not asked: the code comes at once, instead of a consent page. */
async function authorizeTestPerson(parts: Parts, run: OpenRun, { id, username }: TestPerson): Promise<void> {
  const { clientId, content } = run;
  const code = await parts.authorizeTestPerson({
    ...{ accountId: id, clientId, scope: content.scope },
    redirectUri: `${parts.baseUrl}${pagePaths.playgroundCallback}`,
    codeChallenge: hash('sha256', content.verifier, 'base64url'),
  });
  const authorized = await parts.runs.change(run, (current) => ({ ...current, code, testPerson: username }));
  if (authorized === undefined || content.authentication === 'keys') return;
  await requestToken(parts, authorized, { mark: randomText(), assertion: '' });
}

function findProblems(
  { type, isPaused, isSuspended, protocol }: OwnedApplication,
  { flow }: BeginRequest,
  scope: string,
): readonly BeginProblem[] {
  if (isPaused || isSuspended) return ['paused'];
  // The playground sends neither pushed requests nor proofs.
  if (protocol.requirePushedAuthorizationRequests || protocol.dpopBoundAccessTokens) return ['needs-proof'];
  const isFlow = flow === 'person' || (flow === 'application' && type === 'confidential');
  return [...(isFlow ? [] : (['flow'] as const)), ...(scope === '' ? (['scopes'] as const) : [])];
}

/** Parameters of the authorization response that are shown. */
const shownParameters = ['code', 'state', 'iss', 'error', 'error_description'];
const maxParameterLength = 300;

async function finishAuthorization(
  parts: Parts,
  accountId: number,
  parameters: URLSearchParams,
): Promise<string | undefined> {
  const [state, another] = parameters.getAll('state');
  if (state === undefined || another !== undefined || parameters.get('iss') !== parts.baseUrl) return undefined;
  const run = await parts.runs.findByState(accountId, state);
  if (run === undefined) return undefined;
  const code = parameters.get('code') ?? undefined;
  const callback = shownParameters.flatMap((name): [string, Value][] => {
    const value = parameters.get(name);
    if (value === null) return [];
    return [[name, name === 'code' ? { variable: 'CODE' } : value.slice(0, maxParameterLength)]];
  });
  const client = { ...parts, clientId: run.clientId };
  const claimed = await parts.runs.change(run, (content) => {
    const request = authorizationRequest(client, content);
    if (request === undefined || content.state !== state) return undefined;
    const { state: _state, ...rest } = content;
    const next = code === undefined ? rest : { ...rest, code };
    return withExchange(next, { kind: 'authorize', request, answer: { callback } });
  });
  if (claimed === undefined) return undefined;
  // A code expires after a minute, so it is exchanged at once. Only the owner can sign the assertion of an application with keys.
  const canExchange = claimed.content.authentication !== 'keys' && code !== undefined;
  if (canExchange) await requestToken(parts, claimed, { mark: randomText(), assertion: '' });
  return run.clientId;
}

async function requestToken(parts: Parts, run: OpenRun, step: Step): Promise<void> {
  await exchange(parts, run, { ...step, kind: 'token', take: withoutCode, request: tokenRequest });
}

/** Returns undefined if a token cannot be requested now. */
function withoutCode({ code, ...content }: RunContent): RunContent | undefined {
  const isDue = content.flow === 'application' || code !== undefined;
  return isDue && content.tokens === undefined ? content : undefined;
}

interface Exchanging {
  readonly mark: string;
  readonly assertion?: string;
  readonly kind: Exclude<Exchange['kind'], 'authorize'>;
  /** Removes what the step uses up. Returns undefined if the step is not possible. */
  readonly take: (content: RunContent) => RunContent | undefined;
  readonly request: (client: Client, content: RunContent) => PlaygroundRequest;
  readonly call?: NonNullable<Exchange['call']>;
}

/** Carries out a step once, even if its form is submitted twice or another step uses up the same code or token. */
async function exchange(parts: Parts, run: OpenRun, step: Exchanging): Promise<void> {
  const { runs, send } = parts;
  let before: RunContent | undefined;
  const claimed = await runs.change(run, (content) => {
    before = content;
    const taken = step.take(content);
    return taken === undefined ? undefined : withSubmission(taken, `${step.kind} ${step.mark}`);
  });
  if (claimed === undefined || before === undefined) return;
  const { code } = before;
  const request = step.request({ ...parts, clientId: run.clientId }, before);
  const received = await send(request, secretsOf(before, step.assertion));
  await runs.change(claimed, (content) => {
    const tokens = tokensOf(received, content);
    const next = {
      ...content,
      ...(tokens === undefined ? {} : { tokens }),
      ...(code !== undefined && step.kind === 'token' && isCodeUnused(received) ? { code } : {}),
    };
    const { kind, call } = step;
    return withExchange(next, { kind, request, answer: received.answer, ...(call === undefined ? {} : { call }) });
  });
}

function secretsOf({ secret, code, verifier, tokens }: RunContent, assertion = ''): Secrets {
  return {
    CLIENT_ASSERTION: assertion,
    CODE_VERIFIER: verifier,
    ...(secret === undefined ? {} : { CLIENT_SECRET: secret }),
    ...(code === undefined ? {} : { CODE: code }),
    ...(tokens === undefined ? {} : { ACCESS_TOKEN: tokens.access }),
    ...(tokens?.refresh === undefined ? {} : { REFRESH_TOKEN: tokens.refresh }),
  };
}

/** The request failed before the code was used. */
const beforeCodeUse: ReadonlySet<unknown> = new Set(['invalid_client', 'invalid_request']);

/** Whether the code can be used again. */
function isCodeUnused({ status, json }: Received): boolean {
  return status === undefined || status >= 500 || beforeCodeUse.has(json['error']);
}

function tokensOf({ status, json }: Received, { tokens, scope }: RunContent): RunContent['tokens'] {
  const access = json['access_token'];
  if (status !== 200 || typeof access !== 'string') return undefined;
  const { refresh_token: refresh, id_token: id, scope: granted } = json;
  return {
    ...tokens,
    access,
    ...(typeof refresh === 'string' ? { refresh } : {}),
    ...(typeof id === 'string' ? { id } : {}),
    scope: typeof granted === 'string' ? granted : (tokens?.scope ?? scope),
  };
}
