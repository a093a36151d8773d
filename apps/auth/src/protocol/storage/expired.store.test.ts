// The sweep removes expired rows, but none that is still needed.
import { statement } from '@linnet/db/statement/statement';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { connect } from '@linnet/test/auth/connected';
import type { Connected } from '@linnet/test/auth/connected';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { sweepExpired } from './artifact-store.ts';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let person: Person;
let browser: Browser;
let app: Connected;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  person = await registerPerson(auth.db, 'expiring_person');
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  await run('DELETE FROM "grant" WHERE kind = \'consent\'');
  await run('DELETE FROM session');
  await run('DELETE FROM oauth_artifact');
  browser = createBrowser(auth);
  await signIn(browser, person);
  app = await connect(auth, browser);
});

async function run(sql: string): Promise<void> {
  await auth.db.query(statement<readonly [], never>('', sql), []);
}

const sweep = async () => await sweepExpired(auth.db, new AbortController().signal);

async function count() {
  const { oAuthArtifact, session, grant } = auth.db.prisma;
  return { artifacts: await oAuthArtifact.count(), sessions: await session.count(), grants: await grant.count() };
}

/** Sets the expiry of all tokens and sessions to this many hours ago. */
async function setExpiry(hoursAgo: number): Promise<void> {
  for (const table of ['oauth_artifact', 'session']) {
    await run(`UPDATE ${table} SET expires_at = now() - interval '${String(hoursAgo)} hours'`);
  }
}

const refresh = async (token: string): Promise<Answer> => await app.refresh(token);

const invalidGrant = { status: 400, json: { error: 'invalid_grant' } };

test('keeps active rows, and used tokens so that their replay is detected', async () => {
  const renewed = await refresh(app.refreshToken);
  expect((await refresh(String(renewed.json['refresh_token']))).status).toBe(200);
  const before = await count();
  expect(before).toMatchObject({ sessions: 1, grants: 1 });
  await sweep();
  await setExpiry(23);
  await sweep();
  expect(await count()).toEqual(before);
  // The used token is still stored as consumed, so its replay ends the chain.
  await run(
    `UPDATE oauth_artifact SET expires_at = now() + interval '1 day', consumed_at = consumed_at - interval '1 minute'`,
  );
  await sweep();
  expect(await refresh(app.refreshToken)).toMatchObject(invalidGrant);
  expect(await refresh(String(renewed.json['refresh_token']))).toMatchObject(invalidGrant);
  expect(await auth.db.prisma.endedChain.count()).toBe(1);
});

test('keeps a used token as long as its successor, if that was not used', async () => {
  const { json } = await refresh(app.refreshToken);
  await run(`UPDATE oauth_artifact SET consumed_at = now() - interval '2 days', expires_at = now() - interval '25 hours',
      payload = jsonb_set(payload, '{exp}', to_jsonb(floor(EXTRACT(EPOCH FROM now() - interval '25 hours')))) WHERE consumed_at IS NOT NULL`);
  await sweep();
  const repeated = await refresh(app.refreshToken);
  expect([repeated.status, repeated.json['refresh_token'] === json['refresh_token']]).toEqual([200, false]);
});

test('deletes codes, tokens, interactions and sessions a day after they expire; they remain invalid', async () => {
  const unused: Page = await app.authorize(browser);
  await setExpiry(25);
  await sweep();
  expect(await count()).toEqual({ artifacts: 0, sessions: 0, grants: 1 });
  expect(await refresh(app.refreshToken)).toMatchObject(invalidGrant);
  expect(await app.exchange(unused)).toMatchObject(invalidGrant);
  expect((await browser.open('/account')).url.pathname).toBe('/login');
});

test('deletes a grant 90 days after its revocation, and never an active one', async () => {
  await run(`UPDATE "grant" SET created_at = now() - interval '3 years'`);
  await sweep();
  expect(await refresh(app.refreshToken)).toMatchObject({ status: 200 });
  await run(`UPDATE "grant" SET revoked_at = now() - interval '89 days'`);
  await sweep();
  expect(await count()).toMatchObject({ grants: 1 });
  await run(`UPDATE "grant" SET revoked_at = now() - interval '91 days'`);
  await sweep();
  expect(await count()).toMatchObject({ grants: 0 });
  expect(await refresh(app.refreshToken)).toMatchObject(invalidGrant);
});

test('deletes many rows in batches, found by an index', async () => {
  await run(`INSERT INTO oauth_artifact (kind, id_sha256, payload, expires_at)
    SELECT 'RefreshToken', sha256(n::text::bytea), '{}', now() - interval '2 days' FROM generate_series(1, 2500) AS n`);
  auth.statements.length = 0;
  await sweep();
  expect(await auth.db.prisma.oAuthArtifact.count({ where: { expiresAt: { lt: new Date() } } })).toBe(0);
  const sweeps = auth.statements.filter((text) => text.includes('DELETE FROM'));
  expect(sweeps.map((text) => /DELETE FROM (\S+)/.exec(text)?.[1])).toEqual([
    ...Array.from({ length: 3 }, () => 'oauth_artifact'),
    'ended_chain',
    'session',
    '"grant"',
    'token_status',
  ]);
  for (const [index, name] of [
    'oauth_artifact_expires_at_idx',
    'ended_chain_ended_at_idx',
    'session_expires_at_idx',
    'grant_revoked_at_idx',
  ].entries()) {
    expect(await planOf(sweeps[index + 2] ?? '')).toMatch(new RegExp(`Index Scan (using|on) ${name}`));
  }
});

/** The plan that PostgreSQL uses for a table that is too large for a sequential scan. */
async function planOf(sql: string): Promise<string> {
  return await auth.db.transaction(async (tx) => {
    await tx.query(statement<readonly [], never>('', 'SET LOCAL enable_seqscan = off'), []);
    const explain = statement<readonly [], { 'QUERY PLAN': string }>('', `EXPLAIN ${sql.replace('$1', '1000')}`);
    return (await tx.query(explain, [])).map((line) => line['QUERY PLAN']).join('\n');
  });
}
