import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { statement } from '@linnet/db/statement/statement';
import { startThrowawayCluster } from '../support/db/throwaway-cluster.ts';

import { eventually } from '../support/service.ts';
import type { Run } from './scenario.ts';
import { startWorld } from './world.ts';
import type { World } from './world.ts';

/** Debian's package libfaketime, for programs with threads and for others. */
const directoryOfLibrary = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime`;
const libraries = { service: 'libfaketimeMT.so.1', database: 'libfaketime.so.1' };
const hour = 3600;
const toleranceMs = 60_000;
const tries = 20;

interface ClockWorld extends World {
  /** Sets the clock of the service, or of PostgreSQL, this many seconds ahead of the right time. The other keeps the right time. */
  readonly setClock: (seconds: number) => Promise<void>;
  /** How far that clock is ahead, in milliseconds. NaN if it cannot be read. */
  readonly readAheadMs: () => Promise<number>;
}

/** A world in which the clock of the service can be changed; undefined where libfaketime is not installed. */
export async function startClockWorld(): Promise<ClockWorld | undefined> {
  const clock = await openClock('service');
  if (clock === undefined) return undefined;
  const world = await startWorld({ env: clock.env });
  return withClock(world, clock, async () => {
    const { headers } = await fetch(`${world.baseUrl}/health/live`);
    return Date.parse(headers.get('date') ?? '');
  });
}

/** A world in which the clock of PostgreSQL can be changed; undefined where libfaketime is not installed. */
export async function startDatabaseClockWorld(): Promise<ClockWorld | undefined> {
  const clock = await openClock('database');
  if (clock === undefined) return undefined;
  const startDatabase = async () => {
    const cluster = await startThrowawayCluster({ env: clock.env });
    return { url: cluster.url, [Symbol.asyncDispose]: async () => await cluster.stop() };
  };
  const world = await startWorld({ startDatabase });
  return withClock(world, clock, async () => (await world.db.query(readClock, []))[0]?.ms ?? Number.NaN);
}

const readClock = statement<readonly [], { readonly ms: number }>(
  'chaos_clock',
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8 AS ms',
);

interface Clock {
  /** For the program whose clock it is. */
  readonly env: Readonly<Record<string, string>>;
  readonly set: ClockWorld['setClock'];
  readonly remove: () => Promise<void>;
}

/** A clock for programs of this machine; undefined, with a note, where libfaketime is not installed. */
export async function openClock(of: keyof typeof libraries): Promise<Clock | undefined> {
  const library = join(directoryOfLibrary, libraries[of]);
  const isInstalled = await access(library).then(
    () => true,
    () => false,
  );
  if (!isInstalled) {
    process.stdout.write(`NOTE: libfaketime is not installed, so changes of the clock (${of}) were not tested\n`);
    return undefined;
  }
  const directory = await mkdtemp(join(tmpdir(), 'linnet-clock-'));
  // PostgreSQL may run as another user.
  await chmod(directory, 0o755);
  const file = join(directory, 'offset');
  const set: Clock['set'] = async (seconds) =>
    await writeFile(file, `${seconds < 0 ? '' : '+'}${String(seconds)}\n`, { mode: 0o644 });
  await set(0);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DISABLE_SHM: '1',
      NO_FAKE_STAT: '1',
    },
    set,
    remove: async () => await rm(directory, { recursive: true }),
  };
}

function withClock(world: World, clock: Clock, read: () => Promise<number>): ClockWorld {
  return {
    ...world,
    setClock: clock.set,
    readAheadMs: async () => (await read().catch(() => Number.NaN)) - Date.now(),
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await clock.remove();
    },
  };
}

const passTenMinutes = statement<readonly [], never>(
  'chaos_ten_minutes',
  `UPDATE revocation SET expires_at = expires_at - interval '10 minutes'`,
);

/**
 * Sets the clock an hour ahead, right, an hour back and right again, each for `size` seconds. Tokens that were issued before are
 * revoked: one ten minutes before the clock is ahead, one while it is back. Processes start while it is ahead, and ten minutes
 * after it was back, so that they know only what the database has kept.
 */
export async function changeClock(run: Run): Promise<void> {
  const { world, calls, size, during } = run;
  const [early, late] = [await calls.requestToken(), await calls.requestToken()];
  const pass = async () => void (await world.db.query(passTenMinutes, []));
  await calls.revoke(early);
  await pass();
  await changeTo(run, hour);
  await during(async () => await world.kill('primary'));
  await delay(size * 1000);
  await changeTo(run, 0);
  await expectRevoked(run, early);
  await changeTo(run, -hour);
  await calls.revoke(late);
  await delay(size * 1000);
  await changeTo(run, 0);
  await pass();
  await during(async () => await world.kill('primary'));
  await expectRevoked(run, late);
}

async function changeTo({ world, during }: Run, seconds: number): Promise<void> {
  if (!isClockWorld(world)) throw new TypeError('this world has no clock');
  await during(async () => {
    await world.setClock(seconds);
    await eventually('the new time', async () => Math.abs((await world.readAheadMs()) - seconds * 1000) < toleranceMs);
  });
}

/** Tries it several times, so that both workers respond. */
async function expectRevoked({ calls, answers }: Run, token: string): Promise<void> {
  for (let time = 0; time < tries; time += 1) {
    if ((await calls.tryToken(token)) === 200) answers.report('a change of the clock has made a revoked token valid');
  }
}

function isClockWorld(world: World): world is ClockWorld {
  return 'setClock' in world;
}
