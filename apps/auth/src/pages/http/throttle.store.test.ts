import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '../../testing/browser.ts';
import type { Browser } from '../../testing/browser.ts';
import { registerPerson, signIn } from '../../testing/person.ts';
import type { Person } from '../../testing/person.ts';
import { startAuth } from '../../testing/running-auth.ts';
import type { RunningAuth } from '../../testing/running-auth.ts';

const throttled = 'Too many attempts. Wait a few minutes and try again.';

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let auth: RunningAuth;
let ada: Person;
beforeAll(async () => {
  database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { trustProxy: 1 }));
  ada = await registerPerson(auth.db, 'ada_lovelace');
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  await auth.db.prisma.rateLimit.deleteMany();
});

function browserAt(address: string, server: RunningAuth = auth): Browser {
  return createBrowser(server, { headers: { 'x-forwarded-for': address } });
}

/** The statuses of `count` attempts, sent one after the other. */
async function guess(browser: Browser, login: string, count: number): Promise<number[]> {
  const page = await browser.open('/login');
  const statuses: number[] = [];
  for (let attempt = 1; attempt <= count; attempt += 1) {
    const values = { login, password: `guess ${String(attempt)}` };
    statuses.push((await browser.submitOnly(page, page.formWith('login'), values)).status);
  }
  return statuses;
}

const times = (count: number, status: number) => Array.from({ length: count }, () => status);

describe('UI11: guessing a password', () => {
  test('is blocked after ten attempts, even with the correct password; the typed name is shown again', async () => {
    const browser = browserAt('192.0.2.1');
    expect(await guess(browser, ada.username, 50)).toEqual([...times(10, 422), ...times(40, 429)]);
    const page = await signIn(browser, ada);
    expect(page.status).toBe(429);
    expect(page.text).toContain(throttled);
    expect(Object.fromEntries(page.formWith('login').fields)).toMatchObject({ login: ada.username, password: '' });
    expect(Number(page.headers['retry-after'])).toBeGreaterThan(800);
    expect(Number(page.headers['retry-after'])).toBeLessThanOrEqual(900);
  });

  test('never locks out the owner, who signs in from another network', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8::1']) await guess(browserAt(address), ada.username, 12);
    for (const address of ['198.51.100.7', '2001:db8:0:1::1']) {
      expect((await signIn(browserAt(address), ada)).url.pathname).toBe('/developer');
    }
  });

  test('is allowed again after the window', async () => {
    await guess(browserAt('192.0.2.1'), ada.username, 12);
    await auth.db.prisma.$executeRaw`UPDATE rate_limit SET expire = expire - interval '901 seconds'`;
    expect((await signIn(browserAt('192.0.2.1'), ada)).url.pathname).toBe('/developer');
    expect(await guess(browserAt('192.0.2.1'), ada.username, 11)).toEqual([...times(10, 422), 429]);
  });

  test('concurrent attempts are all counted', async () => {
    const browser = browserAt('192.0.2.1');
    const page = await browser.open('/login');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, attempt) =>
        browser.submitOnly(page, page.formWith('login'), { login: ada.username, password: String(attempt) }),
      ),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  test('the correct password resets the counter', async () => {
    const browser = browserAt('192.0.2.1');
    for (let round = 0; round < 3; round += 1) {
      expect(await guess(browser, ada.username, 9)).toEqual(times(9, 422));
      expect((await signIn(createBrowser(auth, { headers: { 'x-forwarded-for': '192.0.2.1' } }), ada)).status).not.toBe(
        429,
      );
    }
  });

  test('counts all spellings of a name together, whether or not the account exists', async () => {
    for (const [first, second] of [
      [' ADA_lovelace', 'ada_LOVELACE '],
      ['nobody_at_all', 'NOBODY_AT_ALL'],
    ] as const) {
      const browser = browserAt('192.0.2.1');
      expect(await guess(browser, first, 10)).toEqual(times(10, 422));
      expect(await guess(browser, second, 1)).toEqual([429]);
    }
  });
});

describe('UI11: a network', () => {
  test('that tries many accounts is blocked after a hundred attempts', { timeout: 240_000 }, async () => {
    const browser = browserAt('192.0.2.1');
    const page = await browser.open('/login');
    const statuses: number[] = [];
    // More at once would be too many for the queue of passwords.
    for (const size of [50, 50, 3]) {
      const attempts = Array.from({ length: size }, async (_, index) => {
        const login = `person_${String(statuses.length + index)}`;
        return (await browser.submitOnly(page, page.formWith('login'), { login, password: 'x' })).status;
      });
      statuses.push(...(await Promise.all(attempts)));
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
    expect((await signIn(browser, ada)).status).toBe(429);
    expect((await signIn(browserAt('192.0.2.2'), ada)).url.pathname).toBe('/developer');
  });

  test('is not blocked for others by attempts at one account', async () => {
    await guess(browserAt('192.0.2.1'), 'somebody_else', 110);
    expect((await signIn(browserAt('192.0.2.1'), ada)).url.pathname).toBe('/developer');
  });

  test('is not taken from a forged X-Forwarded-For', async () => {
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 11; attempt += 1) {
      const browser = browserAt(`203.0.113.${String(attempt)}, 192.0.2.1`);
      statuses.push(...(await guess(browser, ada.username, 1)));
    }
    expect(statuses).toEqual([...times(10, 422), 429]);
  });

  test('in IPv6 is its /64 prefix', async () => {
    expect(await guess(browserAt('2001:db8:1:2::1'), ada.username, 10)).toEqual(times(10, 422));
    expect(await guess(browserAt('2001:db8:1:2:ffff::2'), ada.username, 1)).toEqual([429]);
  });

  test('attempts count across processes', async () => {
    await using other = await startAuth(database.url, { trustProxy: 1, owner: 'owner_of_another' });
    await guess(browserAt('192.0.2.1'), ada.username, 10);
    expect(await guess(browserAt('192.0.2.1', other), ada.username, 1)).toEqual([429]);
  });

  test('names and e-mail addresses are neither stored nor logged', async () => {
    auth.log.length = 0;
    await guess(browserAt('192.0.2.1'), ada.email, 11);
    const keys = (await auth.db.prisma.rateLimit.findMany()).map(({ key }) => key).join(' ');
    expect(keys).not.toContain('ada');
    const lines = auth.log.map((line): Record<string, unknown> => JSON.parse(line));
    const refusals = lines.filter(({ msg }) => msg === 'sign-in refused');
    expect(refusals.map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 10 }, () => 'credentials'),
      'throttled',
    ]);
    expect(auth.log.join('')).not.toContain(ada.email);
  });
});

describe('mass registration', () => {
  const person = (index: number) => ({
    first_name: 'Ada',
    last_name: 'Byron',
    username: `crowd_${String(index)}`,
    email: `crowd_${String(index)}@example.org`,
    password: 'nanosecond',
  });

  test('is blocked after forty registrations from one network, and from that network only', async () => {
    const browser = browserAt('192.0.2.1');
    const page = await browser.open('/register');
    const form = page.formWith('first_name');
    const answers = await Promise.all(
      Array.from({ length: 42 }, (_, index) => browser.submitOnly(page, form, person(index))),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(40);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(2);
    expect(refused[0]?.text).toContain('Too many accounts were created from your network');
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(3500);
    const elsewhere = browserAt('192.0.2.2');
    const other = await elsewhere.open('/register');
    expect((await elsewhere.submitOnly(other, other.formWith('first_name'), person(100))).status).toBe(303);
  });

  test('an invalid form is not counted', async () => {
    const browser = browserAt('192.0.2.1');
    const page = await browser.open('/register');
    for (let attempt = 0; attempt < 41; attempt += 1) {
      const values = { ...person(200), password: 'short' };
      expect((await browser.submitOnly(page, page.formWith('first_name'), values)).status).toBe(422);
    }
    expect((await browser.submitOnly(page, page.formWith('first_name'), person(200))).status).toBe(303);
  });
});

test('RATE_LIMITS=off counts nothing', async () => {
  await using free = await startAuth(database.url, { rateLimits: false, owner: 'owner_without_limits' });
  expect(await guess(createBrowser(free), ada.username, 12)).toEqual(times(12, 422));
  expect(await auth.db.prisma.rateLimit.count()).toBe(0);
});
