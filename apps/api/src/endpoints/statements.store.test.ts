import { createTestDatabase } from '@linnet/db/test-database';
import type { TestDatabase } from '@linnet/db/test-database';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { z } from 'zod';

import type { Route } from '@linnet/contract/route';
import { routesByName } from '@linnet/contract/routes';
import { startImageServer } from '../testing/image-server.ts';
import type { ImageServer } from '../testing/image-server.ts';
import { pngImage } from '@linnet/media/testing/images';
import { uploadImage } from '../testing/media-calls.ts';
import { startApi } from '../testing/running-api.ts';
import type { RunningApi } from '../testing/running-api.ts';

/** How many statements each endpoint sends: reads one round trip, writes at most two. */

let database: TestDatabase;
let api: RunningApi;
let acct: number;
let post: number;
let other: number;
let spare: { readonly post: number; readonly comment: number };
let leaver: number;
let media: number;
let grants: readonly number[];
let images: ImageServer;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  images = await startImageServer({ 'image.png': await pngImage() });
  api = await startApi(database.url, { config: { mediaFetchAllow: [images.authority] } });
  acct = (await api.register('statements')).id;
  other = (await api.register('statements_other')).id;
  leaver = (await api.register('statements_leaver')).id;
  const created = await api.call('GET /post/create?message=hello+@statements', { claims: { acct } });
  post = created.body.items.id;
  const doomed = await api.call('GET /post/create?message=to+be+deleted', { claims: { acct } });
  const comment = await api.call(`GET /comment/create${item()}&text=to+be+deleted`, { claims: { acct } });
  spare = { post: doomed.body.items.id, comment: comment.body.id };
  await api.db.prisma.followRequest.create({ data: { followerId: other, followedId: acct } });
  media = await uploadImage(api, acct);
  const application = { ownerId: other, clientId: 'client-0123456789', name: 'App', type: 'public' } as const;
  await api.db.prisma.application.create({ data: application });
  const grant = {
    accountId: acct,
    clientId: application.clientId,
    kind: 'consent' as const,
    scopes: ['users', 'posts'],
  };
  const rows = [
    { ...grant, id: 'one' },
    { ...grant, id: 'two' },
  ];
  grants = (await api.db.prisma.grant.createManyAndReturn({ data: rows })).map(({ number }) => Number(number));
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await images[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const registration = '?first_name=Ada&last_name=Lovelace&email=statements2@example.org&password=secret';

const item = () => `?item_id=${String(post)}&type=post`;

interface Row {
  readonly statements: number;
  readonly query: () => string;
  /** Who acts, when it is not the usual account. */
  readonly acting?: () => number;
}

/** What the default row does not fit. */
const rows: Readonly<Record<string, Row>> = {
  registerAccount: { statements: 2, query: () => registration },
  isEmail: { statements: 1, query: () => '?email=statements@example.org' },
  checkUsername: { statements: 1, query: () => '?username=statements' },
  updateUsername: { statements: 1, query: () => '?username=statements_new' },
  updateAccount: { statements: 2, query: () => '?displayName=Countess&protected=1' },
  deleteAccount: { statements: 2, query: () => '?password=correct+horse', acting: () => leaver },
  narrowGrant: { statements: 1, query: () => `?id=${String(grants[0])}&scope=users` },
  revokeGrant: { statements: 1, query: () => `?id=${String(grants[1])}` },
  createPost: { statements: 1, query: () => '?message=hello+@statements+%23tag' },
  createComment: { statements: 1, query: () => `${item()}&text=hello` },
  deletePost: { statements: 1, query: () => `?id=${String(spare.post)}` },
  deleteComment: { statements: 1, query: () => `?id=${String(spare.comment)}` },
  uploadMedia: { statements: 1, query: () => `?media=${encodeURIComponent(images.address('image.png'))}` },
  listMedia: { statements: 1, query: () => `?user_id=${String(acct)}` },
  listPosts: { statements: 1, query: () => `?user_id=${String(acct)}` },
};

/** What `id` names, by the first segment of the path. */
const samples: Readonly<Record<string, () => number>> = {
  users: () => acct,
  follows: () => other,
  post: () => post,
  media: () => media,
};

/** One statement, for a route that requires nothing, an `id`, or an item. */
function defaultRow(name: string, { path, input }: Route): Row {
  const parameters = input instanceof z.ZodObject ? Object.entries<z.ZodType>(input.shape) : [];
  const required = parameters.filter(([, type]) => !type.safeParse(undefined).success).map(([parameter]) => parameter);
  if (required.join() === 'item_id,type') return { statements: 1, query: item };
  const sample = samples[path.split('/')[1] ?? ''];
  if (required.length > 0 && (required.join() !== 'id' || sample === undefined)) throw new Error(`no row for ${name}`);
  return { statements: 1, query: () => (sample === undefined ? '' : `?id=${String(sample())}`) };
}

test.each(Object.entries(routesByName))('%s', async (name, route) => {
  const row = rows[name] ?? defaultRow(name, route);
  const { statements, query, acting = () => acct } = row;
  const encoded = query();
  const claims = { acct: acting() };
  api.statements.length = 0;
  const { status } =
    route.methods[0] === 'GET'
      ? await api.call(`GET ${route.path}${encoded}`, { claims })
      : await api.call(`POST ${route.path}`, {
          claims,
          body: encoded.slice(1),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
  expect([status, api.statements.length, api.statements]).toEqual([200, statements, api.statements]);
});

test('a refused request sends none', async () => {
  api.statements.length = 0;
  await api.call('GET /post/show?id=0');
  await api.call('GET /post/show?id=1', { claims: null });
  await api.call('GET /post/create?message=x', { claims: { scope: 'users', acct } });
  expect(api.statements).toEqual([]);
});
