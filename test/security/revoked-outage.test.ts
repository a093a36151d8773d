import { setTimeout as delay } from 'node:timers/promises';

import { basic } from '@linnet/auth/testing/running-auth';
import { registerPerson } from '@linnet/auth/testing/person';
import { statement } from '@linnet/db/statement';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';

import { startRevocableServers } from '../support/revocable-servers.ts';
import type { Credentials, RevocableServers } from '../support/revocable-servers.ts';

/** What was revoked stays refused while the feed cannot be read; the second API server reads by a proxy. */

const freshMs = 1000;
const second = 1;

let servers: RevocableServers;
let bot: Credentials;
beforeAll(async () => {
  servers = await startRevocableServers(inject('databaseServer'));
  await registerPerson(servers.database.db, 'revocable_owner');
  bot = await servers.auth.register({ actAsOwner: true });
});
afterAll(() => servers[Symbol.asyncDispose]());
afterEach(async () => {
  servers.proxy.mend();
  await untilAccepted(await newToken());
});

async function newToken(): Promise<string> {
  const form = { grant_type: 'client_credentials' };
  return (await servers.auth.requestToken(form, basic(bot.clientId, bot.clientSecret))).json.access_token;
}

async function revoke(token: string): Promise<void> {
  expect((await servers.manage('/oauth/revoke', bot, { token })).status).toBe(200);
}

async function untilAccepted(token: string): Promise<number> {
  const began = performance.now();
  while ((await servers.callApi(second, token)) !== 200) {
    expect(performance.now() - began).toBeLessThan(15_000);
    await delay(20);
  }
  return performance.now() - began;
}

/** What the second server answers in the time given. */
async function answersFor(ms: number, token: string): Promise<Set<number>> {
  const answers = new Set<number>();
  const until = performance.now() + ms;
  while (performance.now() < until) {
    answers.add(await servers.callApi(second, token));
    await delay(5);
  }
  return answers;
}

test('R10 with the feed cut, a token revoked meanwhile is not accepted for more than a second: 503, and 401 once it is mended', async () => {
  const [revoked, living] = [await newToken(), await newToken()];
  await untilAccepted(revoked);
  servers.proxy.cutWhatSends('revocation_changes');
  await revoke(revoked);
  await delay(freshMs);
  expect(await answersFor(1500, revoked)).toEqual(new Set([503]));
  // Nobody can tell of this one either; the other server can.
  expect(await servers.callApi(second, living)).toBe(503);
  expect([await servers.callApi(0, living), await servers.callApi(0, revoked)]).toEqual([200, 401]);
  servers.proxy.mend();
  expect(await untilAccepted(living)).toBeLessThan(3000);
  expect(await answersFor(500, revoked)).toEqual(new Set([401]));
});

test('with the whole database cut and mended the same holds', async () => {
  const [revoked, living] = [await newToken(), await newToken()];
  await untilAccepted(revoked);
  servers.proxy.cut();
  await revoke(revoked);
  await delay(freshMs);
  expect(await answersFor(500, revoked)).toEqual(new Set([503]));
  servers.proxy.mend();
  await untilAccepted(living);
  expect(await servers.callApi(second, revoked)).toBe(401);
});

test('with the table of the feed locked, nobody is let in on what was known before; afterwards all goes on', async () => {
  const token = await newToken();
  await untilAccepted(token);
  const lock = statement<readonly [], never>('test_lock', 'LOCK TABLE revocation IN ACCESS EXCLUSIVE MODE');
  await servers.database.db.transaction(async (tx) => {
    await tx.query(lock, []);
    await delay(freshMs);
    expect(await answersFor(800, token)).toEqual(new Set([503]));
  });
  await untilAccepted(token);
});

test('RT7 a server that starts refuses from its first answer on what was revoked before', async () => {
  const [revoked, living] = [await newToken(), await newToken()];
  await revoke(revoked);
  await servers.startApi();
  const newest = 2;
  expect(await servers.callApi(newest, revoked)).toBe(401);
  expect(await servers.callApi(newest, living)).toBe(200);
});

test('a transaction that takes long is not missed, whatever was committed meanwhile', async () => {
  const [slow, quick] = [await newToken(), await newToken()];
  await untilAccepted(slow);
  const revokeToken = statement<readonly [jti: string], never>(
    'test_revoke',
    `SELECT revoke_tokens('token', $1, NULL)`,
  );
  await servers.database.db.transaction(async (tx) => {
    await tx.query(revokeToken, [jtiOf(slow)]);
    await revoke(quick);
    await delay(2000);
    expect([await servers.callApi(second, slow), await servers.callApi(second, quick)]).toEqual([200, 401]);
  });
  await delay(freshMs);
  expect(await servers.callApi(second, slow)).toBe(401);
});

function jtiOf(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string };
  return claims.jti;
}
