import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createBrowser } from '../support/auth/browser.ts';
import type { Browser } from '../support/auth/browser.ts';
import { createDpopKey } from '../support/auth/dpop-key.ts';
import type { DpopKey } from '../support/auth/dpop-key.ts';
import { connect } from '../support/auth/connected.ts';
import type { Connected } from '../support/auth/connected.ts';
import { registerPerson, signIn } from '../support/auth/person.ts';
import { basic, startAuth } from '../support/auth/running-auth.ts';
import type { Answer, RunningAuth } from '../support/auth/running-auth.ts';
import { createTestDatabase } from '../support/db/test-database.ts';
import { RefreshModel } from './refresh-model.ts';

/**
 * Random refreshes of one sign-in by its owner, whose responses get lost and who sleeps for hours, and by a thief, at two
 * servers, compared with a model. MODEL_STEPS is their number. A failure prints its seed: MODEL_SEED=<seed> repeats it.
 */

const steps = Number(process.env['MODEL_STEPS'] ?? 400);
const firstSeed = Number(process.env['MODEL_SEED'] ?? Date.now() % 2 ** 31);
/** Sequences that run side by side, so that neither the servers nor the database wait. */
const lanes = steps > 10_000 ? 8 : 1;
/** Sequences of one seed. */
const numRuns = 20;

const cleanup = new AsyncDisposableStack();
let servers: readonly [RunningAuth, RunningAuth];
let keys: Readonly<Record<Key, DpopKey>>;

beforeAll(async () => {
  const { url } = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const start = async (owner: string) => cleanup.use(await startAuth(url, { owner, rateLimits: false }));
  servers = [await start('owner_of_all'), await start('owner_of_others')];
  keys = { own: await createDpopKey(servers[0]), other: await createDpopKey(servers[0]) };
});
afterAll(() => cleanup.disposeAsync());

/** A person, and an application of each kind that nobody else uses. */
interface World {
  readonly browser: Browser;
  readonly apps: Readonly<Record<Kind, Connected>>;
}

async function createWorld(lane: number): Promise<World> {
  const [auth] = servers;
  const browser = createBrowser(auth);
  await signIn(browser, await registerPerson(auth.db, `model_person_${String(lane)}`));
  const [confidential, unbound, bound] = [
    await connect(auth, browser),
    await connect(auth, browser, { type: 'public' }),
    await connect(auth, browser, { type: 'public' }),
  ];
  return { browser, apps: { confidential, unbound, bound } };
}

type Kind = 'confidential' | 'unbound' | 'bound';
type Key = 'own' | 'other';

interface Event {
  readonly does: 'refresh' | 'lose' | 'sleep' | 'steal' | 'intrude';
  /** Of the requests: how many are sent at once. */
  readonly times: number;
  /** Which server is first. */
  readonly odd: boolean;
}

/** One authorization, and the tokens that its owner and a thief have. */
class SignIn {
  readonly model = new RefreshModel();
  readonly kind: Kind;
  readonly app: Connected;
  /** By which its tokens are found. */
  readonly grantId: string;
  readonly thiefKey: Key | undefined;
  token: string;
  stolen: string | undefined;
  hasIntruded = false;

  constructor({
    kind,
    app,
    grantId,
    thiefKey,
    token,
  }: Pick<SignIn, 'kind' | 'app' | 'grantId' | 'thiefKey' | 'token'>) {
    this.kind = kind;
    this.app = app;
    this.grantId = grantId;
    this.thiefKey = thiefKey;
    this.token = token;
    if (kind === 'bound') this.model.bind(token, 'own');
  }

  get ownKey(): Key | undefined {
    return this.kind === 'bound' ? 'own' : undefined;
  }

  async send(token: string, key: Key | undefined, server: number): Promise<Answer> {
    const { clientId, clientSecret } = this.app;
    const credentials = clientSecret === undefined ? {} : basic(clientId, clientSecret);
    const form = {
      grant_type: 'refresh_token',
      refresh_token: token,
      ...(clientSecret === undefined && { client_id: clientId }),
    };
    const proof = key === undefined ? {} : { dpop: await keys[key].prove() };
    return await servers[server % 2 === 0 ? 0 : 1].requestToken(form, { ...credentials, ...proof });
  }

  /** Everything that was used is as old as the model says, however slow this machine is. */
  async pass(hours: number): Promise<void> {
    this.model.sleep(hours);
    await servers[0].db.prisma.$executeRaw`UPDATE oauth_artifact SET consumed_at = CASE
        WHEN ${hours} > 0 THEN consumed_at - make_interval(hours => ${hours}::int)
        WHEN consumed_at > now() - interval '10 minutes' THEN now() ELSE consumed_at END
      WHERE grant_id = ${this.grantId}`;
  }
}

/** Sends a token `times` at once, and compares each response with the model. */
async function expectPresented(one: SignIn, token: string, { key, times, odd }: Sent): Promise<string | undefined> {
  const expected = one.model.present(token, one.kind === 'confidential' ? undefined : key);
  const answers = await Promise.all(
    Array.from({ length: times }, async (_, index) => await one.send(token, key, index + Number(odd))),
  );
  const got = new Set(answers.map(({ json }) => json['refresh_token'] ?? json['error']));
  expect([one.kind, expected, got.size, got.has('invalid_grant')]).toEqual([
    one.kind,
    expected,
    1,
    expected === 'refused',
  ]);
  if (expected === 'refused') return undefined;
  const successor = String([...got][0]);
  one.model.follow(token, successor, expected);
  return successor;
}

type Sent = Omit<Event, 'does'> & { readonly key: Key | undefined };

const happens: Readonly<Record<Event['does'], (one: SignIn, event: Event) => Promise<unknown>>> = {
  sleep: async (one, { times }) => await one.pass(times),
  steal: async (one) => (one.stolen = one.token),
  lose: async (one, event) => await expectPresented(one, one.token, { ...event, key: one.ownKey }),
  refresh: async (one, event) => {
    one.token = (await expectPresented(one, one.token, { ...event, key: one.ownKey })) ?? one.token;
  },
  intrude: async (one, event) => {
    if (one.stolen === undefined) return;
    const got = await expectPresented(one, one.stolen, { ...event, key: one.thiefKey });
    one.stolen = got ?? one.stolen;
    one.hasIntruded ||= got !== undefined || one.model.isEnded;
  },
};

/** Never two branches; what the model calls ended is ended, and nothing else. */
async function expectSameState({ model, app, grantId }: SignIn, chain: string): Promise<void> {
  const [state] = await servers[0].db.prisma.$queryRaw<readonly [{ newest: number; ended: number }]>`
    SELECT (SELECT count(*)::int FROM oauth_artifact
             WHERE grant_id = ${grantId} AND chain_id = ${chain} AND kind = 'RefreshToken' AND consumed_at IS NULL) AS newest,
           (SELECT count(*)::int FROM ended_chain WHERE id = ${chain}) AS ended`;
  expect(state.newest).toBeLessThanOrEqual(1);
  expect([app.clientId, state.ended]).toEqual([app.clientId, model.isEnded ? 1 : 0]);
}

/** Owner and thief continue with what they have: the second one meets the use of the other. */
const settlement = ['sleep', 'refresh', 'sleep', 'intrude', 'sleep', 'refresh'] as const;

const events = fc.array(
  fc.record<Event>({
    does: fc.constantFrom('refresh', 'refresh', 'lose', 'sleep', 'steal', 'intrude'),
    times: fc.integer({ min: 1, max: 4 }),
    odd: fc.boolean(),
  }),
  { maxLength: 30, size: 'max' },
);

const numbers = { steps: 0, endings: 0, intrusions: 0 };

interface Case {
  readonly kind: Kind;
  readonly thiefKey: Key | undefined;
  readonly sequence: readonly Event[];
}

async function run({ browser, apps }: World, { kind, thiefKey, sequence }: Case): Promise<void> {
  const { prisma } = servers[0].db;
  const app = apps[kind];
  const callback = await app.authorize(browser);
  const proof: Readonly<Record<string, string>> = kind === 'bound' ? { dpop: await keys.own.prove() } : {};
  const { json } = await app.exchange(callback, proof);
  const token = String(json['refresh_token']);
  const idSha256 = createHash('sha256').update(token).digest();
  const where = { kind_idSha256: { kind: 'RefreshToken', idSha256 } };
  const { chainId, grantId } = await prisma.oAuthArtifact.findUniqueOrThrow({ where });
  const one = new SignIn({ kind, app, grantId: String(grantId), thiefKey, token });
  for (const event of [...sequence, ...settlement.map((does) => ({ does, times: 1, odd: false }))]) {
    await one.pass(0);
    await happens[event.does](one, event);
    await expectSameState(one, String(chainId));
    numbers.steps += 1;
  }
  expect([kind, 'ended', one.model.isEnded]).toEqual([kind, 'ended', one.hasIntruded]);
  numbers.endings += Number(one.model.isEnded);
  numbers.intrusions += Number(one.hasIntruded);
  // A step looks through the tokens of the grant.
  await prisma.$executeRaw`DELETE FROM oauth_artifact WHERE grant_id = ${grantId}`;
}

/** Runs until all lanes have done all steps. */
async function runLane(lane: number): Promise<void> {
  const world = await createWorld(lane);
  for (let seed = firstSeed + lane; numbers.steps < steps; seed += lanes) {
    const cases = fc.record<Case>({
      kind: fc.constantFrom('confidential', 'unbound', 'bound'),
      thiefKey: fc.constantFrom(undefined, 'other'),
      sequence: events,
    });
    await fc.assert(
      fc.asyncProperty(cases, async (one) => await run(world, one)),
      { numRuns, seed },
    );
    // As autovacuum would: otherwise tables keep what was deleted, and the plans are those of empty ones.
    if (lane === 0) {
      await servers[0].db.prisma.$executeRaw`VACUUM (ANALYZE) oauth_artifact, session, ended_chain, request_log`;
    }
  }
}

test(
  'RT4 D183 lost responses, sleep and parallel refreshes end no sign-in, and every theft ends its own',
  { timeout: 600_000 + steps * 20 },
  async () => {
    await Promise.all(Array.from({ length: lanes }, async (_, lane) => await runLane(lane)));
    expect(numbers.endings).toBe(numbers.intrusions);
    expect(numbers.endings).toBeGreaterThan(0);
    process.stdout.write(`refreshes: ${JSON.stringify(numbers)}, from seed ${String(firstSeed)}\n`);
  },
);
