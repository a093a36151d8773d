import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Answers } from './answers.ts';
import type { Calls } from './calls.ts';
import type { Ledger } from './ledger.ts';

/** People who write 200 times a second, repeat what failed, and revoke tokens. */
export interface Load {
  /** Starts nothing new, and waits until every write is acknowledged. */
  stop(): Promise<void>;
}

interface LoadOptions {
  readonly answers: Answers;
  readonly calls: Calls;
  readonly ledger: Ledger;
}

const writesPerSecond = 200;
const writers = 24;
const keptWrites = 20;
const revokeEveryMs = 200;
/** A revoked token is rejected within a second (docs/evidence/guarantees.md). */
const revokedWithinMs = 1000;

export function startLoad(options: LoadOptions): Load {
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;
  const awaitTurn = createTurns();
  const running = [
    ...Array.from({ length: writers }, async () => await keepWriting(options, { awaitTurn, isStopped })),
    keepRevoking(options, isStopped),
  ];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Waits for the next of 200 turns a second. Those that an outage takes are not made up for. */
function createTurns(): () => Promise<void> {
  let dueAt = performance.now();
  return async () => {
    const waitMs = dueAt - performance.now();
    dueAt = Math.max(dueAt, performance.now() - 1000) + 1000 / writesPerSecond;
    if (waitMs > 0) await delay(waitMs);
  };
}

interface Pace {
  readonly awaitTurn: () => Promise<void>;
  readonly isStopped: () => boolean;
}

/** Posts. Likes every fourth post, and no longer likes every eighth. */
async function keepWriting({ calls, ledger }: LoadOptions, { awaitTurn, isStopped }: Pace): Promise<void> {
  const write = async (path: string, content: object) => {
    await awaitTurn();
    const written = await calls.write(path, content);
    if (written !== undefined && ledger.keyed.push(written) > keptWrites) ledger.keyed.shift();
    return written;
  };
  for (let turn = 0; !isStopped(); turn += 1) {
    const message = `${ledger.prefix} ${randomUUID()}`;
    const written = await write('/api/v2.0/post/create', { message });
    if (written === undefined) continue;
    const { items: post }: { items: { id: number } } = JSON.parse(written.response);
    ledger.posts.set(message, post.id);
    const item = { item_id: post.id, type: 'post' };
    if (turn % 4 === 0 && (await write('/api/v2.0/likes/add', item)) !== undefined) ledger.likes.set(post.id, true);
    if (turn % 8 === 0 && (await write('/api/v2.0/likes/delete', item)) !== undefined) ledger.likes.set(post.id, false);
  }
}

/** Revokes tokens, and tries those that were revoked again and again. */
async function keepRevoking({ answers, calls, ledger }: LoadOptions, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const token = await calls.requestToken();
    await calls.tryToken(token);
    if (await calls.revoke(token)) ledger.revoked.push({ token, at: performance.now() });
    const tried = ledger.revoked[Math.floor(Math.random() * ledger.revoked.length)];
    const isKnown = performance.now() - (tried?.at ?? Infinity) > revokedWithinMs;
    if (tried !== undefined && (await calls.tryToken(tried.token)) === 200 && isKnown) {
      answers.report('a revoked token was accepted');
    }
    await delay(revokeEveryMs);
  }
}
