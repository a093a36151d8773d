import { fileURLToPath } from 'node:url';

import { startTestServer } from '@linnet/db/test-server';
import type { DatabaseServer } from '@linnet/db/test-server';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** For `createTestDatabase`; not there when only projects without a database run. */
    databaseServer: DatabaseServer;
  }
}

const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const projectsWithoutDatabase = new Set(['unit', 'architecture']);

/** Starts the one PostgreSQL of the run, for all projects; `TEST_DATABASE_URL` names another to use. */
export default async function setup(root: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (root.vitest.projects.every(({ name }) => projectsWithoutDatabase.has(name))) return undefined;
  const testServer = await startTestServer({ migrations, url: process.env['TEST_DATABASE_URL'] });
  root.provide('databaseServer', testServer.server);
  return async () => await testServer[Symbol.asyncDispose]();
}
