import type { Redis } from 'ioredis';

/** Which accounts and applications have just written something, for all processes of all hosts. */
export interface WriteMarks {
  /** Marks a caller for two seconds. Rejects if the cache does not respond. */
  readonly add: (caller: number | string) => Promise<void>;
  /** Whether the caller is marked. Calls of one turn of the event loop are one command. Rejects if the cache does not respond. */
  readonly has: (caller: number | string) => Promise<boolean>;
  /**
   * Whether a caller without a mark has not written for a second: false for two seconds after the connection began, since the
   * server may have been restarted without its marks.
   */
  readonly areComplete: () => boolean;
}

/** Twice as long as a replica may be behind, so that delays of messages do not matter. */
const markMs = 2000;

/** Marks are keys `<prefix>:wrote:<caller>` that expire. */
export function createWriteMarks(client: Redis, prefix: string): WriteMarks {
  const toKey = (caller: number | string) => `${prefix}:wrote:${String(caller)}`;
  let readyAt = Infinity;
  client.on('ready', () => (readyAt = performance.now()));
  client.on('close', () => (readyAt = Infinity));
  return {
    add: async (caller) => {
      await client.set(toKey(caller), '', 'PX', markMs);
    },
    has: collectTurns(async (callers) => {
      const found = await client.mget(callers.map(toKey));
      return found.map((value) => value !== null);
    }),
    areComplete: () => performance.now() - readyAt > markMs,
  };
}

type Ask = (callers: readonly (number | string)[]) => Promise<readonly boolean[]>;

/** Asks once for all calls of a turn of the event loop. */
function collectTurns(ask: Ask): (caller: number | string) => Promise<boolean> {
  let waiting: (number | string)[] = [];
  let asked: Promise<readonly boolean[]> | undefined;
  return async (caller) => {
    const index = waiting.push(caller) - 1;
    asked ??= new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      const callers = waiting;
      [waiting, asked] = [[], undefined];
      return await ask(callers);
    });
    return (await asked)[index] === true;
  };
}
