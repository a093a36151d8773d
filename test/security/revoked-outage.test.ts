import { setTimeout as delay } from 'node:timers/promises';

import { basic } from '../support/auth/running-auth.ts';
import { registerPerson } from '../support/auth/person.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';

import { startRevocationServers } from '../support/revocation-servers.ts';
import type { Credentials, RevocationServers } from '../support/revocation-servers.ts';
import { eventually } from '../support/service.ts';

/** Revoked tokens stay rejected while the revocation feed cannot be read. The second API server uses a proxy. */

/** A process accepts no token when it last read the feed longer ago than this. */
const staleMs = 1000;
const second = 1;

let servers: RevocationServers;
let bot: Credentials;
beforeAll(async () => {
  servers = await startRevocationServers(inject('databaseServer'));
  await registerPerson(servers.database.db, 'revocable_owner');
  bot = await servers.auth.register({ actAsOwner: true });
});
afterAll(() => servers[Symbol.asyncDispose]());
afterEach(async () => {
  servers.proxy.restore();
  await untilAccepted(await issueToken());
});

async function issueToken(): Promise<string> {
  const form = { grant_type: 'client_credentials' };
  return (await servers.auth.requestToken(form, basic(bot.clientId, bot.clientSecret))).json.access_token;
}

async function revoke(token: string): Promise<void> {
  expect((await servers.manage('/oauth/revoke', bot, { token })).status).toBe(200);
}

async function untilAccepted(token: string): Promise<void> {
  await eventually('the second server accepts the token', async () => (await servers.callApi(second, token)) === 200);
}

/** The statuses of the second server during this time. */
async function collectStatuses(durationMs: number, token: string): Promise<Set<number>> {
  const statuses = new Set<number>();
  const until = performance.now() + durationMs;
  while (performance.now() < until) {
    statuses.add(await servers.callApi(second, token));
    await delay(5);
  }
  return statuses;
}

/** Runs `work` inside a transaction that may stay idle for as long as a busy machine takes. */
async function inTransaction(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: servers.database.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

test('R10 while the feed is cut off, a token revoked in the meantime gets 503 after a second at most; then 401', async () => {
  const [revoked, active] = [await issueToken(), await issueToken()];
  await untilAccepted(revoked);
  servers.proxy.cutConnectionsThatSend('revocation_changes');
  await revoke(revoked);
  await delay(staleMs);
  expect(await collectStatuses(1500, revoked)).toEqual(new Set([503]));
  // The second server cannot know that this token was not revoked; the first can.
  expect(await servers.callApi(second, active)).toBe(503);
  expect([await servers.decideApi(0, active), await servers.decideApi(0, revoked)]).toEqual([200, 401]);
  servers.proxy.restore();
  await untilAccepted(active);
  expect(await servers.decideApi(second, revoked)).toBe(401);
  expect(await collectStatuses(500, revoked)).not.toContain(200);
});

test('the same holds while the whole database is cut off', async () => {
  const [revoked, active] = [await issueToken(), await issueToken()];
  await untilAccepted(revoked);
  servers.proxy.cut();
  await revoke(revoked);
  await delay(staleMs);
  expect(await collectStatuses(500, revoked)).toEqual(new Set([503]));
  servers.proxy.restore();
  await untilAccepted(active);
  expect(await servers.decideApi(second, revoked)).toBe(401);
});

test('while the table of the feed is locked, no token is accepted on old knowledge', async () => {
  const token = await issueToken();
  await untilAccepted(token);
  await inTransaction(async (client) => {
    await client.query('LOCK TABLE revocation IN ACCESS EXCLUSIVE MODE');
    await delay(staleMs);
    expect(await collectStatuses(800, token)).toEqual(new Set([503]));
  });
  await untilAccepted(token);
});

test('RT7 a server that has just started rejects tokens that were revoked before', async () => {
  const [revoked, active] = [await issueToken(), await issueToken()];
  await revoke(revoked);
  await servers.startApi();
  const newest = 2;
  expect(await servers.decideApi(newest, revoked)).toBe(401);
  expect(await servers.decideApi(newest, active)).toBe(200);
});

test('a revocation in a long transaction is not missed when others commit before it', async () => {
  const [slow, quick] = [await issueToken(), await issueToken()];
  await untilAccepted(slow);
  await inTransaction(async (client) => {
    await client.query(`SELECT revoke_tokens('token', $1, NULL)`, [jtiOf(slow)]);
    await revoke(quick);
    await delay(2000);
    expect([await servers.decideApi(second, slow), await servers.decideApi(second, quick)]).toEqual([200, 401]);
  });
  await delay(staleMs);
  expect(await servers.decideApi(second, slow)).toBe(401);
});

function jtiOf(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string };
  return claims.jti;
}
