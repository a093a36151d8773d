import { setTimeout as delay } from 'node:timers/promises';

import { createApplications } from '@linnet/applications/applications';
import { createBrowser } from '../support/auth/browser.ts';
import type { Browser } from '../support/auth/browser.ts';
import { connect } from '../support/auth/connected.ts';
import { registerPerson, signIn } from '../support/auth/person.ts';
import { basic } from '../support/auth/running-auth.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startRevocationServers } from '../support/revocation-servers.ts';
import type { RevocationServers } from '../support/revocation-servers.ts';
import { eventually } from '../support/service.ts';

/** Tokens that are issued while something is revoked are rejected a second later. `pnpm test:long` runs more rounds. */

const rounds = Math.ceil(Number(process.env['RACE_ROUNDS'] ?? 20) / 4);

let servers: RevocationServers;
let browser: Browser;
beforeAll(async () => {
  servers = await startRevocationServers(inject('databaseServer'));
  await registerPerson(servers.database.db, 'revocable_owner');
  browser = createBrowser(servers.auth);
  await signIn(browser, await registerPerson(servers.database.db, 'revocable_person'));
});
afterAll(() => servers[Symbol.asyncDispose]());

/** The statuses of the first API server. */
async function statusesOf(tokens: readonly string[]): Promise<Set<number>> {
  return new Set(await Promise.all(tokens.map(async (token) => await servers.decideApi(0, token))));
}

test(
  `RT9 R6 a refresh token is revoked while it is refreshed: no token stays active, ${String(rounds)} rounds`,
  { timeout: 3_600_000 },
  async () => {
    const issued: string[] = [];
    const refreshTokens: (() => Promise<{ json: { readonly [name: string]: unknown } }>)[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const app = await connect(servers.auth, browser, { type: 'public' });
      const refreshes = Array.from({ length: 8 }, async (_, index) => {
        await delay(index);
        return await app.refresh(app.refreshToken);
      });
      await delay(round % 10);
      const revoking = servers.manage('/oauth/revoke', app, { token: app.refreshToken });
      const responses = await Promise.all(refreshes);
      expect((await revoking).status).toBe(200);
      for (const { status, json } of responses) {
        if (status !== 200) continue;
        issued.push(json.access_token);
        refreshTokens.push(async () => await app.refresh(String(json['refresh_token'])));
      }
      refreshTokens.push(async () => await app.refresh(app.refreshToken));
      issued.push(app.accessToken);
    }
    await delay(1000);
    expect(issued.length).toBeGreaterThan(rounds);
    expect(await statusesOf(issued)).toEqual(new Set([401]));
    for (const refresh of refreshTokens) expect((await refresh()).json['error']).toBe('invalid_grant');
  },
);

test(
  `tokens that are issued while another process suspends the application are rejected a second later, ${String(rounds)} rounds`,
  { timeout: 3_600_000 },
  async () => {
    const { clientId, clientSecret } = await servers.auth.register({ actAsOwner: true });
    const applications = createApplications(servers.database.db);
    const request = async () =>
      await servers.auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, clientSecret));
    for (let round = 0; round < rounds; round += 1) {
      const issued: string[] = [];
      const over = new AbortController();
      const load = Array.from({ length: 4 }, async () => {
        while (!over.signal.aborted) {
          const { status, json } = await request();
          if (status === 200) issued.push(json.access_token);
        }
      });
      await eventually('tokens are issued', () => issued.length > 4);
      await applications.suspend(clientId);
      await delay(400);
      over.abort();
      await Promise.all(load);
      await delay(1000);
      const isUnknown = async () => (await request()).json['error'] === 'invalid_client';
      await eventually('the authorization server has read the suspension', isUnknown);
      expect(await statusesOf(issued)).toEqual(new Set([401]));
      await applications.restore(clientId);
      await delay(1000);
      expect(await statusesOf(issued)).toEqual(new Set([401]));
    }
  },
);

test(
  `a grant is narrowed while it is refreshed: no token with the old scopes stays active, ${String(rounds)} rounds`,
  { timeout: 3_600_000 },
  async () => {
    const wide: string[] = [];
    const narrow: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const app = await connect(servers.auth, browser, { type: 'public' });
      const page = await browser.open(`/account/applications/${app.clientId}`);
      const refreshes = Array.from({ length: 8 }, async (_, index) => {
        await delay(index);
        return await app.refresh(app.refreshToken);
      });
      await delay(round % 10);
      const narrowing = browser.submit(page, page.formOf('change-application'), { scope: [] });
      const responses = await Promise.all(refreshes);
      expect((await narrowing).status).toBe(200);
      for (const { json } of responses) (json.scope === 'users posts' ? narrow : wide).push(json.access_token);
      wide.push(app.accessToken);
      const { json } = await app.refresh(String(responses[0]?.json['refresh_token']));
      expect(json.scope).toBe('users posts');
      narrow.push(json.access_token);
    }
    await delay(1000);
    expect(await statusesOf(wide)).toEqual(new Set([401]));
    expect(await statusesOf(narrow)).toEqual(new Set([200]));
    process.stdout.write(
      `${String(wide.length)} tokens with the old scopes: rejected; ${String(narrow.length)} others\n`,
    );
  },
);
