import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createBrowser } from '@linnet/auth/testing/browser';
import { basic } from '@linnet/auth/testing/running-auth';
import { registerPerson } from '@linnet/auth/testing/person';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import type { FormFlood, StatusCounts } from '../support/form-flooder.ts';
import { startRevocableServers } from '../support/revocable-servers.ts';
import type { Credentials, RevocableServers } from '../support/revocable-servers.ts';
import { repositoryRoot } from '../support/service.ts';
import { measureAtSteadyPace, percentile } from '../support/steady-pace.ts';

/**
 * Sign-ins with wrong passwords come in numbers, at real processes without rate limits. Here the statuses are demanded
 * and times printed: on a machine that has other work, what is measured is that work. `pnpm test:long`, on a quiet one,
 * floods longer, in turns with idle times, and demands that p99 stays within three times of idle.
 */

const isLong = process.env['RACE_ROUNDS'] !== undefined;
const flooders = 200;
const rounds = isLong ? 3 : 1;
const floodMs = isLong ? 15_000 : 3000;
const mostTimesIdle = isLong ? 3 : Infinity;

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

async function measureBoth(forMs: number) {
  const [tokens, reads] = await Promise.all([
    measureAtSteadyPace(forMs, async () => (await requestToken()).status),
    measureAtSteadyPace(forMs, async () => await servers.callApi(0, token)),
  ]);
  return { tokens, reads };
}

/** 200 at once who begin again as soon as they are answered, from a process of their own; how often each status was. */
async function flood(forMs: number): Promise<StatusCounts> {
  const browser = createBrowser(servers.auth);
  const page = await browser.open('/login');
  const [, csrf = ''] = page.formWith('login').fields.find(([name]) => name === 'csrf') ?? [];
  const asked: FormFlood = {
    port: servers.authPort,
    path: '/login',
    headers: {
      host: new URL(servers.auth.baseUrl).host,
      cookie: browser.cookies.headerFor('/login') ?? '',
      accept: 'text/html',
      'accept-language': 'en',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ csrf, login: 'nobody_at_all', password: 'wrong, and no matter' }).toString(),
    senders: flooders,
    forMs,
  };
  const child = fork(join(repositoryRoot, 'test/support/form-flooder.ts'), { stdio: 'inherit' });
  // Whoever floods does not use our processors in life.
  setPriority(child.pid ?? 0, 10);
  const answered = once(child, 'message');
  child.send(asked);
  const [statuses]: StatusCounts[] = await answered;
  return statuses ?? {};
}

type Percentiles = Readonly<Record<'tokens' | 'reads', { readonly median: number; readonly p99: number }>>;

function percentilesOf({ tokens, reads }: Awaited<ReturnType<typeof measureBoth>>): Percentiles {
  const of = (sorted: readonly number[]) => ({ median: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) });
  return { tokens: of(tokens), reads: of(reads) };
}

async function measureFlooded() {
  const flooding = flood(floodMs);
  await delay(100);
  const flooded = percentilesOf(await measureBoth(floodMs - 100));
  return { flooded, statuses: await flooding };
}

/** Of the rounds the middle one, whose p99 other work of the machine touched least and most the same. */
function middle(all: readonly Percentiles[], what: keyof Percentiles) {
  const sorted = all.map((one) => one[what]).toSorted((a, b) => a.p99 - b.p99);
  return sorted[Math.floor(sorted.length / 2)] ?? { median: Number.NaN, p99: Number.NaN };
}

test(
  `R16 tokens and reads are answered while ${String(flooders)} sign in with wrong passwords at once`,
  { timeout: 240_000 },
  async () => {
    await measureBoth(1000);
    const idle: Percentiles[] = [];
    const flooded: Percentiles[] = [];
    for (let round = 0; round < rounds; round += 1) {
      idle.push(percentilesOf(await measureBoth(floodMs)));
      const measured = await measureFlooded();
      flooded.push(measured.flooded);
      print(`load ${loadavg()[0]?.toFixed(1) ?? ''}, answers to the flood: ${JSON.stringify(measured.statuses)}`);
      expect(Object.keys(measured.statuses).toSorted()).toEqual(['422', '429']);
    }
    for (const what of ['tokens', 'reads'] as const) {
      const [before, meanwhile] = [middle(idle, what), middle(flooded, what)];
      const figures = (['median', 'p99'] as const).map(
        (name) => `${name} ${before[name].toFixed(1)} → ${meanwhile[name].toFixed(1)} ms`,
      );
      print(`${what}, idle → flooded: ${figures.join(', ')}`);
      expect.soft(meanwhile.p99 / before.p99).toBeLessThan(mostTimesIdle);
    }
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
