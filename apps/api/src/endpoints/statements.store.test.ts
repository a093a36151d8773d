import { createTestDatabase } from '@linnet/test/db/test-database';
import type { TestDatabase } from '@linnet/test/db/test-database';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { findApplications } from '@linnet/applications/application/application-store';
import { routesByName } from '@linnet/contract/routes';
import { caseOf } from '@linnet/test/api/endpoint-cases';
import type { EndpointWorld } from '@linnet/test/api/endpoint-cases';
import { createEndpointWorld } from '@linnet/test/api/endpoint-world';
import { startImageServer } from '@linnet/test/api/image-server';
import type { ImageServer } from '@linnet/test/api/image-server';
import { pngImage } from '@linnet/test/media/images';
import { registerPerson } from '@linnet/test/api/people';
import { startApi } from '@linnet/test/api/running-api';
import { timelines } from '@linnet/test/api/timelines';
import type { RunningApi } from '@linnet/test/api/running-api';

/** How many statements each endpoint sends, and that none uses Prisma, which takes memory in each process. */

let database: TestDatabase;
let api: RunningApi;
let world: EndpointWorld;
/** An account that deletes itself. */
let leaver: number;
let images: ImageServer;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'));
  images = await startImageServer({ 'image.png': await pngImage() });
  api = await startApi(database.url, { config: { mediaFetchAllow: [images.authority] } });
  leaver = (await registerPerson(api, 'statements_leaver')).id;
  world = await createEndpointWorld(api, images, 'statements');
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await images[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** The feed is then read in one statement. */
async function buildTimelineOf(account: number): Promise<void> {
  await timelines.createChanges()(api.db);
  await timelines.build(api.db, account);
}

test.each(Object.entries(routesByName))('%s', async (name, route) => {
  const { statements = 1, parameters } = caseOf(name);
  const encoded = new URLSearchParams(parameters(world)).toString();
  const claims = { acct: name === 'deleteAccount' ? leaver : world.account };
  if (name === 'listFeed') await buildTimelineOf(world.account);
  const findPrisma = vi.spyOn(api.db, 'prisma', 'get');
  api.statements.length = 0;
  const { status } =
    route.methods[0] === 'GET'
      ? await api.call(`GET ${route.path}?${encoded}`, { claims })
      : await api.call(`POST ${route.path}`, {
          claims,
          body: encoded,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
  expect([status, api.statements.length, api.statements]).toEqual([200, statements, api.statements]);
  expect(findPrisma).not.toHaveBeenCalled();
});

test('a call of Prisma would be seen', async () => {
  const findPrisma = vi.spyOn(api.db, 'prisma', 'get');
  await findApplications(api.db, undefined);
  expect(findPrisma).toHaveBeenCalledOnce();
});

test('a rejected request sends no statement; its entry in the log of the application is written later', async () => {
  api.statements.length = 0;
  await api.call('GET /post/show?id=0');
  await api.call('GET /post/show?id=1', { claims: null });
  await api.call('GET /post/create?message=x', { claims: { scope: 'users', acct: world.account } });
  expect(api.statements.filter((sql) => !sql.startsWith('INSERT INTO request_log'))).toEqual([]);
});
