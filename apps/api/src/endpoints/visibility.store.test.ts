import type { Route } from '@linnet/contract/route';
import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { routesByName } from '@linnet/contract/routes';
import { registerPerson, setProtected } from '../testing/people.ts';
import type { Person, Sent } from '../testing/people.ts';
import { startApi } from '../testing/running-api.ts';
import type { RunningApi } from '../testing/running-api.ts';

/**
 * D25: who may see what of a protected account, for every route of the contract and every kind of
 * viewer. A route without a row fails. Whatever a row says, an answer to somebody who may not see the
 * post must not hold its text.
 */

const viewers = ['self', 'approved', 'requested', 'stranger', 'application'] as const;
type Viewer = (typeof viewers)[number];
const maySee: ReadonlySet<Viewer> = new Set(['self', 'approved']);

/** What a row can be about; the post and what hangs on it are new in every cell. */
interface Scene {
  readonly owner: Person;
  readonly approved: Person;
  /** An open account. */
  readonly other: Person;
  /** Of the owner; liked and reposted by the approved one. */
  readonly post: number;
  /** On that post, by the owner. */
  readonly comment: number;
  /** On that post. */
  readonly media: { readonly id: number; readonly name: string };
  /** By the open account, mentions the owner. */
  readonly mention: number;
  /** Different in every cell; stands in the post. */
  readonly secret: string;
}

/** Status, and the code of a refusal. */
type Outcome = readonly [status: number, code?: string];

interface Row {
  readonly what: string;
  readonly input: (scene: Scene) => Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Partial<Record<Viewer, Outcome>>> & { readonly hidden: Outcome };
  /** Does a 200 show what only those may see who may see the post? Absent: it shows nothing of it. */
  readonly shows?: (body: Sent['body'], scene: Scene) => boolean;
  /** Refused like a record that is not there: the same answer as to this input. */
  readonly absent?: Readonly<Record<string, unknown>>;
}

const ok: Outcome = [200];
const notFound: Outcome = [404, 'not-found'];
const notOwner: Outcome = [403, 'not-owner'];
const malformed: Outcome = [400, 'invalid-parameter'];
const type = 'post';

const item = ({ post }: Scene) => ({ item_id: post, type });
const showsSecret = (body: unknown, { secret }: Scene) => JSON.stringify(body).includes(secret);
const showsMedia = (body: unknown, { media }: Scene) => JSON.stringify(body).includes(media.name);
const showsMention = ({ items }: Sent['body'], { owner }: Scene) =>
  items.user_definition.some(({ id }: { id: number }) => id === owner.id);

/** About the post itself: hidden is absent. */
function aboutPost(input: Row['input'], shows?: Row['shows']): Row {
  const absentInput = { id: 1, item_id: 1, type, text: 'x' };
  const row = { what: 'the post', input, expected: { hidden: notFound }, absent: absentInput };
  return shows === undefined ? row : { ...row, shows };
}

function aboutOwn(what: string, input: Row['input']): Row {
  return { what, input, expected: { approved: notOwner, hidden: notFound }, absent: { id: 1 } };
}

/** Answers everybody, and shows some of it to those alone who may see it. */
function filtered(what: string, input: Row['input'], shows: NonNullable<Row['shows']>): Row {
  return { what, input, expected: { hidden: ok }, shows };
}

/** Shows neither posts nor media, whoever asks (D25: follower and following lists stay readable). */
function open(input: Row['input'] = () => ({}), outcome = ok): Row {
  const all = { self: outcome, approved: outcome, hidden: outcome };
  return { what: 'nothing that is hidden', input, expected: all };
}

const unique = () => crypto.randomUUID().slice(0, 8);
const registration = () => ({
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: `${unique()}@example.org`,
  password: 'correct horse',
});

const matrix: Readonly<Record<string, readonly Row[]>> = {
  registerAccount: [open(registration)],
  isEmail: [open(() => ({ email: 'matrix@example.org' }))],
  checkUsername: [open(({ owner }) => ({ username: owner.username }))],
  updateUsername: [open(() => ({}), malformed)],
  updateAccount: [open()],
  deleteAccount: [open(() => ({}), malformed)],
  exportAccount: [open()],
  listGrants: [open()],
  narrowGrant: [open(() => ({ id: 1, scope: 'users' }), notFound)],
  revokeGrant: [open(() => ({ id: 1 }), notFound)],
  showUser: [filtered('the latest post of the account', ({ owner }) => ({ id: owner.id }), showsSecret)],
  isUser: [open(({ owner }) => ({ id: owner.id }))],
  createPost: [filtered('a mention of the account', ({ owner }) => ({ message: `@${owner.username}` }), showsMention)],
  showPost: [
    aboutPost(({ post }) => ({ id: post }), showsSecret),
    filtered('a mention of the account', ({ mention }) => ({ id: mention }), showsMention),
  ],
  listPosts: [
    {
      what: 'the posts of the account',
      input: ({ owner }) => ({ user_id: owner.id }),
      expected: { hidden: [403, 'protected-account'] },
      shows: showsSecret,
    },
    filtered('a repost of the post', ({ approved }) => ({ user_id: approved.id }), showsSecret),
  ],
  listFeed: [filtered('the post, reposted by somebody followed', () => ({}), showsSecret)],
  deletePost: [aboutOwn('the post', ({ post }) => ({ id: post }))],
  createComment: [aboutPost((scene) => ({ ...item(scene), text: 'seen' }))],
  listComments: [aboutPost(item)],
  deleteComment: [aboutOwn('a comment on the post', ({ comment }) => ({ id: comment }))],
  uploadMedia: [open(() => ({ media: 'ftp://example.org/' }), malformed)],
  listMedia: [
    {
      what: 'the media of the account',
      input: ({ owner }) => ({ user_id: owner.id }),
      expected: { hidden: [403, 'protected-account'] },
      shows: showsMedia,
    },
  ],
  showMedia: [aboutPost(({ media }) => ({ id: media.id }), showsMedia)],
  deleteMedia: [aboutOwn('media of the post', ({ media }) => ({ id: media.id }))],
  addLike: [aboutPost(item)],
  deleteLike: [aboutPost(item)],
  isLiked: [aboutPost(item)],
  addRepost: [aboutPost(item)],
  deleteRepost: [aboutPost(item)],
  isReposted: [aboutPost(item)],
  listFavorites: [filtered('the post, liked by another', ({ approved }) => ({ id: approved.id }), showsSecret)],
  listFollowers: [open(({ owner }) => ({ id: owner.id }))],
  listFollowing: [open(({ owner }) => ({ id: owner.id }))],
  addFollow: [open(({ other }) => ({ id: other.id }))],
  deleteFollow: [open(({ other }) => ({ id: other.id }))],
  isFollowing: [open(({ owner }) => ({ id: owner.id }))],
  listFollowRequests: [open()],
  approveFollow: [open(({ other }) => ({ id: other.id }), notFound)],
  rejectFollow: [open(({ other }) => ({ id: other.id }))],
  removeFollower: [open(({ other }) => ({ id: other.id }))],
};

let database: TestDatabase;
let api: RunningApi;
let people: Readonly<Record<'owner' | 'approved' | 'requested' | 'stranger' | 'other', Person>>;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  api = await startApi(database.url);
  const named = async (name: string) => await registerPerson(api, `matrix_${name}`);
  people = {
    owner: await named('owner'),
    approved: await named('approved'),
    requested: await named('requested'),
    stranger: await named('stranger'),
    other: await named('other'),
  };
  const { owner, approved, requested, stranger } = people;
  await setProtected(api, owner, true);
  await approved.follows(owner);
  await owner.approves(approved);
  await requested.follows(owner);
  // Their feeds have what the approved one reposts, but for what is hidden from them.
  await Promise.all([requested.follows(approved), stranger.follows(approved)]);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function setScene(): Promise<Scene> {
  const { owner, approved, other } = people;
  const secret = `secret-${unique()}`;
  const post = await owner.writes(`this is ${secret}`);
  await Promise.all([approved.likes(post), approved.reposts(post)]);
  const media = await attachMedia(post);
  const comment = await owner.comments(post, `about ${secret}`);
  return { owner, approved, other, post, comment, media, mention: await other.writes(`@${owner.username}`), secret };
}

/** A record alone: what is read here are records and addresses, not files. */
async function attachMedia(postId: number): Promise<Scene['media']> {
  const name = `${crypto.randomUUID().replaceAll('-', '')}.png`;
  const { id } = await api.db.prisma.media.create({
    data: { ownerId: people.owner.id, postId, name, bytes: 1, width: 1, height: 1 },
  });
  return { id: Number(id), name: name.slice(0, 32) };
}

function accountOf(viewer: Viewer): number | undefined {
  if (viewer === 'application') return undefined;
  return people[viewer === 'self' ? 'owner' : viewer].id;
}

async function send(route: Route, viewer: Viewer, input: Readonly<Record<string, unknown>>): Promise<Sent> {
  const acct = accountOf(viewer);
  const claims = acct === undefined ? {} : { acct };
  if (route.methods[0] === 'POST') {
    const headers = { 'content-type': 'application/json' };
    return await api.call(`POST ${route.path}`, { claims, headers, body: JSON.stringify(input) });
  }
  const pairs = Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]);
  return await api.call(`GET ${route.path}?${new URLSearchParams(pairs).toString()}`, { claims });
}

function outcomeFor(route: Route, row: Row, viewer: Viewer): Outcome {
  if (viewer === 'application' && route.requiresAccount) return [403, 'user-context-required'];
  return row.expected[viewer] ?? (maySee.has(viewer) ? ok : row.expected.hidden);
}

const withoutId = ({ status, body }: Sent) => ({ status, body: { ...body, request_id: '' } });

test('every route of the contract has a row', () => {
  expect(Object.keys(matrix).toSorted((a, b) => a.localeCompare(b))).toEqual(
    Object.keys(routesByName).toSorted((a, b) => a.localeCompare(b)),
  );
});

const rows = Object.entries(routesByName).flatMap(([name, route]) =>
  (matrix[name] ?? []).map((row) => [route.path, row.what, route, row] as const),
);

describe.each(rows)('%s: %s', (_path, _what, route, row) => {
  test.each(viewers)('to %s', async (viewer) => {
    const scene = await setScene();
    const answer = await send(route, viewer, row.input(scene));
    const [status, code] = outcomeFor(route, row, viewer);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    // What is shown of it, and what a row that shows nothing of it holds nevertheless.
    const shows = status === 200 && row.shows?.(answer.body, scene) === true;
    expect([shows, showsSecret(answer.body, scene)]).toEqual([
      status === 200 && row.shows !== undefined && maySee.has(viewer),
      maySee.has(viewer) && showsSecret(answer.body, scene),
    ]);
    const isHidden = status === 404 && row.absent !== undefined;
    const absent = isHidden ? await send(route, viewer, { ...row.input(scene), ...row.absent }) : answer;
    expect(withoutId(answer)).toEqual(withoutId(absent));
  });
});
