import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

/** What a client does all the time while a service is upgraded: it gets and revokes tokens, posts, comments, likes and reads. */
export interface UpgradeLoad {
  /** Complete rounds, each with a post that has one comment and one like. */
  rounds(): number;
  /**
   * Statuses other than 200, with the request and its time; responses that are not what was posted; keyed writes that were not
   * replayed; revoked tokens that were accepted.
   */
  readonly mistakes: readonly string[];
  /** Milliseconds of the slowest request. */
  longestMs(): number;
  stop(): Promise<void>;
}

interface Client {
  readonly id: string;
  readonly secret: string;
}

/** Leaves the CPU to the processes that start. */
const pauseMs = 10;
const clients = 3;
/** A revoked token is rejected within a second (docs/evidence/guarantees.md). */
const revokedWithinMs = 1000;
const form = { 'content-type': 'application/x-www-form-urlencoded' };

export function startUpgradeLoad(baseUrl: string, client: Client): UpgradeLoad {
  const mistakes: string[] = [];
  const stopping = new AbortController();
  const calls = openCalls(baseUrl, client);
  const refusals = new Set<Promise<void>>();
  let rounds = 0;
  const note = (error: unknown) => void mistakes.push(inspect(error));
  const work = async (number: number) => {
    while (!stopping.signal.aborted) {
      const refusal = revokeToken(baseUrl, calls).catch(note);
      refusals.add(refusal);
      void refusal.finally(() => refusals.delete(refusal));
      await writeAndRead(calls, `Round ${String(rounds)} of ${String(number)}`).then(() => void (rounds += 1), note);
      await delay(pauseMs);
    }
  };
  const working = Promise.all(Array.from({ length: clients }, (_, number) => work(number)));
  return {
    rounds: () => rounds,
    mistakes,
    longestMs: calls.longestMs,
    stop: async () => {
      stopping.abort();
      await working;
      await Promise.all(refusals);
    },
  };
}

type Calls = ReturnType<typeof openCalls>;

/** Requests that must succeed. */
function openCalls(baseUrl: string, { id, secret }: Client) {
  const startedAt = performance.now();
  const basic = { ...form, authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
  let longestMs = 0;
  const send = async (path: string, headers: Readonly<Record<string, string>>, body?: string) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sentAt = performance.now();
    const sent = { method, headers: { accept: 'application/json', ...headers }, body: body ?? null };
    const response = await fetch(baseUrl + path, sent);
    const text = await response.text();
    const tookMs = performance.now() - sentAt;
    longestMs = Math.max(longestMs, tookMs);
    if (response.status === 200) return text;
    const at = `${(sentAt - startedAt).toFixed(0)} ms, for ${tookMs.toFixed(0)} ms`;
    throw new Error(`${method} ${path} at ${at}: ${String(response.status)} ${text}`);
  };
  const requestToken = async () => {
    const { access_token: token }: { access_token: string } = JSON.parse(
      await send('/oauth/token', basic, 'grant_type=client_credentials'),
    );
    return token;
  };
  return {
    send,
    requestToken,
    revoke: async (token: string) => await send('/oauth/revoke', basic, `token=${token}`),
    longestMs: () => longestMs,
  };
}

/** A post with one comment and one like, its repetition with the same key, and reads. */
async function writeAndRead({ send, requestToken }: Calls, message: string): Promise<void> {
  const bearer = { authorization: `Bearer ${await requestToken()}`, 'content-type': 'application/json' };
  const write = async (path: string, content: object, headers = {}) =>
    await send(`/api/v2.0${path}`, { ...bearer, ...headers }, JSON.stringify(content));
  const key = { 'idempotency-key': randomUUID() };
  const created = await write('/post/create', { message }, key);
  const item = { item_id: /"id":(\d+)/.exec(created)?.[1] ?? '', type: 'post' };
  await write('/comment/create', { ...item, text: message });
  await write('/likes/add', item);
  const shown = await send(`/api/v2.0/post/show?id=${item.item_id}`, bearer);
  if (!shown.includes(JSON.stringify(message))) throw new Error(`post ${item.item_id}: ${shown}`);
  const repeated = await write('/post/create', { message }, key);
  if (repeated !== created) throw new Error(`${created} was repeated, with the response ${repeated}`);
  await send('/api/v2.0/feed', bearer);
}

async function revokeToken(baseUrl: string, { requestToken, revoke }: Calls): Promise<void> {
  const token = await requestToken();
  await revoke(token);
  await delay(revokedWithinMs);
  const { status } = await fetch(`${baseUrl}/api/v2.0/feed`, { headers: { authorization: `Bearer ${token}` } });
  if (status !== 401) throw new Error(`a revoked token got ${String(status)}`);
}
