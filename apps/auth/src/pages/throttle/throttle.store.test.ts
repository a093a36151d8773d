import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser, Page } from '@linnet/test/auth/browser';
import { linkIn, mailTo } from '@linnet/test/auth/mailbox';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

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
  await makeGuessesCheap(ada);
});

/** Stores a hash of the same password at the least cost, until the next sign-in: attempts are about their number alone. */
async function makeGuessesCheap({ id }: Pick<Person, 'id'>): Promise<void> {
  const passwordHash = '$argon2id$v=19$m=8,t=1,p=1$6nKguxIA8K3XGbp/x/WhRw$dBg77GBPb+f2UXeZjuQWvTQnIsILWYpzrkP/Sw5b/iw';
  await auth.db.prisma.account.update({ where: { id }, data: { passwordHash } });
}

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

/** Moves all counters into the past, as if the time had passed. */
async function pass(seconds: number): Promise<void> {
  await auth.db.prisma.$executeRaw`UPDATE rate_limit SET expire = expire - make_interval(secs => ${seconds})`;
}

const hour = 3600;

/** Makes each wait an hour longer, so that a slow machine cannot outlast one of seconds. */
async function prolongWaits(): Promise<void> {
  await pass(-hour);
}

const retryAfter = (page: { readonly headers: Page['headers'] }) => Number(page.headers['retry-after']);

const times = (count: number, status: number) => Array.from({ length: count }, () => status);

describe('UI11: guessing a password', () => {
  test('has to wait after ten attempts, even with the correct password; the typed name is shown again', async () => {
    const browser = browserAt('192.0.2.1');
    expect(await guess(browser, ada.username, 50)).toEqual([...times(10, 422), ...times(40, 429)]);
    const page = await signIn(browser, ada);
    expect(page.status).toBe(429);
    expect(page.text).toContain(throttled);
    expect(Object.fromEntries(page.formWith('login').fields)).toMatchObject({ login: ada.username, password: '' });
    expect(retryAfter(page)).toBeLessThanOrEqual(30);
  });

  test('waits twice as long after each further attempt, for at most 15 minutes', async () => {
    const browser = browserAt('192.0.2.1');
    await guess(browser, ada.username, 10);
    for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
      await prolongWaits();
      const page = await signIn(browser, { ...ada, password: 'wrong' });
      expect(page.status).toBe(429);
      expect(retryAfter(page)).toBeLessThanOrEqual(hour + seconds);
      await pass(hour + seconds);
      expect(await guess(browser, ada.username, 1)).toEqual([422]);
    }
    await pass(900);
    expect((await signIn(browser, ada)).url.pathname).toBe('/');
  });

  test('never locks out the owner, who signs in from another network', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8::1']) await guess(browserAt(address), ada.username, 12);
    for (const address of ['198.51.100.7', '2001:db8:0:1::1']) {
      expect((await signIn(browserAt(address), ada)).url.pathname).toBe('/');
    }
  });

  test('starts again after an hour without attempts', async () => {
    await guess(browserAt('192.0.2.1'), ada.username, 12);
    await pass(hour + 1);
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
  test('that tries many accounts has to wait for seconds after a hundred attempts', { timeout: 240_000 }, async () => {
    const browser = browserAt('192.0.2.1');
    const page = await browser.open('/login');
    const statuses: number[] = [];
    // More at once would be too many for the queue of passwords.
    for (const size of [50, 50]) {
      const attempts = Array.from({ length: size }, async (_, index) => {
        const login = `person_${String(statuses.length + index)}`;
        return (await browser.submitOnly(page, page.formWith('login'), { login, password: 'x' })).status;
      });
      statuses.push(...(await Promise.all(attempts)));
    }
    expect(statuses).toEqual(times(100, 422));
    await prolongWaits();
    const waiting = await signIn(browser, ada);
    expect(waiting.status).toBe(429);
    expect(retryAfter(waiting)).toBeLessThanOrEqual(hour + 5);
    expect((await signIn(browserAt('192.0.2.2'), ada)).url.pathname).toBe('/');
    // Bystanders are slowed down, not locked out.
    await pass(hour + 5);
    expect((await signIn(browserAt('192.0.2.1'), ada)).url.pathname).toBe('/');
  });

  test('is not blocked for others by attempts at one account', async () => {
    await guess(browserAt('192.0.2.1'), 'somebody_else', 110);
    expect((await signIn(browserAt('192.0.2.1'), ada)).url.pathname).toBe('/');
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

describe('UI11: guessing one password from many networks', () => {
  async function guessFromNetworks(login: string, count: number): Promise<number[]> {
    const statuses: number[] = [];
    for (let index = 1; index <= count; index += 1) {
      statuses.push(...(await guess(browserAt(`198.51.100.${String(index)}`), login, 1)));
    }
    return statuses;
  }

  test('has to wait after fifty attempts; an account that does not exist behaves the same', async () => {
    for (const username of [ada.username, 'nobody_at_all']) {
      expect(await guessFromNetworks(username, 50)).toEqual(times(50, 422));
      await prolongWaits();
      const page = await signIn(browserAt('203.0.113.1'), { username, password: ada.password });
      expect(page.status).toBe(429);
      expect(retryAfter(page)).toBeLessThanOrEqual(hour + 5);
      await pass(hour);
    }
    await pass(5);
    expect((await signIn(browserAt('203.0.113.1'), ada)).url.pathname).toBe('/');
  });

  test('mails the owner once a day, in whichever way the account is named', async () => {
    await auth.db.prisma.mail.deleteMany();
    const mails = async () => await auth.db.prisma.mail.findMany({ where: { kind: 'sign_in_attempts' } });
    await guessFromNetworks(ada.username, 20);
    expect(await mails()).toEqual([]);
    await guessFromNetworks(ada.username, 3);
    expect(await mails()).toMatchObject([{ accountId: BigInt(ada.id), recipient: ada.email }]);
    await guessFromNetworks(ada.email.toUpperCase(), 22);
    expect(await mails()).toHaveLength(1);
    await pass(24 * hour + 1);
    await guessFromNetworks(ada.username, 22);
    expect(await mails()).toHaveLength(2);
    await guessFromNetworks('nobody_at_all', 22);
    expect(await mails()).toHaveLength(2);
    await auth.deliverMail();
    const received = (await mailTo(auth.mailDirectory, ada.email)).filter(({ text }) =>
      text.includes('wrong passwords'),
    );
    expect(received).toHaveLength(2);
    expect(received[0]?.subject).toMatch(/^Someone is guessing your .* password$/);
    expect(received[0]?.text).toContain('/account/security');
  });
});

describe('UI11: a browser that has signed in to the account before', () => {
  const cookieName = '__Host-linnet_known_browser';

  async function signOut(browser: Browser): Promise<void> {
    const page = await browser.open('/logout');
    await browser.submit(page, page.formOf('sign-out'));
  }

  /** Signed in once, signed out again. */
  async function knownBrowser(person: Person): Promise<Browser> {
    const browser = browserAt('192.0.2.1');
    await signIn(browser, person);
    await signOut(browser);
    return browser;
  }

  /** From now on everybody else waits: who is at 192.0.2.1, and who signs in to `person` from anywhere. */
  async function attack(person: Person): Promise<void> {
    if (person.password === ada.password) await makeGuessesCheap(person);
    for (const part of [1, 2, 3, 4, 5]) await guess(browserAt(`192.0.2.${String(part)}`), person.username, 10);
    await prolongWaits();
    expect((await signIn(browserAt('192.0.2.1'), person)).status).toBe(429);
    expect((await signIn(browserAt('203.0.113.9'), person)).status).toBe(429);
  }

  test('is not slowed down by attempts from elsewhere, nor from its own network', async () => {
    const browser = await knownBrowser(ada);
    await attack(ada);
    expect((await signIn(browser, ada)).url.pathname).toBe('/');
    await signOut(browser);
    expect((await signIn(browser, { ...ada, username: ada.email })).url.pathname).toBe('/');
  });

  test('has attempts of its own, which slow down nobody else', async () => {
    const browser = await knownBrowser(ada);
    expect(await guess(browser, ada.username, 10)).toEqual(times(10, 422));
    await prolongWaits();
    expect(await guess(browser, ada.username, 1)).toEqual([429]);
    expect((await signIn(browserAt('192.0.2.1'), ada)).url.pathname).toBe('/');
    await pass(hour + 30);
    expect((await signIn(browser, ada)).url.pathname).toBe('/');
  });

  test('is known for its accounts only', async () => {
    const eve = await registerPerson(auth.db, 'eve_elsewhere');
    const browser = await knownBrowser(eve);
    await attack(ada);
    expect((await signIn(browser, ada)).status).toBe(429);
    expect((await signIn(browser, eve)).url.pathname).toBe('/');
  });

  test('remembers several accounts', async () => {
    const grace = await registerPerson(auth.db, 'grace_hopper');
    const browser = await knownBrowser(ada);
    await signIn(browser, grace);
    await signOut(browser);
    await attack(ada);
    expect((await signIn(browser, ada)).url.pathname).toBe('/');
  });

  test('is forgotten when the password changes, except for the browser that changed it', async () => {
    const bob = await registerPerson(auth.db, 'bob_changes');
    const stolen = await knownBrowser(bob);
    const own = browserAt('192.0.2.1');
    await signIn(own, bob);
    const page = await own.open('/account/password');
    const changed = { ...bob, password: 'another long one' };
    const values = { current_password: bob.password, new_password: changed.password };
    expect((await own.submit(page, page.formOf('change-password'), values)).status).toBe(200);
    await signOut(own);
    await attack(changed);
    expect((await signIn(stolen, changed)).status).toBe(429);
    expect((await signIn(own, changed)).url.pathname).toBe('/');
  });

  test('is one that has reset the password by mail', async () => {
    const joan = await registerPerson(auth.db, 'joan_clarke');
    await auth.deliverMail();
    const browser = browserAt('192.0.2.1');
    const asked = await browser.open('/password/forgot');
    await browser.submit(asked, asked.formWith('email'), { email: joan.email });
    await auth.deliverMail();
    const mails = await mailTo(auth.mailDirectory, joan.email);
    const mail = mails.find(({ text }) => text.includes('/password/reset'));
    if (mail === undefined) throw new Error('no link arrived');
    const page = await browser.open(linkIn(mail));
    const changed = { ...joan, password: 'another long one' };
    await browser.submit(page, page.formOf('reset-password'), { new_password: changed.password });
    await attack(changed);
    expect((await signIn(browser, changed)).url.pathname).toBe('/');
  });

  test('is known by a sealed cookie that scripts cannot read, and that nobody can make', async () => {
    const browser = browserAt('192.0.2.1');
    const page = await browser.open('/login');
    const response = await browser.submitOnly(page, page.formWith('login'), {
      login: ada.username,
      password: ada.password,
    });
    const lines = response.headers['set-cookie']?.filter((line) => line.startsWith(cookieName)) ?? [];
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/; path=\/; expires=[^;]+; samesite=lax; secure; httponly$/i);
    await attack(ada);
    const forged = browserAt('192.0.2.1');
    forged.cookies.take([`${cookieName}=e30.e30.e30.e30.e30; Path=/; Secure; HttpOnly`], '/');
    expect((await signIn(forged, ada)).status).toBe(429);
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

  test('is blocked after ten registrations for one mailbox, from all networks', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1) {
      const browser = browserAt(`198.51.100.${String(index)}`);
      const page = await browser.open('/register');
      const values = { ...person(300 + index), email: `victim+${String(index)}@example.org` };
      statuses.push((await browser.submitOnly(page, page.formWith('first_name'), values)).status);
    }
    expect(statuses).toEqual([...times(10, 303), 429]);
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
