/**
 * The playground: an application runs through its own authorization and calls, as its owner tries it. Requests
 * are those of any program, sent over HTTP; each step is written down before it is taken, so that it is taken once.
 */
import { randomBytes } from 'node:crypto';

import type { Db } from '@linnet/db/database';
import type { Secret } from '@linnet/service/secret';

import type { OwnedApplication } from '@linnet/applications/application-store';
import type { Changed, MyApplications } from '@linnet/applications/my-applications';
import { authenticationOf, chooseSecret } from './begin.ts';
import type { BeginProblem, BeginRequest, ChosenSecret } from './begin.ts';
import type { Call } from './calls.ts';
import { authorizationRequest, callRequest, refreshRequest, revokeRequest, tokenRequest } from './requests.ts';
import type { Asking } from './requests.ts';
import { withExchange, withMark } from './run.ts';
import type { Exchange, PlaygroundRequest, RunContent, Value } from './run.ts';
import type { RunKey } from './run-store.ts';
import { createRuns } from './runs.ts';
import type { OpenRun, Runs } from './runs.ts';
import { createSend } from './send.ts';
import type { Received, Secrets, Send } from './send.ts';

/** A step that a form asks for; `assertion` is that of an application with keys of its own. */
interface Step {
  readonly mark: string;
  readonly assertion: string;
}

/** What a form asks of a run; one that was taken before is not taken again. */
export type TakeStep = (run: OpenRun, step: Step) => Promise<void>;

interface CallStep {
  readonly mark: string;
  readonly call: Call;
  readonly typed: Readonly<Record<string, string>>;
}

export interface Playground {
  readonly find: (key: RunKey) => Promise<OpenRun | undefined>;
  /** Begins a run in the place of the one before, or says what is wrong. */
  begin(
    accountId: number,
    application: OwnedApplication,
    request: BeginRequest,
  ): Promise<readonly BeginProblem[] | 'begun' | 'made-secret'>;
  /** A browser came back with the answer to an authorization; the application, or undefined when nobody waits for it. */
  comeBack(accountId: number, parameters: URLSearchParams): Promise<string | undefined>;
  readonly askForToken: TakeStep;
  readonly refresh: TakeStep;
  readonly revoke: TakeStep;
  call(run: OpenRun, step: CallStep): Promise<void>;
}

interface PlaygroundOptions {
  readonly baseUrl: string;
  readonly db: Pick<Db, 'query'>;
  readonly secretKeys: readonly Secret[];
  readonly applications: Pick<MyApplications, 'addSecret'>;
  /** Resolves when every process accepts that the application sends people back here. */
  readonly changed: Changed;
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
    begin: async (accountId, application, request) => await begin(parts, { accountId, application }, request),
    comeBack: async (accountId, parameters) => await comeBack(parts, accountId, parameters),
    askForToken: async (run, step) => await askForToken(parts, run, step),
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

interface Whose {
  readonly accountId: number;
  readonly application: OwnedApplication;
}

async function begin(parts: Parts, whose: Whose, request: BeginRequest): ReturnType<Playground['begin']> {
  const { accountId, application } = whose;
  const { clientId } = application;
  const scope = application.scopes.filter((one) => request.scopes.includes(one)).join(' ');
  const problems = findProblems(application, request, scope);
  if (problems.length > 0) return problems;
  const earlier = await parts.runs.find({ accountId, clientId });
  if (earlier?.content.marks.includes(request.mark) === true) return 'begun';
  const chosen = await chooseSecret({ ...parts, accountId, application, earlier }, request);
  if (chosen === 'repeated') return 'begun';
  if (typeof chosen === 'string') return [chosen];
  await startRun(parts, whose, { request, scope, chosen });
  const isMade = chosen.madeSecretEndsAt !== undefined && chosen.secret !== earlier?.content.secret;
  return isMade ? 'made-secret' : 'begun';
}

interface Start {
  readonly request: BeginRequest;
  readonly scope: string;
  readonly chosen: ChosenSecret;
}

async function startRun(
  parts: Parts,
  { accountId, application }: Whose,
  { request, scope, chosen: { endsAt, ...secret } }: Start,
): Promise<void> {
  const { clientId } = application;
  const authentication = authenticationOf(application);
  const flow = request.flow === 'application' ? 'application' : 'person';
  const waiting = flow === 'person' ? { state: randomText() } : {};
  const known = { flow, scope, authentication, ...secret, ...waiting, verifier: randomText() } as const;
  const content = { ...known, marks: [request.mark], exchanges: [] };
  await parts.runs.start({ accountId, clientId, endsAt, content });
  await parts.changed(clientId);
  if (flow === 'person' || authentication === 'keys') return;
  const run = await parts.runs.find({ accountId, clientId });
  if (run !== undefined) await askForToken(parts, run, { mark: randomText(), assertion: '' });
}

function findProblems(
  { type, isPaused, isSuspended }: OwnedApplication,
  { flow }: BeginRequest,
  scope: string,
): readonly BeginProblem[] {
  if (isPaused || isSuspended) return ['paused'];
  const isFlow = flow === 'person' || (flow === 'application' && type === 'confidential');
  return [...(isFlow ? [] : (['flow'] as const)), ...(scope === '' ? (['scopes'] as const) : [])];
}

/** What of the answer is shown, each at most so long. */
const told = ['code', 'state', 'iss', 'error', 'error_description'];
const maxTold = 300;

async function comeBack(parts: Parts, accountId: number, parameters: URLSearchParams): Promise<string | undefined> {
  const [state, another] = parameters.getAll('state');
  if (state === undefined || another !== undefined || parameters.get('iss') !== parts.baseUrl) return undefined;
  const run = await parts.runs.findByState(accountId, state);
  if (run === undefined) return undefined;
  const code = parameters.get('code') ?? undefined;
  const callback = told.flatMap((name): [string, Value][] => {
    const value = parameters.get(name);
    if (value === null) return [];
    return [[name, name === 'code' ? { variable: 'CODE' } : value.slice(0, maxTold)]];
  });
  const asking = { ...parts, clientId: run.clientId };
  const claimed = await parts.runs.change(run, (content) => {
    const request = authorizationRequest(asking, content);
    if (request === undefined || content.state !== state) return undefined;
    const { state: _state, ...rest } = content;
    const next = code === undefined ? rest : { ...rest, code };
    return withExchange(next, { kind: 'authorize', request, answer: { callback } });
  });
  if (claimed === undefined) return undefined;
  // A code lives for a minute: it is exchanged at once, as programs do it.
  const isOurs = claimed.content.authentication !== 'keys' && code !== undefined;
  if (isOurs) await askForToken(parts, claimed, { mark: randomText(), assertion: '' });
  return run.clientId;
}

async function askForToken(parts: Parts, run: OpenRun, step: Step): Promise<void> {
  await exchange(parts, run, { ...step, kind: 'token', take: withoutCode, request: tokenRequest });
}

/** Undefined where no token is due. */
function withoutCode({ code, ...content }: RunContent): RunContent | undefined {
  const isDue = content.flow === 'application' || code !== undefined;
  return isDue && content.tokens === undefined ? content : undefined;
}

interface Exchanging {
  readonly mark: string;
  readonly assertion?: string;
  readonly kind: Exclude<Exchange['kind'], 'authorize'>;
  /** The run without what the step uses up; undefined when it cannot be taken. */
  readonly take: (content: RunContent) => RunContent | undefined;
  readonly request: (asking: Asking, content: RunContent) => PlaygroundRequest;
  readonly call?: NonNullable<Exchange['call']>;
}

/** Takes a step once: the first of those that send its form, and of those that use up the same. */
async function exchange(parts: Parts, run: OpenRun, step: Exchanging): Promise<void> {
  const { runs, send } = parts;
  let before: RunContent | undefined;
  const claimed = await runs.change(run, (content) => {
    before = content;
    const taken = step.take(content);
    return taken === undefined ? undefined : withMark(taken, `${step.kind} ${step.mark}`);
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
      ...(code !== undefined && step.kind === 'token' && isUnspent(received) ? { code } : {}),
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

/** Who asked was refused before anybody looked at the code. */
const beforeTheCode: ReadonlySet<unknown> = new Set(['invalid_client', 'invalid_request']);

/** Whether the code may be tried again. */
function isUnspent({ status, json }: Received): boolean {
  return status === undefined || status >= 500 || beforeTheCode.has(json['error']);
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
