/**
 * Replicas of the database, and up to when each of them has everything. Nothing depends on clocks of other machines: the process
 * asks the primary again and again for the end of its log (LSN), remembers when it asked, and compares that with what a
 * replica has replayed. What was committed before the process asked is before that end.
 */
import { setTimeout as delay } from 'node:timers/promises';

import { openDatabase } from '../database.ts';
import type { DatabaseOptions, Db } from '../database.ts';
import type { Queryable } from '../statement/transaction.ts';
import { statement } from '../statement/statement.ts';

export interface Replicas extends AsyncDisposable {
  /**
   * A replica that has everything that was committed until a second ago. The same one for the same caller, as long as it is
   * usable, so that successive reads do not go back in time. Undefined if there is none.
   */
  choose(caller: number | string): Db | undefined;
  /** For each replica, the age in seconds of what it is known to have; undefined if it cannot be used. */
  lags(): readonly (number | undefined)[];
}

/** A replica that is further behind is not used, in milliseconds. */
const maxLagMs = 1000;
const pollEveryMs = 100;
/** A server that takes longer has not responded. */
const pollTimeoutMs = 1000;
/** Polls of the primary that are remembered: those of the last seconds. */
const maxPolls = 30;

interface Position {
  readonly isStandby: boolean;
  /** Bytes of the log: those that a standby has replayed, or that a primary has written. */
  readonly lsn: number | null;
}

const positionStatement = statement<readonly [], Position>(
  'replication_position',
  `SELECT pg_is_in_recovery() AS "isStandby",
     pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END, '0/0')::int8 AS lsn`,
);

interface ReplicasOptions {
  readonly primary: Queryable;
  readonly replicas: readonly Db[];
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** Asks the primary and the replicas ten times a second, until disposal, which closes the replicas. */
function watchReplicas({ primary, replicas, now = () => performance.now() }: ReplicasOptions): Replicas {
  const stop = new AbortController();
  const polls = new PrimaryPolls();
  const states = replicas.map((db) => ({ db, freshness: new Freshness() }));
  const poll = async (db: Queryable, receive: (position: Position | undefined, askedAt: number) => void) => {
    while (!stop.signal.aborted) {
      const askedAt = now();
      receive(await askPosition(db), askedAt);
      await delay(pollEveryMs, undefined, { ref: false, signal: stop.signal }).catch(() => undefined);
    }
  };
  void poll(primary, (position, askedAt) => {
    if (position === undefined || position.isStandby || position.lsn === null) return;
    const isOtherServer = polls.add({ askedAt, lsn: position.lsn });
    for (const { freshness } of states) {
      if (isOtherServer) freshness.reset();
      freshness.compare(polls);
    }
  });
  for (const { db, freshness } of states) void poll(db, (position) => freshness.read(position, now()));

  const isUsable = ({ freshness }: (typeof states)[number]) => now() - freshness.until <= maxLagMs;
  return {
    choose: (caller) => {
      const usable = states.filter(isUsable);
      return usable[hashOf(caller) % usable.length]?.db;
    },
    lags: () => states.map((state) => (isUsable(state) ? (now() - state.freshness.until) / 1000 : undefined)),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await Promise.all(replicas.map((db) => db[Symbol.asyncDispose]()));
    },
  };
}

/** Whether a server is a standby, which can be a replica. @throws DatabaseUnavailable */
export async function isStandby(db: Queryable): Promise<boolean> {
  const [position] = await db.query(positionStatement, []);
  return position?.isStandby === true;
}

/** In bytes: what a standby has replayed of the log, or a primary has written. @throws DatabaseUnavailable */
export async function readEndOfLog(db: Queryable): Promise<number> {
  const [position] = await db.query(positionStatement, []);
  return position?.lsn ?? 0;
}

/** Undefined if the server does not respond. */
async function askPosition(db: Queryable): Promise<Position | undefined> {
  const asked = db.query(positionStatement, []).catch(() => []);
  const [position] = (await Promise.race([asked, delay(pollTimeoutMs, undefined, { ref: false })])) ?? [];
  return position;
}

/** Accounts by id, applications by their random name. */
function hashOf(caller: number | string): number {
  if (typeof caller === 'number') return Math.floor(caller / 4096);
  let hash = 0;
  for (const character of caller) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return hash;
}

interface PrimaryPoll {
  /** When the process asked. All commits that it knew of by then are before `lsn`. */
  readonly askedAt: number;
  readonly lsn: number;
}

/** The end of the primary's log at several times, the latest last. */
export class PrimaryPolls {
  #polls: PrimaryPoll[] = [];

  /** True if the log is shorter than before: another server has become the primary. Earlier polls say nothing about it. */
  add(poll: PrimaryPoll): boolean {
    const isOtherServer = poll.lsn < (this.latest?.lsn ?? 0);
    if (isOtherServer) this.#polls = [];
    this.#polls.push(poll);
    if (this.#polls.length > maxPolls) this.#polls.shift();
    return isOtherServer;
  }

  get latest(): PrimaryPoll | undefined {
    return this.#polls.at(-1);
  }

  /** The last poll whose end is at most `to`, and after `from`. */
  findLast(from: number, to: number): PrimaryPoll | undefined {
    return this.#polls.findLast(({ lsn }) => lsn > from && lsn <= to);
  }
}

/** Until when a replica has everything. */
export class Freshness {
  #reading: { readonly lsn: number; readonly at: number } | undefined;
  /** A position that the replica had and the primary did not: what it replayed until then is not the primary's. */
  #foreign = -1;
  #until = -Infinity;

  /** In milliseconds of the clock: everything that was committed before is there. */
  get until(): number {
    return this.#until;
  }

  /** What the replica said, and when the answer arrived. One that is no standby has been promoted. */
  read(position: Position | undefined, at: number): void {
    if (position === undefined) return;
    if (position.isStandby && position.lsn !== null) this.#reading = { lsn: position.lsn, at };
    else this.reset();
  }

  /** Call after each poll of the primary: only one that was sent after the reading shows that the replica follows it. */
  compare(polls: PrimaryPolls): void {
    const [reading, latest] = [this.#reading, polls.latest];
    if (reading === undefined || latest === undefined || latest.askedAt < reading.at) return;
    if (reading.lsn > latest.lsn) {
      this.reset();
      this.#foreign = reading.lsn;
      return;
    }
    const found = polls.findLast(this.#foreign, reading.lsn);
    if (found !== undefined) this.#until = Math.max(this.#until, found.askedAt);
  }

  reset(): void {
    this.#reading = undefined;
    this.#until = -Infinity;
  }
}

interface OpenOptions extends Omit<DatabaseOptions, 'url' | 'observe' | 'onConnectionError'> {
  readonly primary: Queryable;
  readonly urls: readonly string[];
  readonly onError: (error: unknown, message: string) => void;
}

/** Opens the replicas of DATABASE_REPLICA_URL, each with a pool of its own; undefined if there are none. */
export function openReplicas({ primary, urls, onError, ...options }: OpenOptions): Replicas | undefined {
  if (urls.length === 0) return undefined;
  const onConnectionError = (error: unknown) => onError(error, 'connection to a replica lost');
  const replicas = urls.map((url) => openDatabase({ ...options, url, onConnectionError }));
  return watchReplicas({ primary, replicas });
}
