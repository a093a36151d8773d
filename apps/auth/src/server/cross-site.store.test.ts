import { createServer } from 'node:http';
import { once } from 'node:events';

import { grantOperator } from '@linnet/accounts/operators/role-store';
import { createTestDatabase } from '@linnet/test/db/test-database';
import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import type { ListedForm } from '../pages/form/form-pages.ts';
import { createBrowser } from '@linnet/test/auth/browser';
import type { Browser } from '@linnet/test/auth/browser';
import { createOnPage } from '@linnet/test/auth/developer';
import { dumpDatabase } from '@linnet/test/auth/dump';
import { registerPerson, signIn } from '@linnet/test/auth/person';
import type { Person } from '@linnet/test/auth/person';
import { listPages } from '@linnet/test/auth/listed-pages';
import { sendTo, startAuth } from '@linnet/test/auth/running-auth';
import type { Answer, RunningAuth, SentRequest } from '@linnet/test/auth/running-auth';
import { registerThirdParty } from '@linnet/test/auth/third-party';

/**
 * UI3 and UI13 for every form of the server. The forms are taken from the tables that also route them, so a new form is
 * tested without a change here.
 */
const forms = listPages().flatMap((pages) => pages.forms);

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let ada: Browser;
let bob: Person;
/** The token of `ada`, and one that belongs to another browser. */
let tokens: { readonly own: string; readonly foreign: string };
let clientId: string;
let interaction: string;
let accountId: number;

beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url, { rateLimits: false }));
  const [person, other] = [await registerPerson(auth.db, 'cross_site_ada'), createBrowser(auth)];
  accountId = person.id;
  ada = createBrowser(auth);
  await signIn(ada, person);
  bob = await registerPerson(auth.db, 'cross_site_bob');
  await signIn(other, bob);
  tokens = { own: await tokenOf(ada), foreign: await tokenOf(other) };
  ({ clientId } = await createOnPage(ada, { redirect_uris: 'https://app.example.com/cb' }));
  interaction = (await (await registerThirdParty(auth)).send(ada)).url.pathname;
  // People with an authenticator app have to confirm their identity before forms that ask for the password, too.
  await auth.db.prisma.totp.create({ data: { accountId, secretJwe: 'x', lastStep: 1 } });
  await grantOperator(auth.db, 'cross_site_ada');
});
afterAll(() => cleanup.disposeAsync());

async function tokenOf(one: Browser): Promise<string> {
  return (await one.open('/account/profile')).formWith('csrf').fields.find(([name]) => name === 'csrf')?.[1] ?? '';
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined: no field for it. */
  readonly csrf: string | undefined;
}

/** The fields that make the content of a form need a recent sign-in. */
const contents: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  save: { name: 'Weather Bird', redirect_uris: 'https://elsewhere.example.com/cb' },
  begin: { flow: 'person', scope: 'users', secret_source: 'make' },
};

type ToServer = (request: SentRequest) => Promise<Answer>;

const fromHere = { origin: 'null', 'sec-fetch-site': 'same-origin' };

const fetched = {
  ...{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  'sec-fetch-user': '?1',
};

/** What browsers send with a form of our own page. */
const browsers = (origin: string): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  'WebKit 15, and proxies that remove Sec-Fetch': { origin, referer: `${origin}/` },
  Chromium: { ...fetched, origin, referer: `${origin}/`, 'sec-ch-ua': '"Chromium";v="142"', 'sec-ch-ua-mobile': '?0' },
  'Firefox ESR': { ...fetched, origin, referer: `${origin}/`, priority: 'u=0, i' },
  'an extension that hides the referrer': fromHere,
});

interface FormName extends Pick<ListedForm, 'path' | 'kind' | 'action'> {
  readonly browser?: Browser;
}

async function send(form: FormName, { headers = fromHere, csrf }: Sent, toServer?: ToServer): Promise<Answer> {
  const { path, browser = ada } = form;
  const address = path.replace('/interaction/:uid', interaction).replace(':clientId', clientId);
  const { type, body } = await encode(form, csrf);
  const request: SentRequest = {
    method: 'POST',
    path: address,
    headers: { ...headers, cookie: browser.cookies.headerFor(address) ?? '', 'content-type': type },
    body,
  };
  return await (toServer === undefined ? auth.send(request) : toServer(request));
}

async function encode({ kind, action }: FormName, csrf: string | undefined) {
  const body = kind === 'file' ? new FormData() : new URLSearchParams(contents[action ?? '']);
  if (csrf !== undefined) body.append('csrf', csrf);
  if (action !== undefined) body.append('action', action);
  const encoded = new Response(body);
  return { type: encoded.headers.get('content-type') ?? '', body: Buffer.from(await encoded.arrayBuffer()) };
}

/** What another site can send: with the person's cookies, as if they were not SameSite. */
const attacks: Readonly<Record<string, () => Sent>> = {
  'a foreign Origin': () => ({ headers: { origin: 'https://evil.example' }, csrf: tokens.own }),
  'Sec-Fetch-Site: cross-site': () => ({ headers: { ...fromHere, 'sec-fetch-site': 'cross-site' }, csrf: tokens.own }),
  'Sec-Fetch-Site: same-site': () => ({ headers: { ...fromHere, 'sec-fetch-site': 'same-site' }, csrf: tokens.own }),
  'a sandboxed frame': () => ({ headers: { origin: 'null' }, csrf: tokens.own }),
  'no token': () => ({ csrf: undefined }),
  'the token of another browser': () => ({ csrf: tokens.foreign }),
};

/** The attacks that were not refused with 403 or changed something. */
async function findBreaches(form: FormName, toServer?: ToServer): Promise<readonly string[]> {
  const before = await dumpDatabase(auth.db);
  const breaches: string[] = [];
  for (const [name, attack] of Object.entries(attacks)) {
    const { status } = await send(form, attack(), toServer);
    if (status !== 403) breaches.push(`${name}: ${String(status)}`);
  }
  return (await dumpDatabase(auth.db)) === before ? breaches : [...breaches, 'the database changed'];
}

const named = forms.map((form) => ({ ...form, name: [form.path, form.action ?? form.kind].join(' ') }));

test('the tables list every form', () => {
  expect(forms.length).toBeGreaterThan(45);
  expect(new Set(named.map(({ name }) => name)).size).toBe(forms.length);
});

describe.each(named)('UI3: $name', (form) => {
  test('is refused from other sites, and changes nothing', async () => {
    expect(await findBreaches(form)).toEqual([]);
  });
});

describe.each(named.filter(({ stepUp = 'none' }) => stepUp !== 'none'))('UI13: $name', (form) => {
  test('needs a recent sign-in, and changes nothing before', async () => {
    await setSignInAge('30 minutes');
    const before = await dumpDatabase(auth.db);
    const { status, text } = await send(form, { csrf: tokens.own });
    expect([status, text.includes('data-testid="confirm-identity"')]).toEqual([403, true]);
    expect(await dumpDatabase(auth.db)).toBe(before);
    await setSignInAge('0 minutes');
  });
});

describe.each(named)('$name', (form) => {
  test('is accepted from its own page after a sign-in', async () => {
    const visitor = createBrowser(auth);
    await signIn(visitor, bob);
    const own = { ...form, browser: visitor };
    const csrf = await tokenOf(visitor);
    for (const [name, headers] of Object.entries(browsers(auth.baseUrl))) {
      expect([name, (await send(own, { headers, csrf })).status]).not.toEqual([name, 403]);
    }
  });
});

test('a planted route without the check is found', async () => {
  const app = new Koa();
  app.use(async (ctx) => {
    await auth.db.prisma.account.update({ where: { id: accountId }, data: { description: 'planted' } });
    ctx.status = 303;
  });
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const breaches = await findBreaches({ path: '/planted', kind: 'form' }, (request) => sendTo(port, request));
  server.close();
  expect(breaches).toEqual([...Object.keys(attacks).map((name) => `${name}: 303`), 'the database changed']);
});

async function setSignInAge(age: string): Promise<void> {
  await auth.db.prisma.$executeRaw`
    UPDATE session SET payload = jsonb_set(payload, '{loginTs}',
      to_jsonb(extract(epoch FROM now() - ${age}::interval)::bigint)) WHERE account_id = ${accountId}`;
}
