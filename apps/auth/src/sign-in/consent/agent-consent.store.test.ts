import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { findElements } from '@linnet/test/auth/html';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import type { ThirdParty } from '@linnet/test/auth/third-party';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

/** Consent to an agent (decisions D185): its page, and its access, which ends. */
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browser: Browser;
let app: ThirdParty;
let people = 0;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  people += 1;
  browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, `person_${String(people)}`));
  app = await registerThirdParty(auth);
});

const scope = 'posts posts:propose users:read users posts:read openid';
const mcp = () => `${auth.baseUrl}/mcp`;
const isAgentPage = ({ html }: Page) => html.includes('data-testid="agent"');
const preselected = ({ html }: Page) =>
  findElements(html, 'input').flatMap(({ attributes }) =>
    attributes['name'] === 'duration' && 'checked' in attributes ? [attributes['value']] : [],
  );
const allow = async (page: Page, values: Readonly<Record<string, string | readonly string[]>> = {}) =>
  await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow', ...values });
const day = 86_400;

describe('what makes a request that of an agent', () => {
  test.each([
    ['the endpoint of agents', (base: string) => `${base}/mcp`, true],
    ['the same with a slash', (base: string) => `${base}/mcp/`, true],
    ['our API', (base: string) => `${base}/api/v2.0`, false],
    ['no resource', () => undefined, false],
  ])('%s', async (_, resourceOf, isAgent) => {
    const page = await app.send(browser, { scope, resource: resourceOf(auth.baseUrl) });
    expect([isAgentPage(page), preselected(page)]).toEqual([isAgent, [isAgent ? 'month' : 'until_stopped']]);
    // A form without the field means what is preselected.
    const { json } = await app.exchange(await allow(page, { duration: [] }));
    expect('authorization_expires_in' in json).toBe(isAgent);
  });

  test('a pushed request is no exception', async () => {
    const [, query = ''] = app.authorizationAddress({ scope, resource: mcp() }).split('?');
    const { json } = await auth.send({
      method: 'POST',
      path: '/oauth/par',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${btoa(`${app.clientId}:${app.clientSecret ?? ''}`)}`,
      },
      body: query,
    });
    const address = new URLSearchParams({ client_id: app.clientId, request_uri: String(json['request_uri']) });
    const page = await browser.open(`/oauth/authorize?${address.toString()}`);
    expect([isAgentPage(page), preselected(page)]).toEqual([true, ['month']]);
  });

  test('its permissions are in groups', async () => {
    const { html, text } = await app.send(browser, { scope, resource: mcp() });
    expect(text).toContain('This is an agent');
    expect(findElements(html, 'h3')).toHaveLength(4);
    expect(text).toMatch(
      / Read Read accounts .* Read posts .* Propose Propose posts .* Publish and delete .* Your account Manage your account/,
    );
    expect(findElements((await app.send(browser, { scope })).html, 'h3')).toHaveLength(0);
  });
});

describe('access ends', () => {
  test.each([
    ['day', [day - 60, day]],
    ['month', [30 * day - 60, 30 * day]],
    ['until_stopped', undefined],
  ])('%s: token responses say when, also after a refresh and when the person changes it', async (duration, bounds) => {
    const page = await app.send(browser, { scope, resource: mcp() });
    const { json } = await app.exchange(await allow(page, { duration }));
    const refreshed = await app.refresh(String(json['refresh_token']));
    for (const { authorization_expires_in: left } of [json, refreshed.json]) {
      const [least, most] = bounds ?? [];
      const isWithin = least === undefined ? left === undefined : Number(left) > least && Number(left) <= Number(most);
      expect([left, isWithin]).toEqual([left, true]);
    }
    await auth.db.prisma.grant.updateMany({
      where: { clientId: app.clientId },
      data: { endsAt: new Date(Date.now() + 120_000) },
    });
    const changed = await app.refresh(String(refreshed.json['refresh_token']));
    expect(Number(changed.json['authorization_expires_in'])).toBeLessThanOrEqual(120);
    expect(Number(changed.json['expires_in'])).toBeLessThanOrEqual(120);
  });

  test('D185 consent keeps the choice, and prompt=none works until the end', async () => {
    await allow(await app.send(browser, { scope: 'posts:read', resource: mcp() }), { duration: 'day' });
    expect(preselected(await app.send(browser, { scope, resource: mcp() }))).toEqual(['earlier']);
    const silent = async () => {
      const { url } = await app.send(browser, { scope: 'posts:read', resource: mcp(), prompt: 'none' });
      return url.searchParams.get('error') ?? url.searchParams.has('code');
    };
    expect(await silent()).toBe(true);
    await auth.db.prisma.grant.updateMany({ where: { clientId: app.clientId }, data: { endsAt: new Date() } });
    expect(await silent()).toBe('consent_required');
    expect(preselected(await app.send(browser, { scope, resource: mcp() }))).toEqual(['month']);
  });

  test('a person who chose access without expiry is not asked to shorten it', async () => {
    const request = { scope: 'posts:read', resource: mcp() };
    await allow(await app.send(browser, request), { duration: 'until_stopped' });
    expect(preselected(await app.send(browser, { ...request, prompt: 'consent' }))).toEqual(['until_stopped']);
  });
});
