import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startTestServer } from './db/test-server.ts';
import type { DatabaseServer } from './db/test-server.ts';
import type { TestProject } from 'vitest/node';

import { startBrowser } from './browser.ts';
import type { BrowserEndpoint } from './browser.ts';
import { createMigratedData } from './migrated-data.ts';
import { findObjectGateway } from './object-gateway.ts';
import type { ObjectGateway } from './object-gateway.ts';
import { migratedDataVariable, repositoryRoot } from './service.ts';
import { startSharedService } from './shared-service.ts';
import type { SharedService } from './shared-service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** For `createTestDatabase`. Undefined if only projects without a database run. */
    databaseServer: DatabaseServer;
    /** Whether the servers of a test have the direct path; `DIRECT_PATH=off` runs the tests without it. */
    directPath: boolean;
    /** The path of plain requests in tests of the API: `DIRECT_PATH` is `on`, `off` or unset. */
    apiPath: 'direct' | 'complete' | 'mixed';
    /** An object store that is installed; undefined: tests use s3rver. */
    objectGateway: ObjectGateway | undefined;
    /** Most CPU time of a page; undefined on machines that may be busy. */
    pageMilliseconds: number | undefined;
    /** Rows for the test of many revocations. */
    revocations: number;
    /** The shared service, for projects that send requests to it. */
    service: SharedService;
    /** For `openBrowser`, in projects with browser tests. */
    browser: BrowserEndpoint;
  }
}

const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const projectsWithoutDatabase = new Set(['unit', 'architecture', 'chaos']);
const projectsWithService = new Set(['conformance', 'e2e', 'security']);
const projectsWithBrowser = new Set(['e2e']);

/**
 * Starts what the projects of a run share: one PostgreSQL (`TEST_DATABASE_URL` replaces it), one service, one Chromium.
 * All of them stop with the run.
 */
export default async function setup(root: TestProject): Promise<() => Promise<void>> {
  await using started = new AsyncDisposableStack();
  // Set before the processes of tests exist, which inherit it. Saves each service half a second of CPU time.
  process.env['NODE_COMPILE_CACHE'] ??= join(repositoryRoot, 'node_modules/.cache/compiled');
  const has = (names: ReadonlySet<string>) => root.vitest.projects.some(({ name }) => names.has(name));
  if (has(projectsWithService)) {
    process.env[migratedDataVariable] = started.use(await createMigratedData()).directory;
  }
  root.provide('objectGateway', await findObjectGateway());
  if (root.vitest.projects.some(({ name }) => !projectsWithoutDatabase.has(name))) {
    const { server } = started.use(await startTestServer({ migrations, url: process.env['TEST_DATABASE_URL'] }));
    root.provide('databaseServer', server);
    root.provide('directPath', process.env['DIRECT_PATH'] !== 'off');
    root.provide('apiPath', chooseApiPath(process.env['DIRECT_PATH']));
    root.provide('pageMilliseconds', Number(process.env['PAGE_MILLISECONDS'] ?? 0) || undefined);
    root.provide('revocations', Number(process.env['REVOCATIONS'] ?? 20_000));
    if (has(projectsWithService)) root.provide('service', started.use(await startSharedService(server)).service);
  }
  if (has(projectsWithBrowser)) root.provide('browser', started.use(await startBrowser()).endpoint);
  const running = started.move();
  return async () => await running.disposeAsync();
}

function chooseApiPath(directPath: string | undefined): 'direct' | 'complete' | 'mixed' {
  if (directPath === 'on') return 'direct';
  return directPath === 'off' ? 'complete' : 'mixed';
}
