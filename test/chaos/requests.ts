import { request as openRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { createResponseCheck } from '../support/api/documented-responses.ts';
import { endpointTargets, streamTargets } from '../support/api/endpoint-targets.ts';
import { protocolTargets } from '../support/auth/protocol-targets.ts';
import { sendTo } from '../support/auth/running-auth.ts';
import fc from 'fast-check';

import { createClient, requestToken } from '../support/api-client.ts';
import { encodePairs, hostileRequests, toAddress } from '../security/hostile-requests.ts';
import type { HostileRequest, Target } from '../security/hostile-requests.ts';
import type { Answer, Answers } from './answers.ts';
import type { Run } from './scenario.ts';

/** On a busy machine most of a request is waiting. */
const sentAtOnce = 64;
const generatedAtOnce = 500;
/** A busy machine makes the service overloaded, which it says with 503. A request is then sent again, up to this often. */
const maxTries = 50;
const retryMs = 200;
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
const streamType = 'text/event-stream';
const api = '/api/v2.0';

/** Sends `size` requests to the endpoints of both servers, in which parameters, headers or paths are changed. */
export async function sendGenerated({ world, answers, size, note }: Run): Promise<void> {
  // It may delete its account.
  const client = await createClient({ ...world.service().env, DATABASE_URL: world.databaseUrl }, 'chaos_guest');
  const { access_token: token } = (await requestToken(world.baseUrl, client)).body;
  const headers = { ...form, authorization: `Bearer ${String(token)}` };
  const targets: Target[] = [
    ...endpointTargets(1).map((target) => ({ ...target, headers })),
    ...streamTargets.map((target) => ({ ...target, headers: { ...headers, accept: streamType } })),
    ...protocolTargets(client).map((target) => ({ ...target, headers: form })),
  ];
  const { host, port } = new URL(world.baseUrl);
  const check = createResponseCheck(world.baseUrl);
  const send = async ({ method, path, ...generated }: HostileRequest) => {
    const isRead = method === 'GET';
    const address = isRead ? toAddress({ path, ...generated }) : path.replaceAll(' ', '%20');
    const body = isRead ? {} : { body: encodePairs(generated.pairs) };
    // On new connections: on a busy machine, this process may use one that the service closes at the moment.
    const sent = { ...generated.headers, host, connection: 'close' };
    const request = { method, path: address, headers: sent, ...body };
    const answer = await sendUntilServed(answers, Number(port), request);
    if (answer.status >= 500) answers.report(`${method} ${address}: ${String(answer.status)}`);
    const contentType = answer.headers.get('content-type') ?? '';
    if (!path.startsWith(`${api}/`) || (isStream(path) && contentType.startsWith(streamType))) return;
    const target = `${method} ${path.slice(api.length)}`;
    try {
      check({ target, status: answer.status, contentType, body: parse(answer.text) });
    } catch (error) {
      answers.report(`${method} ${address}: ${String(error)}`);
    }
  };
  const requests = generate(targets, size);
  const sendAll = async () => {
    for (const request of requests) await send(request);
  };
  await Promise.all(Array.from({ length: sentAtOnce }, sendAll));
  note(`${String(size)} requests to ${String(targets.length)} endpoints and methods, FUZZ_SEED=${String(seed)}`);
}

/** Those who send share it: each takes the next one. */
function* generate(targets: readonly Target[], size: number): Generator<HostileRequest> {
  for (let done = 0; done < size; done += generatedAtOnce) {
    const numRuns = Math.min(generatedAtOnce, size - done);
    yield* fc.sample(hostileRequests(targets), { numRuns, seed: seed + done });
  }
}

/** Every 503 is counted, and must be documented. */
async function sendUntilServed(answers: Answers, port: number, request: SentRequest): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const sent = isStream(request.path) ? sendToStream(port, request) : sendTo(port, request).then(toAnswer);
    const answer = await answers.watch(request.path, sent);
    if (answer.status !== 503 || tries === maxTries) return answer;
    await delay(retryMs);
  }
}

function isStream(path: string): boolean {
  return streamTargets.some((target) => path.replace(/\?.*$/s, '') === target.path);
}

/** Closes the response when its head is there, because it would stay open. An error is read. */
async function sendToStream(port: number, { method, path, headers }: SentRequest): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    openRequest({ host: '127.0.0.1', port, method, path, headers }, resolve).on('error', reject).end();
  });
  const { statusCode: status = 0, headers: received } = response;
  if (status === 200) response.destroy();
  return {
    status,
    headers: { get: (name) => String(received[name] ?? '') || null },
    text: status === 200 ? '' : await readText(response),
  };
}

type SentRequest = Parameters<typeof sendTo>[1];
type SentAnswer = Awaited<ReturnType<typeof sendTo>>;

function toAnswer({ status, headers, text }: SentAnswer): Answer {
  return { status, headers: { get: (name) => String(headers[name] ?? '') || null }, text };
}

function parse(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
