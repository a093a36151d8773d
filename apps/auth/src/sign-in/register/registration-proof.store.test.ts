// Proofs of work on the registration page (REGISTRATION_PROOF).
import { createInvitation } from '@linnet/accounts/registrations/invitation-store';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { findElements } from '@linnet/test/auth/html';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';
import { createTestDatabase } from '@linnet/test/db/test-database';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { en } from '../../pages/i18n/en/en.ts';

const { notices, errors } = en.signIn.register;
const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let inviting: RunningAuth;
beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const settings = { registrationProof: true, rateLimits: false };
  auth = cleanup.use(await startAuth(url, settings));
  inviting = cleanup.use(await startAuth(url, { ...settings, registration: 'invitation', owner: 'owner_inviting' }));
});
afterAll(() => cleanup.disposeAsync());

let people = 0;
function newcomer() {
  people += 1;
  const username = `newcomer_${String(people)}`;
  return { first_name: 'Ada', last_name: 'Byron', username, email: `${username}@example.org`, password: 'nanosecond' };
}

type Challenge = Parameters<typeof solveChallenge>[0]['challenge'];

/** The challenge of a page, and its answer. */
async function solve(html: string) {
  const place = findElements(html, 'p').find(({ attributes }) => 'data-proof' in attributes);
  const challenge: Challenge = JSON.parse(place?.attributes['data-proof'] ?? '');
  const { counter = 0, derivedKey = '' } = (await solveChallenge({ challenge, deriveKey })) ?? {};
  return { challenge, solution: { counter, derivedKey } };
}

async function send(browser: Browser, proof: unknown, person = newcomer(), invitation = '') {
  const page = await browser.open(`/register?invitation=${invitation}`);
  const typed = { ...person, proof: typeof proof === 'string' ? proof : JSON.stringify(proof) };
  return await browser.submit(page, page.formWith('first_name'), typed);
}

const find = async (email: string) => ({
  account: await auth.db.prisma.account.findUnique({ where: { emailCi: email } }),
  request: await auth.db.prisma.registrationRequest.findUnique({ where: { emailCi: email } }),
});

test('D187 with a proof, the account is created', async () => {
  const browser = createBrowser(auth);
  const person = newcomer();
  const shown = await browser.open('/register');
  expect(shown.headers['content-security-policy']).toMatch(/script-src \S+\/proof\.js; worker-src \S+\/pbkdf2\.js;/);
  const page = await send(browser, await solve(shown.html), person);
  expect(page.hops[0]?.status).toBe(303);
  expect(await find(person.email)).toMatchObject({ account: { mark: null }, request: null });
});

test('D187 it holds inside the sign-in of an application, too', async () => {
  const browser = createBrowser(auth);
  const login = await (await registerThirdParty(auth)).send(browser);
  const shown = await browser.open(login.link('Create an account'), login);
  const [early, person] = [newcomer(), newcomer()];
  const waiting = await browser.submit(shown, shown.formWith('first_name'), early);
  expect(waiting.text).toContain(notices.pending.title);
  const proof = JSON.stringify(await solve(shown.html));
  await browser.submit(shown, shown.formWith('first_name'), { ...person, proof });
  expect(await find(early.email)).toMatchObject({
    account: null,
    request: { mark: 'no_proof', clientId: expect.any(String) },
  });
  expect(await find(person.email)).toMatchObject({ account: { mark: null }, request: null });
});

test.each([
  ['open', false],
  ['invitation', true],
])('D187 without one, an operator decides, and sees why: %s', async (_mode, isInvited) => {
  const person = newcomer();
  const { code } = await createInvitation(auth.db, { note: '', maxUses: 1, days: 1 });
  const page = await send(createBrowser(isInvited ? inviting : auth), '', person, isInvited ? code : '');
  expect(page.text).toContain(notices.pending.title);
  expect(await find(person.email)).toMatchObject({ account: null, request: { mark: 'no_proof' } });
});

test('two at once with the same proof: one gets an account', async () => {
  const proof = await solve((await createBrowser(auth).open('/register')).html);
  const both = [newcomer(), newcomer()];
  const pages = await Promise.all(both.map(async (person) => await send(createBrowser(auth), proof, person)));
  expect(pages.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  const refused = pages.findIndex(({ status }) => status === 422);
  expect(pages[refused]?.text).toContain(errors.proof);
  const found = await Promise.all(both.map(async ({ email }) => await find(email)));
  expect(found.map(({ account, request }) => [account !== null, request !== null])).toEqual(
    both.map((_, index) => [index !== refused, false]),
  );
});

test('what is no proof is refused, changes nothing, and brings a new challenge', async () => {
  const shown = await createBrowser(auth).open('/register');
  const { challenge, solution } = await solve(shown.html);
  const [nonce, salt] = [challenge.parameters.nonce, challenge.parameters.salt].map((text) => Buffer.from(text, 'hex'));
  // The key of another counter, which the library accepts if it is not signed.
  const start = Buffer.concat([nonce ?? Buffer.alloc(0), Buffer.alloc(4)]);
  const { derivedKey } = await deriveKey(challenge.parameters, salt ?? Buffer.alloc(0), start);
  const first = Buffer.from(derivedKey).toString('hex');
  const answers = [
    'x',
    'null',
    '['.repeat(5000),
    { challenge, solution: { ...solution, derivedKey: 'abc' } },
    { challenge, solution: { counter: 0, derivedKey: first } },
    { challenge: { ...challenge, parameters: { ...challenge.parameters, cost: 1 } }, solution },
    { challenge: { ...challenge, parameters: { ...challenge.parameters, data: [[]] } }, solution },
    { challenge: { parameters: challenge.parameters }, solution },
  ];
  for (const answer of answers) {
    const person = newcomer();
    const page = await send(createBrowser(auth), answer, person);
    expect([page.status, page.text.includes(errors.proof)]).toEqual([422, true]);
    expect(await find(person.email)).toEqual({ account: null, request: null });
    expect(page.html).toContain('data-proof=');
    expect(page.html).not.toContain(challenge.parameters.nonce);
  }
});

test('a proof counts for an hour', async () => {
  const [early, late] = await Promise.all(
    [1, 2].map(async () => await solve((await createBrowser(auth).open('/register')).html)),
  );
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3590_000 });
  try {
    expect((await send(createBrowser(auth), early)).status).toBe(200);
    vi.setSystemTime(Date.now() + 20_000);
    expect((await send(createBrowser(auth), late)).status).toBe(422);
  } finally {
    vi.useRealTimers();
  }
});
