import { setTimeout as delay } from 'node:timers/promises';

import { createBrowser } from '@linnet/auth/testing/browser';
import { basic } from '@linnet/auth/testing/running-auth';
import { registerPerson } from '@linnet/auth/testing/person';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startRevocableServers } from '../support/revocable-servers.ts';
import type { Credentials, RevocableServers } from '../support/revocable-servers.ts';

/**
 * How long tokens and reads take is printed, not demanded: on a machine that has other work, the moment in which
 * all of the flood arrives is seconds long. Sign-ins with wrong passwords come in numbers, at real processes without
 * rate limits; `pnpm test:long` floods longer.
 */

const isLong = process.env['RACE_ROUNDS'] !== undefined;
const flooders = 200;
const floodMs = isLong ? 30_000 : 3000;
const sampleEveryMs = 20;

let servers: RevocableServers;
let bot: Credentials;
let token: string;
beforeAll(async () => {
  servers = await startRevocableServers(inject('databaseServer'));
  await registerPerson(servers.database.db, 'revocable_owner');
  bot = await servers.auth.register({ actAsOwner: true });
  token = (await requestToken()).json.access_token;
});
afterAll(() => servers[Symbol.asyncDispose]());

async function requestToken() {
  return await servers.auth.requestToken({ grant_type: 'client_credentials' }, basic(bot.clientId, bot.clientSecret));
}

function print(text: string): void {
  process.stdout.write(`sign-in flood: ${text}\n`);
}

/** Asks at a steady pace, whether or not the last answer has come; milliseconds of each, ascending. */
async function measure(forMs: number, ask: () => Promise<number>): Promise<readonly number[]> {
  const asked: Promise<number>[] = [];
  const time = async () => {
    const began = performance.now();
    expect(await ask()).toBe(200);
    return performance.now() - began;
  };
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    asked.push(time());
    await delay(sampleEveryMs);
  }
  return (await Promise.all(asked)).toSorted((a, b) => a - b);
}

async function measureBoth(forMs: number) {
  const [tokens, reads] = await Promise.all([
    measure(forMs, async () => (await requestToken()).status),
    measure(forMs, async () => await servers.callApi(0, token)),
  ]);
  return { tokens, reads };
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** 200 at once who begin again as soon as they are answered; how often each status was. */
async function flood(forMs: number): Promise<Readonly<Record<string, number>>> {
  const browser = createBrowser(servers.auth);
  const page = await browser.open('/login');
  const statuses: Record<string, number> = {};
  const until = performance.now() + forMs;
  await Promise.all(
    Array.from({ length: flooders }, async (_, index) => {
      while (performance.now() < until) {
        const values = { login: `nobody_${String(index)}`, password: 'wrong, and no matter' };
        const { status } = await browser.submitOnly(page, page.formWith('login'), values);
        statuses[status] = (statuses[status] ?? 0) + 1;
        // Nobody is refused and back within the same moment.
        if (status === 429) await delay(1000 + (index % 10) * 50);
      }
    }),
  );
  return statuses;
}

test(
  `R16 tokens and reads are answered while ${String(flooders)} sign in with wrong passwords at once`,
  { timeout: 180_000 },
  async () => {
    await measureBoth(1000);
    const idle = await measureBoth(floodMs);
    const flooding = flood(floodMs);
    await delay(100);
    const flooded = await measureBoth(floodMs - 100);
    const statuses = await flooding;
    for (const what of ['tokens', 'reads'] as const) {
      const figures = [0.5, 0.99].map(
        (share) => `${percentile(idle[what], share).toFixed(1)} → ${percentile(flooded[what], share).toFixed(1)} ms`,
      );
      print(`${what}, idle → flooded: median ${figures[0] ?? ''}, p99 ${figures[1] ?? ''}`);
    }
    print(`answers to the flood: ${JSON.stringify(statuses)}`);
    expect(Object.keys(statuses).toSorted()).toEqual(['422', '429']);
  },
);

test('R16 50 registrations at once succeed', { timeout: 60_000 }, async () => {
  const onPage = async (index: number) => {
    const browser = createBrowser(servers.auth);
    const page = await browser.open('/register');
    const username = `page_person_${String(index)}`;
    const typed = { username, email: `${username}@example.org`, password: 'a password that is long' };
    const names = { first_name: 'Ada', last_name: 'Byron' };
    return (await browser.submitOnly(page, page.formWith('email'), { ...names, ...typed })).status;
  };
  const began = performance.now();
  const statuses = await Promise.all(Array.from({ length: 50 }, async (_, index) => await onPage(index)));
  print(`50 registrations at once: ${(performance.now() - began).toFixed(0)} ms`);
  expect(new Set(statuses)).toEqual(new Set([303]));
});
