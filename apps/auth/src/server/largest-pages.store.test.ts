/**
 * No page may block the other requests of its process for long, whatever its data. Each page is filled with the most
 * that it can have, and the CPU time of its request is measured: it is never less than the time that the request blocks.
 */
import { createTestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { toHtml } from '../pages/frame/render.tsx';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { createOnPage } from '@linnet/test/auth/developer';
import {
  connectedClientId,
  fillLargestData,
  largestApiId,
  largestCaseId,
  longAddress,
} from '@linnet/test/auth/largest-data';
import { fillLargestPosts } from '@linnet/test/auth/largest-posts';
import { listPages } from '@linnet/test/auth/listed-pages';
import { registerOperator } from '@linnet/test/auth/operator';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth } from '@linnet/test/auth/running-auth';
import { samplePage } from '@linnet/test/auth/sample-pages';
import { registerThirdParty } from '@linnet/test/auth/third-party';

/** Who opens the page. `returning` is the owner, who signed in long ago; `newcomer` is signed in and has no data. */
type Visitor = 'owner' | 'returning' | 'newcomer' | 'nobody' | 'operator';

interface Row {
  readonly as: Visitor;
  /** What fills it; `none` for a page without data. */
  readonly data: string;
  /** Sizes between which the page is then. */
  readonly kilobytes: readonly [least: number, most: number];
  readonly statuses: readonly number[];
}

const none = (as: Visitor): Row => ({ as, data: 'none', kilobytes: [0, 25], statuses: [200, 303, 400, 404] });

function largest(data: string, most: number): Row {
  return { as: 'owner', data, kilobytes: [most * 0.7, most], statuses: [200] };
}

/**
 * Every page, by its path. A page without data may still show names and e-mail addresses. With ordinary data, pages are below 50 KB
 * (test/e2e/links.test.ts). Those with a higher limit here exceed it only because each character is an entity of five, in addresses of
 * 2048 characters and texts of 1000, because each post consists of hashtags, or because a developer has as much as the service allows.
 */
const rows: Readonly<Record<string, Row>> = {
  '/login': none('nobody'),
  '/login/second-factor': none('nobody'),
  '/login/provider': none('nobody'),
  '/login/restore': none('nobody'),
  '/register': none('nobody'),
  '/logout': none('newcomer'),
  '/oauth/logout': none('newcomer'),
  '/oauth/logout/confirm': none('newcomer'),
  '/interaction/:uid': largest('consent: every scope with its reason, links', 50),
  '/interaction/:uid/register': none('owner'),
  '/interaction/:uid/second-factor': none('owner'),
  '/interaction/:uid/provider': none('owner'),
  '/interaction/:uid/restore': none('owner'),
  '/interaction/:uid/restart': none('owner'),
  '/verify-email': none('nobody'),
  '/password/forgot': none('nobody'),
  '/password/reset': none('nobody'),
  '/oauth/device': none('newcomer'),
  '/reauthenticate': { ...largest('20 passkeys', 40), as: 'returning' },
  '/developer': largest('25 applications', 25),
  '/developer/applications/new': none('newcomer'),
  '/developer/applications/:clientId': largest('5 secrets', 18),
  '/developer/applications/:clientId/credentials': largest('5 secrets', 25),
  '/developer/applications/:clientId/danger': none('owner'),
  '/developer/applications/:clientId/settings': largest('20 redirect URIs', 500),
  '/developer/applications/:clientId/activity': largest('10 failed and 100 successful requests', 120),
  '/developer/applications/:clientId/appearance': largest('links', 80),
  '/developer/applications/:clientId/usage': largest('30 days, 60 endpoints', 40),
  '/developer/applications/:clientId/usage.csv': largest('90 days of 60 endpoints', 600),
  '/developer/applications/:clientId/webhooks': largest('5 endpoints with 10 messages each', 150),
  '/developer/applications/:clientId/history': largest('50 events', 45),
  '/developer/applications/:clientId/playground': largest('10 requests with long responses', 58),
  '/developer/test-people': none('newcomer'),
  '/developer/apis': largest('10 APIs with 30 scopes, 20 entries of their history', 225),
  '/developer/apis/new': { ...largest('25 applications that can introspect', 25), kilobytes: [6, 25] },
  '/developer/apis/:apiId': { ...largest('30 scopes, 25 applications that can introspect', 75), kilobytes: [40, 75] },
  '/developer/playground/callback': none('newcomer'),
  '/account': largest('numbers of sessions and applications', 5),
  '/account/profile': largest('the profile', 8),
  '/account/username': none('newcomer'),
  '/account/posts': largest('20 posts of hashtags', 110),
  '/follow/:username': { ...largest('20 posts of hashtags', 110), as: 'newcomer' },
  '/reply/:id': { ...largest('20 comments of hashtags', 240), as: 'newcomer' },
  '/report/:type/:id': none('newcomer'),
  '/account/notifications': none('newcomer'),
  '/account/invitations': largest('20 links with long notes', 40),
  '/account/followers': largest('follow requests, followers', 50),
  '/account/hidden': largest('long filters, mutes, blocks', 50),
  '/account/applications': largest('20 connected applications', 165),
  '/account/applications/:clientId': largest('every scope with its reason', 16),
  '/account/sessions': largest('20 sessions', 20),
  '/account/password': none('newcomer'),
  '/account/email': none('newcomer'),
  '/account/activity': largest('50 entries', 40),
  '/account/activity/not-me': none('newcomer'),
  '/account/export': none('newcomer'),
  '/account/import': none('newcomer'),
  '/account/delete': none('newcomer'),
  '/account/security': largest('20 passkeys, an authenticator app', 26),
  '/account/security/authenticator': none('newcomer'),
  '/account/security/provider': none('newcomer'),
  '/account/security/new-passkey': largest('20 passkeys that must not be added again', 45),
  '/admin': none('operator'),
  '/admin/confirm': none('operator'),
  '/admin/registrations': none('operator'),
  '/admin/blocks': none('operator'),
  '/admin/reports': { ...largest('50 cases', 50), as: 'operator' },
  '/admin/reports/:caseId': { ...largest('20 long reports', 170), as: 'operator' },
  '/admin/people': { ...largest('50 people', 52), as: 'operator' },
  '/admin/people/chosen': none('operator'),
  '/admin/applications': { ...largest('20 applications', 24), as: 'operator' },
  '/admin/applications/chosen': none('operator'),
  '/admin/applications/:clientId': { ...largest('5 long redirect URIs, 20 events', 22), as: 'operator' },
  '/admin/audit': { ...largest('50 events', 35), as: 'operator' },
  '/admin/people/:accountId': { ...largest('10 sessions, 10 connected apps, 20 events', 55), as: 'operator' },
};

/** Set by `pnpm test:long`, on machines that do nothing else. */
const maxMilliseconds = inject('pageMilliseconds') ?? Infinity;

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let browsers: Readonly<Record<Visitor, Browser>>;
let clientId: string;
let accountId: number;
let interaction: string;
let postId: number;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(
    await startAuth(database.url, { rateLimits: false, registration: 'approval', mayPeopleInvite: true }),
  );
  const open = () => createBrowser(auth);
  const { browser: operator } = await registerOperator(auth, 'largest_operator');
  browsers = { owner: open(), returning: open(), newcomer: open(), nobody: open(), operator };
  const owner = await registerPerson(auth.db, 'largest_owner');
  accountId = owner.id;
  await signIn(browsers.returning, owner);
  await auth.db.prisma
    .$executeRaw`UPDATE session SET payload = payload || '{"loginTs": 1}' WHERE account_id = ${owner.id}`;
  await signIn(browsers.owner, owner);
  const newcomer = await registerPerson(auth.db, 'largest_newcomer');
  await signIn(browsers.newcomer, newcomer);
  ({ clientId } = await createOnPage(browsers.owner, { redirect_uris: 'https://app.example.com/cb' }));
  const thirdParty = await registerThirdParty(auth, {
    redirectUris: [longAddress()],
    scopes: ['users', 'posts', 'email', 'users:read', 'posts:read', 'posts:propose'],
  });
  await fillLargestData(auth.db, { ownerId: owner.id, othersId: auth.ownerId, clientId });
  postId = await fillLargestPosts(auth.db, { authorId: owner.id, readerId: newcomer.id });
  const scope = 'users posts email users:read posts:read posts:propose';
  const sent = await thirdParty.send(browsers.owner, { scope, redirect_uri: longAddress(), state: 'a'.repeat(1024) });
  interaction = sent.url.pathname;
});
afterAll(() => cleanup.disposeAsync());

/** CPU time of this process in milliseconds: the median of five, after the code has been compiled. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    if (round >= 3) times.push((user + system) / 1000);
  }
  return times.toSorted((a, b) => a - b)[2] ?? 0;
}

/** What the machine needs for 1000 small pages, whatever else it does: ten times what it needs for a hundred. */
async function measureUnit(): Promise<number> {
  const page = samplePage('login with passkeys');
  const milliseconds = await measure(async () => {
    for (let count = 0; count < 100; count += 1) toHtml(page);
    await Promise.resolve();
  });
  return 10 * milliseconds;
}

async function request(path: string, as: Visitor): Promise<Answer> {
  const application = path.startsWith('/account') ? connectedClientId : clientId;
  const address = path
    .replace('/interaction/:uid', interaction)
    .replace(':clientId', application)
    .replace(':accountId', String(accountId))
    .replace(':apiId', largestApiId)
    .replace(':username', 'largest_owner')
    .replace(':id', String(postId))
    .replace(':caseId', largestCaseId);
  const cookie = browsers[as].cookies.headerFor(address);
  return await auth.send({
    path: address,
    headers: { accept: 'text/html', ...(cookie === undefined ? {} : { cookie }) },
  });
}

test('the table has every page', () => {
  const paths = listPages().flatMap((pages) => pages.paths);
  expect(Object.keys(rows).toSorted()).toEqual([...new Set(paths)].toSorted());
});

describe.each(Object.entries(rows))('%s', (path, { as, kilobytes: [least, most], statuses }) => {
  test('has a limited size with its largest data', async () => {
    const { status, text } = await request(path, as);
    expect(statuses).toContain(status);
    const kilobytes = Buffer.byteLength(text) / 1000;
    expect(kilobytes).toBeGreaterThan(least);
    expect(kilobytes).toBeLessThan(most);
  });

  test('takes little CPU time', async () => {
    const unit = await measureUnit();
    const milliseconds = await measure(async () => await request(path, as));
    expect(milliseconds).toBeLessThan(5 * unit);
    expect(milliseconds).toBeLessThan(maxMilliseconds);
  });
});

test.each([
  ['/account/sessions', 'end-session', 501],
  ['/account/applications', 'revoke-application', 501],
])('%s shows its whole list on several pages', async (path, testId, total) => {
  let count = 0;
  for (let address: string | undefined = path; address !== undefined;) {
    const page = await browsers.owner.open(address);
    count += page.html.split(`data-testid="${testId}"`).length - 1;
    address = /href="([^"]*)" rel="next"/.exec(page.html)?.[1];
  }
  expect(count).toBe(total);
});
