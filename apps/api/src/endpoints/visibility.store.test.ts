import type { Route } from '@linnet/contract/route';
import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { routesByName } from '@linnet/contract/routes';
import { registerPerson, setProtected } from '../testing/people.ts';
import type { Person, Sent } from '../testing/people.ts';
import { caseOf, endpointCases } from '../testing/endpoint-cases.ts';
import { ok, showsSecret, viewers } from '../testing/visibility-cases.ts';
import type { Outcome, Scene, Viewer, VisibilityCase } from '../testing/visibility-cases.ts';
import { startApi } from '../testing/running-api.ts';
import type { RunningApi } from '../testing/running-api.ts';

/**
 * D25: who may see what of a protected account, for every route of the contract and every kind of viewer.
 * Independently of its case, no response to a viewer who may not see the post contains its text.
 */

const maySee: ReadonlySet<Viewer> = new Set(['self', 'approved']);

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
  // Their feeds contain what the approved follower reposts, except what is hidden from them.
  await Promise.all([requested.follows(approved), stranger.follows(approved)]);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const unique = () => crypto.randomUUID().slice(0, 8);

async function setScene(): Promise<Scene> {
  const { owner, approved, other } = people;
  const secret = `secret_${unique()}`;
  const post = await owner.writes(`this is #${secret}`);
  await Promise.all([approved.likes(post), approved.reposts(post)]);
  const media = await attachMedia(post);
  const comment = await owner.comments(post, `about ${secret}`);
  return { owner, approved, other, post, comment, media, mention: await other.writes(`@${owner.username}`), secret };
}

/** Only a record: the tests read records and addresses, not files. */
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

function outcomeFor(route: Route, row: VisibilityCase, viewer: Viewer): Outcome {
  if (viewer === 'application' && route.requiresAccount) return [403, 'user-context-required'];
  return row.expected[viewer] ?? (maySee.has(viewer) ? ok : row.expected.hidden);
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
  test.each(viewers)('as seen by %s', async (viewer) => {
    const scene = await setScene();
    const response = await send(route, viewer, row.input(scene));
    const [status, code] = outcomeFor(route, row, viewer);
    expect([response.status, response.body.code]).toEqual([status, code]);
    // What the case expects to be visible, and whether the response contains the secret at all.
    const shows = status === 200 && row.shows?.(response.body, scene) === true;
    expect([shows, showsSecret(response.body, scene)]).toEqual([
      status === 200 && row.shows !== undefined && maySee.has(viewer),
      maySee.has(viewer) && showsSecret(response.body, scene),
    ]);
    const isHidden = status === 404 && row.absent !== undefined;
    const absent = isHidden ? await send(route, viewer, { ...row.input(scene), ...row.absent }) : response;
    expect(withoutId(response)).toEqual(withoutId(absent));
  });
});
