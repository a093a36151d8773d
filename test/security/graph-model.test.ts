import { createTestDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { findCounterMismatches } from '../support/db/counters.ts';
import { registerPerson, setProtected } from '../support/api/people.ts';
import type { Person, Sent } from '../support/api/people.ts';
import { startApi } from '../support/api/running-api.ts';
import type { RunningApi } from '../support/api/running-api.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { GraphModel } from './graph-model.ts';
import type { Expected, ModelComment, ModelPerson, ModelPost } from './graph-model.ts';

/**
 * Random actions of a few people, compared with a model of responses and state. A failure prints its seed:
 * MODEL_SEED=<seed> repeats it. MODEL_SECONDS runs it for that long.
 */

/** The usual run has a fixed number of sequences, so that its result does not depend on how busy the machine is. */
const usualRuns = 12;
const seconds = process.env['MODEL_SECONDS'];
const seed = process.env['MODEL_SEED'];
const maxPeople = 5;

let database: TestDatabase;
let api: RunningApi;
const names = { last: 0 };

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** The API's records, in the same order as those of the model. */
class World {
  readonly people: Person[] = [];
  readonly posts: number[] = [];
  readonly comments: number[] = [];

  async register(): Promise<void> {
    names.last += 1;
    this.people.push(await registerPerson(api, `model_${String(names.last)}`));
  }
}

/** Picks one record in the model and the API. `number` may exceed their count. */
function pick<In, Out>(modelled: readonly In[], real: readonly Out[], number: number): readonly [In, Out] {
  const index = number % modelled.length;
  const [one, other] = [modelled[index], real[index]];
  if (one === undefined || other === undefined) throw new Error('the model and the API have different records');
  return [one, other];
}

/** The person who acts, the other person, and the post or comment. Small numbers, so that the same are picked often. */
interface Picks {
  readonly who: number;
  readonly other: number;
  readonly record: number;
}

interface Turn {
  readonly model: GraphModel;
  readonly who: readonly [ModelPerson, Person];
  readonly other: readonly [ModelPerson, Person];
}

type Action = (turn: Turn, world: World, picks: Picks) => Promise<void>;

function expectResponse({ status, body }: Sent, expected: Expected): void {
  expect([status, ...(expected[1] === undefined ? [] : [body.count])]).toEqual([...expected]);
}

/** An action on a post, which may be deleted. */
function toPost(
  expected: (model: GraphModel, who: ModelPerson, post: ModelPost) => Expected,
  send: (who: Person, post: number) => Promise<Sent>,
): Action {
  return async ({ model, who }, world, { record }) => {
    if (model.posts.length === 0) return;
    const [post, id] = pick(model.posts, world.posts, record);
    expectResponse(await send(who[1], id), expected(model, who[0], post));
  };
}

function toPerson(
  expected: (model: GraphModel, who: ModelPerson, other: ModelPerson) => Expected,
  send: (who: Person, other: Person) => Promise<Sent>,
): Action {
  return async ({ model, who, other }) => {
    expectResponse(await send(who[1], other[1]), expected(model, who[0], other[0]));
  };
}

const actions: Readonly<Record<string, Action>> = {
  register: async ({ model }, world) => {
    if (model.people.length >= maxPeople) return;
    model.register();
    await world.register();
  },
  write: async ({ model, who, other }, world) => {
    const text = `modelled @${other[1].username}`;
    model.write(who[0], other[0], text);
    world.posts.push(await who[1].writes(text));
  },
  edit: async ({ model, who, other }, world, { record, other: number }) => {
    if (model.posts.length === 0) return;
    const [post, id] = pick(model.posts, world.posts, record);
    const text = `${number % 2 === 0 ? 'modelled' : 'edited'} @${other[1].username}`;
    const sent = await who[1].post('/post/edit', { id, message: text });
    expectResponse(sent, model.edit(who[0], post, [other[0], text]));
  },
  comment: async ({ model, who, other }, world, { record }) => {
    if (model.posts.length === 0) return;
    const [post, id] = pick(model.posts, world.posts, record);
    const sent = await who[1].post('/comment/create', { item_id: id, type: 'post', text: `@${other[1].username}` });
    expectResponse(sent, model.comment(who[0], post, other[0]));
    if (sent.status === 200) world.comments.push(Number(sent.body.id));
  },
  deleteComment: async ({ model, who }, world, { record }) => {
    if (model.comments.length === 0) return;
    const [comment, id]: readonly [ModelComment, number] = pick(model.comments, world.comments, record);
    expectResponse(await who[1].post('/comment/delete', { id }), model.deleteComment(who[0], comment));
  },
  protect: async ({ model, who }) => {
    model.protect(who[0], true);
    await setProtected(api, who[1], true);
  },
  unprotect: async ({ model, who }) => {
    model.protect(who[0], false);
    await setProtected(api, who[1], false);
  },
  like: toPost(
    (model, who, post) => model.react(who, post, 'likes'),
    async (who, post) => await who.likes(post),
  ),
  unlike: toPost(
    (model, who, post) => model.unreact(who, post, 'likes'),
    async (who, post) => await who.unlikes(post),
  ),
  repost: toPost(
    (model, who, post) => model.react(who, post, 'reposts'),
    async (who, post) => await who.reposts(post),
  ),
  unrepost: toPost(
    (model, who, post) => model.unreact(who, post, 'reposts'),
    async (who, post) => await who.unreposts(post),
  ),
  deletePost: toPost(
    (model, who, post) => model.deletePost(who, post),
    async (who, post) => await who.post('/post/delete', { id: post }),
  ),
  follow: toPerson(
    (model, who, other) => model.follow(who, other),
    async (who, other) => await who.follows(other),
  ),
  unfollow: toPerson(
    (model, who, other) => model.unfollow(who, other),
    async (who, other) => await who.unfollows(other),
  ),
  approve: toPerson(
    (model, who, other) => model.approve(who, other),
    async (who, other) => await who.approves(other),
  ),
  block: toPerson(
    (model, who, other) => model.block(who, other),
    async (who, other) => await who.post('/blocks/add', { id: other.id }),
  ),
  unblock: toPerson(
    (model, who, other) => model.unblock(who, other),
    async (who, other) => await who.post('/blocks/delete', { id: other.id }),
  ),
  reject: toPerson(
    (model, who, other) => model.reject(who, other),
    async (who, other) => await who.post('/follows/requests/reject', { id: other.id }),
  ),
  remove: toPerson(
    (model, who, other) => model.remove(who, other),
    async (who, other) => await who.post('/followers/delete', { id: other.id }),
  ),
};

class Command implements fc.AsyncCommand<GraphModel, World> {
  private readonly name: string;
  private readonly picks: Picks;

  constructor(name: string, picks: Picks) {
    this.name = name;
    this.picks = picks;
  }

  check(): boolean {
    return true;
  }

  async run(model: GraphModel, world: World): Promise<void> {
    const { who, other } = this.picks;
    const turn = {
      model,
      who: pick(model.people, world.people, who),
      other: pick(model.people, world.people, other),
    };
    await actions[this.name]?.(turn, world, this.picks);
  }

  toString(): string {
    return `${this.name}(${Object.values(this.picks).join(', ')})`;
  }
}

const small = fc.nat({ max: 7 });
const picks = fc.record({ who: small, other: small, record: small });
const commands = fc.commands(
  Object.keys(actions).map((name) => picks.map((picked) => new Command(name, picked))),
  { maxCommands: 80, size: 'max' },
);

test(
  'after random actions, the API responds and stores what the model predicts',
  { timeout: (Number(seconds ?? 0) + 600) * 1000 },
  async () => {
    const numbers = { runs: 0, commands: 0 };
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const [model, world] = [new GraphModel(), new World()];
        for (let person = 0; person < 2; person += 1) {
          model.register();
          await world.register();
        }
        await fc.asyncModelRun(() => ({ model, real: world }), sequence);
        await expectSameWorld(model, world);
        numbers.runs += 1;
        numbers.commands += [...sequence].length;
      }),
      {
        ...(seconds === undefined
          ? { numRuns: usualRuns }
          : { numRuns: 1_000_000, plugins: [fc.interruptAfterTimeLimit(Number(seconds) * 1000)] }),
        ...(seed === undefined ? {} : { seed: Number(seed) }),
      },
    );
    expect(numbers.runs).toBeGreaterThan(1);
  },
);

async function expectSameWorld(model: GraphModel, world: World): Promise<void> {
  expect(await findCounterMismatches(api.db)).toEqual([]);
  for (const [index, viewer] of model.people.entries()) {
    const [, real] = pick(model.people, world.people, index);
    await expectSameAccounts(model, world, [viewer, real]);
    await expectSamePosts(model, world, [viewer, real]);
    await expectSameLists(model, world, [viewer, real]);
    await expectSameNotifications(model, world, [viewer, real]);
  }
}

async function expectSameAccounts(
  model: GraphModel,
  world: World,
  [viewer, real]: readonly [ModelPerson, Person],
): Promise<void> {
  const idsOf = (people: ReadonlySet<ModelPerson>) =>
    model.people.flatMap((person, index) => (people.has(person) ? [world.people[index]?.id] : []));
  const shown = (await real.get(`/users/show?id=${String(real.id)}`)).body;
  expect(shown.action).toEqual({
    followers: viewer.followers.size,
    following: model.following(viewer).length,
    posts: model.activePosts(viewer).length,
  });
  for (const [list, expected] of [
    ['followers', viewer.followers],
    ['following', new Set(model.following(viewer))],
  ] as const) {
    const { total, items } = (await real.get(`/users/${list}?id=${String(real.id)}`)).body;
    expect([list, total, new Set(sortedIds(items))]).toEqual([list, expected.size, new Set(idsOf(expected))]);
  }
  for (const [index, other] of model.people.entries()) {
    const state = (await real.get(`/follows/is_following?id=${String(world.people[index]?.id)}`)).body.response;
    expect(state).toEqual({
      following: other.followers.has(viewer) ? 1 : 0,
      requested: other.requests.has(viewer) ? 1 : 0,
    });
  }
}

function peopleOf(model: GraphModel, world: World, people: readonly ModelPerson[]): Person[] {
  return world.people.filter((_, index) => people.some((person) => person === model.people[index]));
}

type Listed = readonly { readonly id: number }[];

const sortedIds = (items: Listed) => items.map(({ id }) => id).toSorted((a, b) => a - b);

/** Compares the records in lists for this viewer. Order and paging are tested with the lists. */
async function expectSameLists(
  model: GraphModel,
  world: World,
  [viewer, real]: readonly [ModelPerson, Person],
): Promise<void> {
  const postIds = (posts: Iterable<ModelPost>) =>
    sortedIds(Array.from(posts, (post) => ({ id: world.posts[model.posts.indexOf(post)] ?? 0 })));
  for (const [index, other] of model.people.entries()) {
    const id = String(world.people[index]?.id);
    const posts = await real.get(`/post?user_id=${id}&count=100`);
    const expected = model.postsListed(other, viewer);
    const isBlocked = model.areBlocked(viewer, other);
    expect([posts.status, sortedIds(posts.body.items ?? []), posts.body.total]).toEqual(
      expected === undefined ? [isBlocked ? 404 : 403, [], undefined] : [200, postIds(expected), expected.length],
    );
    const { status, body: favorites } = await real.get(`/users/favorites?id=${id}&count=100`);
    expect(status).toBe(isBlocked ? 404 : 200);
    if (isBlocked) continue;
    const liked = model.reactedTo(other, 'likes', viewer);
    expect([sortedIds(favorites.items), favorites.total]).toEqual([postIds(liked), liked.length]);
  }
  const feed = (await real.get('/feed?count=100')).body;
  expect(new Set(sortedIds(feed.items))).toEqual(new Set(postIds(model.feed(viewer))));
  for (const { id, text } of feed.items) expect(text).toBe(model.posts[world.posts.indexOf(id)]?.texts.at(-1));
  const requests = (await real.get('/follows/requests')).body;
  expect([sortedIds(requests.items), requests.total]).toEqual([
    sortedIds(world.people.filter((_, index) => viewer.requests.has(model.people[index] ?? viewer))),
    viewer.requests.size,
  ]);
}

async function expectSameNotifications(
  model: GraphModel,
  world: World,
  [viewer, real]: readonly [ModelPerson, Person],
): Promise<void> {
  const idOf = (about: ModelPost | ModelComment | undefined) => {
    if (about === undefined) return 0;
    return 'post' in about ? world.comments[model.comments.indexOf(about)] : world.posts[model.posts.indexOf(about)];
  };
  const expected = model.notificationsOf(viewer).map(({ type, about, count }) => [type, idOf(about), count]);
  const { items, total } = (await real.get('/notifications?count=100')).body;
  const found = (items as readonly ModelledItem[]).map(({ type, comment, post, count }) => [
    type,
    (type === 'mention' ? comment?.id : undefined) ?? post?.id ?? 0,
    count,
  ]);
  expect(new Set(found.map(String))).toEqual(new Set(expected.map(String)));
  expect([found.length, total]).toEqual([expected.length, expected.length]);
}

interface ModelledItem {
  readonly type: string;
  readonly count: number;
  readonly post?: { readonly id: number };
  readonly comment?: { readonly id: number };
}

async function expectSamePosts(
  model: GraphModel,
  world: World,
  [viewer, real]: readonly [ModelPerson, Person],
): Promise<void> {
  for (const [index, post] of model.posts.entries()) {
    const item = `item_id=${String(world.posts[index])}&type=post`;
    const shown = await real.get(`/post/show?id=${String(world.posts[index])}`);
    const liked = await real.get(`/likes/is_liked?${item}`);
    const reposted = await real.get(`/reposts/is_reposted?${item}`);
    const visible = model.sees(viewer, post);
    const status = visible ? 200 : 404;
    expect([shown.status, liked.status, reposted.status]).toEqual([status, status, status]);
    if (!visible) continue;
    const history = (await real.get(`/post/history?id=${String(world.posts[index])}&count=100`)).body;
    expect(history.items.map(({ text }: { text: string }) => text)).toEqual(post.texts.toReversed());
    const { text, edited_at: editedAt } = shown.body.items;
    expect([text, editedAt !== undefined]).toEqual([post.texts.at(-1), post.texts.length > 1]);
    expect(shown.body.items.action).toEqual({
      likes: post.likes.size,
      reposts: post.reposts.size,
      comments: model.commentsOf(post).length,
    });
    const comments = (await real.get(`/comment?${item}&count=100`)).body;
    const seen = model.commentsOf(post).filter(({ author }) => !model.areBlocked(viewer, author));
    const commentIds = seen.map((comment) => ({
      id: world.comments[model.comments.indexOf(comment)] ?? 0,
    }));
    expect([sortedIds(comments.items), comments.total]).toEqual([sortedIds(commentIds), seen.length]);
    const likers = (await real.get(`/likes?${item}&count=100`)).body;
    expect([sortedIds(likers.items), likers.total]).toEqual([
      sortedIds(peopleOf(model, world, model.seenBy(viewer, post.likes))),
      model.seenBy(viewer, post.likes).length,
    ]);
    expect([liked.body.response.liked, reposted.body.response.reposted]).toEqual([
      Number(post.likes.has(viewer)),
      Number(post.reposts.has(viewer)),
    ]);
  }
}
