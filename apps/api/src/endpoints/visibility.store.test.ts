import type { Route } from '@linnet/contract/route';
import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { routesByName } from '@linnet/contract/routes';
import { registerPerson, setProtected } from '@linnet/test/api/people';
import type { Person, Sent } from '@linnet/test/api/people';
import { caseOf, endpointCases } from '@linnet/test/api/endpoint-cases';
import { ok, showsSecret, viewers } from '@linnet/test/api/visibility-cases';
import type { Outcome, Scene, Viewer, VisibilityCase } from '@linnet/test/api/visibility-cases';
import { startApi } from '@linnet/test/api/running-api';
import type { RunningApi } from '@linnet/test/api/running-api';

/**
 * D25: who may see what of a protected account, for every route of the contract and every kind of viewer and of a deleted and a
 * suspended one. Independently of its case, no response to a viewer who may not see the post contains its text.
 */
const maySee: ReadonlySet<Viewer> = new Set(['self', 'approved', 'muting']);
const behindBlock: ReadonlySet<Viewer> = new Set(['blocked', 'blocking']);

let database: TestDatabase;
let api: RunningApi;
type People = Readonly<Record<'owner' | 'other' | Exclude<Viewer, 'self' | 'application'>, Person>>;
let people: People;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  people = await createPeople('matrix');
  const clientId = 'client-0123456789';
  await api.db.prisma.application.create({ data: { ownerId: people.other.id, clientId, name: 'App', type: 'public' } });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function createPeople(prefix: string): Promise<People> {
  const named = async (name: string) => await registerPerson(api, `${prefix}_${name}`);
  const created = {
    owner: await named('owner'),
    approved: await named('approved'),
    muting: await named('muting'),
    requested: await named('requested'),
    stranger: await named('stranger'),
    blocked: await named('blocked'),
    blocking: await named('blocking'),
    other: await named('other'),
  };
  const { owner, approved, muting, requested, stranger, blocked, blocking } = created;
  await setProtected(api, owner, true);
  for (const follower of [approved, muting, blocked, blocking]) {
    await follower.follows(owner);
    await owner.approves(follower);
  }
  await requested.follows(owner);
  // Their feeds contain what the approved follower reposts, except what is hidden from them.
  await Promise.all([requested, stranger, muting, blocked, blocking].map(async (one) => await one.follows(approved)));
  await muting.post('/mutes/add', { id: owner.id });
  await owner.post('/blocks/add', { id: blocked.id });
  await blocking.post('/blocks/add', { id: owner.id });
  return created;
}

const unique = () => crypto.randomUUID().slice(0, 8);

async function setScene(among: People = people): Promise<Scene> {
  const { owner, approved, other } = among;
  const secret = `secret_${unique()}`;
  const post = await owner.writes(`this is #${secret}`);
  await Promise.all([approved.likes(post), approved.reposts(post)]);
  const media = await attachMedia(owner, post);
  const comment = await owner.comments(post, `about ${secret}, @${approved.username}`);
  const named = Object.values(among).map(({ username }) => `@${username}`);
  const guestComment = await approved.comments(post, named.join(' '));
  const mention = await other.writes(`@${owner.username}`);
  const mentioningComment = await other.comments(mention, `@${owner.username}`);
  return { owner, approved, other, post, comment, guestComment, media, mention, mentioningComment, secret };
}

/** Only a record: the tests read records and addresses, not files. */
async function attachMedia(owner: Person, postId: number): Promise<Scene['media']> {
  const name = `${crypto.randomUUID().replaceAll('-', '')}.png`;
  const { id } = await api.db.prisma.media.create({
    data: { ownerId: owner.id, postId, name, bytes: 1, width: 1, height: 1 },
  });
  return { id: Number(id), name: name.slice(0, 32) };
}

function accountOf(viewer: Viewer, among: People = people): number | undefined {
  if (viewer === 'application') return undefined;
  return among[viewer === 'self' ? 'owner' : viewer].id;
}

async function send(route: Route, acct: number | undefined, input: Readonly<Record<string, unknown>>): Promise<Sent> {
  const claims = acct === undefined ? {} : { acct };
  if (route.methods[0] === 'POST') {
    const headers = { 'content-type': 'application/json' };
    return await api.call(`POST ${route.path}`, { claims, headers, body: JSON.stringify(input) });
  }
  const pairs = Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]);
  return await api.call(`GET ${route.path}?${new URLSearchParams(pairs).toString()}`, { claims });
}

function outcomeFor(route: Route, row: VisibilityCase, viewer: Viewer): Outcome {
  if (viewer === 'application' && route.requiresAccount) return [403, 'user-context-required'];
  const { hidden, behindBlock: afterBlock = hidden } = row.expected;
  const withoutAccess = behindBlock.has(viewer) ? afterBlock : hidden;
  return row.expected[viewer] ?? (maySee.has(viewer) ? ok : withoutAccess);
}

function seesIn({ leavesOutMuted = false }: VisibilityCase, viewer: Viewer): boolean {
  return maySee.has(viewer) && !(leavesOutMuted && viewer === 'muting');
}

const withoutId = ({ status, body }: Sent) => ({ status, body: { ...body, request_id: '' } });

test('every route of the contract has a case', () => {
  expect(Object.keys(endpointCases).toSorted((a, b) => a.localeCompare(b))).toEqual(
    Object.keys(routesByName).toSorted((a, b) => a.localeCompare(b)),
  );
});

const rows = Object.entries(routesByName).flatMap(([name, route]) =>
  caseOf(name).visibility.map((row) => [route.path, row.what, route, row] as const),
);

describe.each(rows)('%s: %s', (_path, _what, route, row) => {
  // Calls that only read or are refused leave it as it is.
  let shared: Promise<Scene> | undefined;
  const sceneFor = async (status: number) =>
    await (route.writes && status === 200 ? setScene() : (shared ??= setScene()));
  test.each(viewers)('as seen by %s', async (viewer) => {
    const [status, code] = outcomeFor(route, row, viewer);
    const scene = await sceneFor(status);
    const response = await send(route, accountOf(viewer), row.input(scene));
    expect([response.status, response.body.code]).toEqual([status, code]);
    // What the case expects to be visible, and whether the response contains the secret at all.
    const shows = status === 200 && row.shows?.(response.body, scene) === true;
    expect([shows, showsSecret(response.body, scene)]).toEqual([
      status === 200 && row.shows !== undefined && seesIn(row, viewer),
      maySee.has(viewer) && showsSecret(response.body, scene),
    ]);
    const isHidden = status === 404 && row.absent !== undefined;
    const absent = isHidden ? await send(route, accountOf(viewer), { ...row.input(scene), ...row.absent }) : response;
    expect(withoutId(response)).toEqual(withoutId(absent));
  });
});

/** How an account is gone. Of each state, people of their own: a write to the account may leave something. */
const states = { deleted: 'deletedAt', suspended: 'suspendedAt' } as const;
type State = keyof typeof states;

describe('a deleted and a suspended account: the same for everyone else (D111)', () => {
  let worlds: Readonly<Record<State, { readonly among: People; readonly scene: Scene }>>;

  async function leave(owner: Person, state: State): Promise<void> {
    const data = { deletedAt: null, suspendedAt: null, [states[state]]: new Date() };
    await api.db.prisma.account.update({ where: { id: owner.id }, data });
  }
  async function createWorld(state: State) {
    const among = await createPeople(state);
    const scene = await setScene(among);
    await setProtected(api, among.owner, false);
    await leave(among.owner, state);
    return { among, scene };
  }
  beforeAll(async () => {
    worlds = { deleted: await createWorld('deleted'), suspended: await createWorld('suspended') };
  });

  const others = ['approved', 'stranger', 'blocking', 'blocked', 'application'] as const;

  test.each(rows)('%s: %s', async (_path, _what, route, row) => {
    for (const viewer of others) {
      const responses = [];
      for (const state of ['deleted', 'suspended'] as const) {
        // Reads are of one account, so that their whole responses can be compared.
        const { among, scene } = worlds[route.writes ? state : 'deleted'];
        if (!route.writes) await leave(among.owner, state);
        const response = await send(route, accountOf(viewer, among), row.input(scene));
        const shows = response.status === 200 && row.shows?.(response.body, scene) === true;
        expect([viewer, response.status < 500, shows, showsSecret(response.body, scene)]).toEqual([
          ...[viewer, true],
          ...[false, false],
        ]);
        responses.push(route.writes ? [response.status, response.body.code] : withoutId(response));
        if (response.status !== 404 || row.absent === undefined) continue;
        const absent = await send(route, accountOf(viewer, among), { ...row.input(scene), ...row.absent });
        expect(withoutId(response)).toEqual(withoutId(absent));
      }
      expect(responses[1]).toEqual(responses[0]);
    }
  });
});

/** What comes without being asked for. Everything else shows a limited account to all who may see it. */
const unasked: ReadonlySet<string> = new Set([
  ...[
    '/search/posts',
    '/search/users',
    '/hashtags/search',
    '/hashtags/posts',
    '/feed',
    '/timeline/public',
    '/users/suggested',
  ],
]);

describe('a limited account: only its followers come across it (D177)', () => {
  let among: People;
  let scene: Scene;
  const limit = async (limitedAt: Date | null) =>
    await api.db.prisma.account.update({ where: { id: among.owner.id }, data: { limitedAt } });
  beforeAll(async () => {
    among = await createPeople('limited');
    scene = await setScene(among);
    await setProtected(api, among.owner, false);
  });

  const reads = rows.filter(([, , route]) => !route.writes);
  test.each(reads)('%s: %s', async (path, _what, route, row) => {
    const read = async (viewer: Viewer) => {
      const { body } = await send(route, accountOf(viewer, among), row.input(scene));
      const names = JSON.stringify(body).includes(among.owner.username);
      return [viewer, names, showsSecret(body, scene)];
    };
    for (const viewer of ['self', 'approved', 'stranger', 'application'] as const) {
      await limit(null);
      // The latest of all posts, so that the public timeline has it, and a mention of the account.
      if (path === '/timeline/public') {
        await among.other.writes(`@${among.owner.username}`);
        await among.owner.writes(scene.secret);
      }
      const before = await read(viewer);
      expect([viewer, path !== '/timeline/public' || before[2]]).toEqual([viewer, true]);
      await limit(new Date());
      const isForAll = path === '/timeline/public';
      const isLeftOut = unasked.has(path) && (isForAll || !maySee.has(viewer));
      // In the timeline, posts of others mention the account.
      expect(await read(viewer)).toEqual(isLeftOut ? [viewer, isForAll, false] : before);
    }
  });

  test('notifies only its followers', async () => {
    const { owner, stranger, approved } = among;
    await limit(new Date());
    await owner.writes(`@${stranger.username} @${approved.username} unasked`);
    const lists = Object.values(routesByName).filter(({ path }) => ['/notifications', '/mentions'].includes(path));
    expect(lists).toHaveLength(2);
    for (const list of lists) {
      const told = async ({ id }: Person) => JSON.stringify((await send(list, id, {})).body).includes('unasked');
      expect([await told(stranger), await told(approved)]).toEqual([false, true]);
      await limit(null);
      expect(await told(stranger)).toBe(true);
      await limit(new Date());
    }
  });
});

/** What somebody does to an account, its post and its comment on a post of somebody else. */
const towards: Readonly<Record<string, (target: Readonly<Record<'id' | 'post' | 'comment', number>>) => object>> = {
  '/follows/add': ({ id }) => ({ id }),
  '/mutes/add': ({ id }) => ({ id }),
  '/likes/add': ({ post }) => ({ item_id: post, type: 'post' }),
  '/reposts/add': ({ post }) => ({ item_id: post, type: 'post' }),
  '/bookmarks/add': ({ post }) => ({ item_id: post, type: 'post' }),
  '/comment/create': ({ post }) => ({ item_id: post, type: 'post', text: 'to the post' }),
  '/reports/create': ({ id }) => ({ item_id: id, type: 'account', reason: 'spam' }),
  '/reports/create of the post': ({ post }) => ({ item_id: post, type: 'post', reason: 'spam' }),
  '/reports/create of the comment': ({ comment }) => ({ item_id: comment, type: 'comment', reason: 'spam' }),
  '/blocks/add': ({ id }) => ({ id }),
};

describe('writes of a stranger towards an account', () => {
  /** Where they are refused as towards an unknown account. */
  const refused: Readonly<Record<string, RegExp>> = {
    limited: /^$/,
    protected: /likes|reposts|bookmarks|comment.create|of the post/,
    suspended: /./,
    deleted: /./,
  };
  const data = {
    limited: { limitedAt: new Date() },
    protected: { protected: true },
    suspended: { suspendedAt: new Date() },
    deleted: { deletedAt: new Date() },
  };

  async function meetIn(state: string) {
    const named = async (name: string) => await registerPerson(api, `${name}_${state}`);
    const [owner, stranger, host] = [await named('target'), await named('writer'), await named('host')];
    const hostPost = await host.writes('of somebody else');
    const target = { id: owner.id, post: await owner.writes('a post'), comment: await owner.comments(hostPost) };
    return { owner, stranger, hostPost, target };
  }

  test.each(Object.entries(data))('that is %s', async (state, change) => {
    const { owner, stranger, hostPost, target } = await meetIn(state);
    await api.db.prisma.account.update({ where: { id: owner.id }, data: change });
    for (const [name, toInput] of Object.entries(towards)) {
      const act = async (input: object) => withoutId(await stranger.post(name.split(' ')[0] ?? '', { ...input }));
      const found = await act(toInput(target));
      const isRefused = refused[state]?.test(name) === true;
      expect([name, found.status]).toEqual([name, isRefused ? 404 : 200]);
      expect(found).toEqual(isRefused ? await act(toInput({ id: 1, post: 1, comment: 1 })) : found);
    }
    // Behind a block, nobody is mentioned.
    await stranger.post('/blocks/delete', { id: owner.id });
    const text = `@${owner.username}`;
    const { items } = (await stranger.post('/post/create', { message: text })).body;
    const comment = await stranger.post('/comment/create', { item_id: hostPost, type: 'post', text });
    const mentions = [items, comment.body].map((written) => written.user_definition.length);
    expect([state, mentions]).toEqual([state, state === 'limited' ? [1, 1] : [0, 0]]);
  });
});
