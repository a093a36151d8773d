import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

let database: TestDatabase;
let api: RunningApi;
let acct: number;
beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  acct = (await api.register('revoked_one')).id;
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const revoke = statement<readonly [kind: string, id: string, epoch: number | null], never>(
  'test_revoke',
  'SELECT revoke_tokens($1::revocation_kind, $2, $3)',
);

const call = async (claims: Readonly<Record<string, unknown>>) => await api.call('GET /users/show', { claims });

test('RS9 a revoked token gets 401 with the challenge', async () => {
  const jti = 'revoked-token';
  expect((await call({ acct, jti })).status).toBe(200);
  await database.db.query(revoke, ['token', jti, null]);
  await expect.poll(async () => (await call({ acct, jti })).status).toBe(401);
  const { status, headers, body } = await call({ acct, jti });
  expect([status, body.code]).toEqual([401, 'invalid_token']);
  expect(headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", .*resource_metadata="/);
});

test.each([
  ['account', 'acct', 'ae'],
  ['client', 'client_id', 'ce'],
  ['grant', 'gid', 'ge'],
] as const)(
  'rejects a token with a lower epoch than its %s; a missing epoch is the lowest',
  async (kind, claim, epoch) => {
    const id = kind === 'account' ? (await api.register(`epoch_${epoch}`)).id : `of-${kind}-0123456789`;
    const claims = { acct, gid: 'some-grant', [claim]: id };
    await database.db.query(revoke, [kind, String(id), 2]);
    const statuses = async () =>
      await Promise.all([undefined, 0, 1, 2, 3].map(async (of) => (await call({ ...claims, [epoch]: of })).status));
    await expect.poll(statuses).toEqual([401, 401, 401, 200, 200]);
    await database.db.query(revoke, [kind, String(id), null]);
    await expect.poll(async () => (await call({ ...claims, [epoch]: 99 })).status).toBe(401);
  },
);

test('rejects the tokens of a chain that ended, and no other token of its grant', async () => {
  const claims = { acct, gid: 'a grant of two' };
  await database.db.query(revoke, ['chain', 'the first', null]);
  const statuses = async () =>
    await Promise.all(['the first', 'the second', undefined].map(async (ch) => (await call({ ...claims, ch })).status));
  await expect.poll(statuses).toEqual([401, 200, 200]);
});

test('checking revocation needs no statement per request: the feed polls about three times a second', async () => {
  const claims = { acct, gid: 'some-grant', jti: 'the same token' };
  await call(claims);
  api.statements.length = 0;
  api.feedStatements.length = 0;
  const began = performance.now();
  const calls = 60;
  for (let count = 0; count < calls; count += 1) await call(claims);
  const seconds = (performance.now() - began) / 1000;
  expect(api.statements).toHaveLength(calls);
  expect(new Set(api.statements).size).toBe(1);
  expect(api.feedStatements.length).toBeLessThanOrEqual(Math.ceil(seconds / 0.3) + 1);
});
