import { createHash } from 'node:crypto';

import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '../support/auth/browser.ts';
import type { Browser, Page } from '../support/auth/browser.ts';
import { signIn } from '../support/auth/person.ts';
import { basic, sendTo } from '../support/auth/running-auth.ts';
import type { Answer } from '../support/auth/running-auth.ts';
import { operate } from '../support/operator.ts';
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
let publicId: string;
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
  const asked = ['--owner', username, '--name', 'On a device', '--type', 'public', '--redirect-uri', redirectUri];
  const { stdout } = await operate(['app', 'create', ...asked, '--scope', 'users posts email', '--json'], env);
  publicId = String(JSON.parse(stdout)['client_id']);
  browser = createBrowser({ baseUrl: origin, send: async (request) => await send(0, request) });
  const consent = await signIn(browser, { username, password }, await browser.open(authorizationPath()));
  await browser.submit(consent, consent.formWith('decision', 'allow'), { decision: 'allow', scope: ['email'] });
  const second = await browser.open(authorizationPath(publicId));
  await browser.submit(second, second.formWith('decision', 'allow'), { decision: 'allow', scope: ['email'] });
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

const verifier = 'v'.repeat(43);
const pkce = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
};

function authorizationPath(clientId = client?.id ?? ''): string {
  const parameters = {
    client_id: clientId,
    ...(clientId === publicId ? pkce : {}),
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'users posts email',
  };
  return `/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
}

/** Consent is remembered, so the response is a redirect with a code. */
async function newCode(clientId?: string): Promise<string> {
  const callback: Page = await browser.open(authorizationPath(clientId));
  return callback.url.searchParams.get('code') ?? '';
}

async function requestToken(index: number, form: Readonly<Record<string, string>>): Promise<Answer> {
  return await send(index, {
    method: 'POST',
    path: '/oauth/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...('client_id' in form ? {} : basic(client.id, client.secret)),
    },
    body: new URLSearchParams(form).toString(),
  });
}

const exchange = async (code: string, index = 0) =>
  await requestToken(index, { grant_type: 'authorization_code', code, redirect_uri: redirectUri });
const exchangePublic = async (code: string, index: number) =>
  await requestToken(index, {
    ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    ...{ client_id: publicId, code_verifier: verifier },
  });
const refresh = async (token: unknown, index = 0) =>
  await requestToken(index, { grant_type: 'refresh_token', refresh_token: String(token) });

async function race(work: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return await Promise.all(Array.from({ length: parallel }, async (_, index) => await work(index)));
}

test(
  `TK9 R5 exactly one of ${String(parallel)} parallel exchanges of a public application succeeds, ${String(rounds)} rounds`,
  { timeout: 3_600_000 },
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const code = await newCode(publicId);
      const responses = await race(async (index) => await exchangePublic(code, index));
      const successes = responses.filter(({ status }) => status === 200);
      const rejections = responses.filter(({ status, json }) => status === 400 && json['error'] === 'invalid_grant');
      expect([successes.length, rejections.length]).toEqual([1, parallel - 1]);
      // TK10 R6: reuse of the code has ended its chain.
      const form = { grant_type: 'refresh_token', client_id: publicId };
      const used = await requestToken(0, { ...form, refresh_token: String(successes[0]?.json['refresh_token']) });
      expect(used.json['error']).toBe('invalid_grant');
    }
  },
);

test(
  `TK9 D60 ${String(parallel)} parallel exchanges of an application that authenticates get the same refresh token, ${String(rounds)} rounds`,
  { timeout: 3_600_000 },
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const code = await newCode();
      const responses = await race(async (index) => await exchange(code, index));
      const tokens = new Set(responses.map(({ status, json }) => [status, json['refresh_token']].join(' ')));
      expect([...tokens]).toEqual([expect.stringMatching(/^200 \S{43}$/)]);
      // Once it was used, the code is used up, and its repetition ends the chain.
      const next = await refresh(responses[0]?.json['refresh_token']);
      expect((await exchange(code, round)).json['error']).toBe('invalid_grant');
      expect((await refresh(next.json['refresh_token'])).json['error']).toBe('invalid_grant');
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

test('RT1 reusing a refresh token whose successor was used ends its chain, in every process', async () => {
  const first = (await exchange(await newCode())).json['refresh_token'];
  const second = (await refresh(first, 0)).json['refresh_token'];
  const third = (await refresh(second, 1)).json['refresh_token'];
  expect((await refresh(first, 1)).json['error']).toBe('invalid_grant');
  expect((await refresh(third, 0)).json['error']).toBe('invalid_grant');
});

test('RT7 used codes and rotated tokens stay unusable after kill -9 and a restart', async () => {
  const code = await newCode();
  const token = (await exchange(code, 1)).json['refresh_token'];
  const latest = (await refresh(token, 1)).json['refresh_token'];
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
  for (const used of [token, latest]) expect((await refresh(used, 0)).json['error']).toBe('invalid_grant');
});
