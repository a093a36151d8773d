import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '../support/auth/browser.ts';
import type { Browser, Page } from '../support/auth/browser.ts';
import { signIn } from '../support/auth/person.ts';
import { basic, sendTo } from '../support/auth/running-auth.ts';
import type { Answer } from '../support/auth/running-auth.ts';
import { eventually, findFreePort, launch, separateServer, statusOf } from '../support/service.ts';
import type { Launched } from '../support/service.ts';
import { createClient, password } from '../support/api-client.ts';
import type { Client } from '../support/api-client.ts';

/** Concurrent use of codes and refresh tokens at two authorization servers. `pnpm test:long` runs 1,000 rounds. */

const rounds = Number(process.env['RACE_ROUNDS'] ?? 20);
const parallel = 50;
const redirectUri = 'https://app.example.com/callback';
const username = 'race_owner';

let database: TestDatabase;
let processes: Launched[];
let client: Client;
let origin: string;
let browser: Browser;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  const ports = [await findFreePort(), await findFreePort()];
  origin = `http://localhost:${String(ports[0])}`;
  const env = {
    BASE_URL: origin,
    DATABASE_URL: database.url,
    SECRET_KEYS: 'a secret of both processes',
    RATE_LIMITS: 'off',
  };
  processes = await Promise.all(
    ports.map(
      async (port) => await launch({ env: { ...env, PORT: String(port) }, command: [...separateServer, 'auth'] }),
    ),
  );
  for (const { port } of processes) {
    const ready = async () => (await statusOf(`http://127.0.0.1:${String(port)}/health/ready`)) === 200;
    await eventually('the authorization server is ready', ready);
  }
  client = await createClient(env, username, ['--redirect-uri', redirectUri]);
  browser = createBrowser({ baseUrl: origin, send: async (request) => await send(0, request) });
  const consent = await signIn(browser, { username, password }, await browser.open(authorizationPath()));
  await browser.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow', scope: ['email'] });
});
afterAll(async () => {
  for (const one of processes) await one[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Sends a request to the first process for an even index, otherwise to the second. */
async function send(index: number, request: Parameters<typeof sendTo>[1]): Promise<Answer> {
  const { port } = processes[index % 2] ?? { port: 0 };
  return await sendTo(port, { ...request, headers: { host: new URL(origin).host, ...request.headers } });
}

function authorizationPath(): string {
  const parameters = {
    client_id: client?.id ?? '',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'users posts email',
  };
  return `/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
}

/** Consent is remembered, so the response is a redirect with a code. */
async function newCode(): Promise<string> {
  const callback: Page = await browser.open(authorizationPath());
  return callback.url.searchParams.get('code') ?? '';
}

async function requestToken(index: number, form: Readonly<Record<string, string>>): Promise<Answer> {
  return await send(index, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(client.id, client.secret) },
    body: new URLSearchParams(form).toString(),
  });
}

const exchange = async (code: string, index = 0) =>
  await requestToken(index, { grant_type: 'authorization_code', code, redirect_uri: redirectUri });
const refresh = async (token: unknown, index = 0) =>
  await requestToken(index, { grant_type: 'refresh_token', refresh_token: String(token) });

async function race(work: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return await Promise.all(Array.from({ length: parallel }, async (_, index) => await work(index)));
}

test(
  `TK9 R5 exactly one of ${String(parallel)} parallel exchanges of a code succeeds, ${String(rounds)} rounds`,
  { timeout: 3_600_000 },
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const code = await newCode();
      const responses = await race(async (index) => await exchange(code, index));
      const successes = responses.filter(({ status }) => status === 200);
      const rejections = responses.filter(({ status, json }) => status === 400 && json['error'] === 'invalid_grant');
      expect([successes.length, rejections.length]).toEqual([1, parallel - 1]);
      // TK10 R6: reuse of the code has revoked the grant, so the next authorization shows the consent page.
      expect((await refresh(successes[0]?.json['refresh_token'])).json['error']).toBe('invalid_grant');
      await consentAgain();
    }
  },
);

test(
  `RT3 ${String(parallel)} parallel refreshes get the same successor, ${String(rounds)} rounds`,
  { timeout: 3_600_000 },
  async () => {
    let token = (await exchange(await newCode())).json['refresh_token'];
    for (let round = 0; round < rounds; round += 1) {
      const used = token;
      const responses = await race(async (index) => await refresh(used, index));
      const successors = new Set(responses.map(({ status, json }) => [status, json['refresh_token']].join(' ')));
      expect([...successors]).toEqual([expect.stringMatching(/^200 \S{43}$/)]);
      token = responses[0]?.json['refresh_token'];
      expect(token).not.toBe(used);
    }
  },
);

test('RT1 reusing a refresh token whose successor was used revokes its grant, in every process', async () => {
  const first = (await exchange(await newCode())).json['refresh_token'];
  const second = (await refresh(first, 0)).json['refresh_token'];
  const third = (await refresh(second, 1)).json['refresh_token'];
  expect((await refresh(first, 1)).json['error']).toBe('invalid_grant');
  expect((await refresh(third, 0)).json['error']).toBe('invalid_grant');
  await consentAgain();
});

test('RT7 used codes and rotated tokens stay unusable after kill -9 and a restart', async () => {
  const code = await newCode();
  const token = (await exchange(code, 1)).json['refresh_token'];
  const [, second] = processes;
  if (second === undefined) throw new Error('there are two processes');
  second.process.kill('SIGKILL');
  await second.exited;
  processes[1] = await launch({ env: second.env, command: [...separateServer, 'auth'] });
  const { port } = processes[1];
  await eventually(
    'the second process is ready',
    async () => (await statusOf(`http://127.0.0.1:${String(port)}/health/ready`)) === 200,
  );
  expect((await exchange(code, 1)).json['error']).toBe('invalid_grant');
  expect((await refresh(token, 0)).json['error']).toBe('invalid_grant');
});

/** The grant is revoked, so the next authorization shows the consent page. */
async function consentAgain(): Promise<void> {
  const consent = await browser.open(authorizationPath());
  await browser.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow', scope: ['email'] });
}
