import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { statement } from '@linnet/db/statement';

import { eventually } from '../support/service.ts';
import type { Run } from './scenario.ts';
import { startWorld } from './world.ts';
import type { World } from './world.ts';

/** Debian's package libfaketime. */
const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`;
const hour = 3600;
const toleranceMs = 60_000;
const tries = 20;

interface ClockWorld extends World {
  /** Sets the clock of the service this many seconds ahead of the right time. PostgreSQL keeps the right time. */
  readonly setClock: (seconds: number) => Promise<void>;
}

/** A world whose clock can be changed; undefined where libfaketime is not installed. */
export async function startClockWorld(): Promise<ClockWorld | undefined> {
  const isInstalled = await access(library).then(
    () => true,
    () => false,
  );
  if (!isInstalled) {
    process.stdout.write('NOTE: libfaketime is not installed, so changes of the clock were not tested\n');
    return undefined;
  }
  const directory = await mkdtemp(join(tmpdir(), 'linnet-clock-'));
  const file = join(directory, 'offset');
  const setClock = async (seconds: number) => await writeFile(file, `${seconds < 0 ? '' : '+'}${String(seconds)}\n`);
  await setClock(0);
  const world = await startWorld({
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
  });
  return {
    ...world,
    setClock,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
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

async function changeTo({ world, answers, during }: Run, seconds: number): Promise<void> {
  if (!isClockWorld(world)) throw new TypeError('this world has no clock');
  await during(async () => {
    await world.setClock(seconds);
    await eventually('the service has the new time', async () => {
      const { headers } = await answers.send('/health/live');
      const ahead = Date.parse(headers.get('date') ?? '') - Date.now();
      return Math.abs(ahead - seconds * 1000) < toleranceMs;
    });
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
