import { createResponseCheck } from '@linnet/api/testing/documented-responses';
import { endpointTargets } from '@linnet/api/testing/endpoint-targets';
import { protocolTargets } from '@linnet/auth/testing/protocol-targets';
import { sendTo } from '@linnet/auth/testing/running-auth';
import fc from 'fast-check';

import { createClient, requestToken } from '../support/api-client.ts';
import { encodePairs, hostileRequests, toAddress } from '../security/hostile-requests.ts';
import type { HostileRequest, Target } from '../security/hostile-requests.ts';
import type { Answer } from './answers.ts';
import type { Run } from './scenario.ts';

const sentAtOnce = 16;
const generatedAtOnce = 2000;
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
const api = '/api/v2.0';

/** Sends `size` requests to the endpoints of both servers, in which parameters, headers or paths are changed. */
export async function sendGenerated({ world, answers, size, note }: Run): Promise<void> {
  // It may delete its account.
  const client = await createClient({ ...world.service().env, DATABASE_URL: world.databaseUrl }, 'chaos_guest');
  const { access_token: token } = (await requestToken(world.baseUrl, client)).body;
  const headers = { ...form, authorization: `Bearer ${String(token)}` };
  const targets: Target[] = [
    ...endpointTargets(1).map((target) => ({ ...target, headers })),
    ...protocolTargets(client).map((target) => ({ ...target, headers: form })),
  ];
  const { host, port } = new URL(world.baseUrl);
  const check = createResponseCheck(world.baseUrl);
  const sendOne = async (generated: HostileRequest) => {
    const { method, path } = generated;
    const isRead = method === 'GET';
    const address = isRead ? toAddress(generated) : path.replaceAll(' ', '%20');
    const body = isRead ? {} : { body: encodePairs(generated.pairs) };
    const sent = sendTo(Number(port), { method, path: address, headers: { ...generated.headers, host }, ...body });
    const answer = await answers.watch(path, sent.then(toAnswer));
    if (answer.status >= 500) answers.report(`${method} ${address}: ${String(answer.status)}`);
    if (!path.startsWith(`${api}/`)) return;
    try {
      const contentType = answer.headers.get('content-type') ?? '';
      check({
        target: `${method} ${path.slice(api.length)}`,
        status: answer.status,
        contentType,
        body: parse(answer.text),
      });
    } catch (error) {
      answers.report(`${method} ${address}: ${String(error)}`);
    }
  };
  for (let sent = 0; sent < size; sent += generatedAtOnce) {
    const numRuns = Math.min(generatedAtOnce, size - sent);
    const generated = fc.sample(hostileRequests(targets), { numRuns, seed: seed + sent });
    const requests = generated.values();
    const send = async () => {
      for (const request of requests) await sendOne(request);
    };
    await Promise.all(Array.from({ length: sentAtOnce }, send));
  }
  note(`${String(size)} requests to ${String(targets.length)} endpoints and methods, FUZZ_SEED=${String(seed)}`);
}

type SentAnswer = Awaited<ReturnType<typeof sendTo>>;

function toAnswer({ status, headers, text }: SentAnswer): Answer {
  return { status, headers: { get: (name) => String(headers[name] ?? '') || null }, text };
}

function parse(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
