import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, expect, inject, test } from 'vitest';

import { createClient, password, requestToken } from '../../support/api-client.ts';
import type { Client } from '../../support/api-client.ts';
import { repositoryRoot } from '../../support/service.ts';
import { toRequests } from './postman-requests.ts';
import type { PostmanCollection } from './postman-requests.ts';

/**
 * The requests of the Postman collection work against a live service: sent by this test, and by Newman, which comes from the registry,
 * so only `pnpm test:long` runs it.
 */
const isLong = process.env['OTHER_LANGUAGES'] === 'yes';
const run = promisify(execFile);
const long = isLong ? '' : ' (runs in pnpm test:long)';

let client: Client;
let token: string;
beforeAll(async () => {
  const { baseUrl, env } = inject('service');
  client = await createClient(env, 'sends_collection');
  token = String((await requestToken(baseUrl, client)).body.access_token);
});

/** The collection that the service offers. With the right password, one of its requests would delete the account. */
async function readCollection(): Promise<string> {
  const response = await fetch(`${inject('service').baseUrl}/api/v2.0/docs/postman.json`);
  return (await response.text()).replaceAll(password, 'another password');
}

type Statuses = readonly (readonly [name: string, status: number])[];

/**
 * Examples name records that exist nowhere. Everything else that is refused is a mistake of the collection. Only a person's token
 * has userinfo.
 */
function expectUnderstood(statuses: Statuses): void {
  expect(statuses.length).toBeGreaterThan(50);
  const refused = statuses.filter(
    ([name, code]) =>
      name !== 'Get user information' && (code < 200 || code >= 500 || [401, 405, 406, 413, 415].includes(code)),
  );
  expect(refused).toEqual([]);
  const succeeded = statuses.filter(([, code]) => code < 300).map(([name]) => name);
  expect(succeeded).toEqual(expect.arrayContaining(['Create a post', 'List the feed', 'Introspect a token']));
}

test('the service understands every request of the Postman collection', async () => {
  const collection = JSON.parse(await readCollection()) as PostmanCollection; // as serve-reference wrote it
  const values = { token, clientId: client.id, clientSecret: client.secret };
  const statuses: [string, number][] = [];
  for (const [name, request] of toRequests(collection, values)) {
    const response = await fetch(request, { redirect: 'manual' });
    await response.arrayBuffer();
    statuses.push([name, response.status]);
  }
  expectUnderstood(statuses);
});

test.skipIf(!isLong)(
  `Newman sends every request of the Postman collection, and the service understands each${long}`,
  async () => {
    const folder = join(repositoryRoot, 'node_modules/.cache/newman');
    await mkdir(folder, { recursive: true });
    if (!existsSync(join(folder, 'node_modules/.bin/newman'))) {
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, 'newman@6.2.2']);
    }
    const report = join(folder, 'report.json');
    await rm(report, { force: true });
    const values = { token, clientId: client.id, clientSecret: client.secret };
    const variables = Object.entries(values).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
    const collection = join(folder, 'collection.json');
    await writeFile(collection, await readCollection());
    const options = [...variables, '--reporters', 'json', '--reporter-json-export', report];
    await run(join(folder, 'node_modules/.bin/newman'), ['run', collection, ...options]);
    const { run: done } = JSON.parse(await readFile(report, 'utf8')) as Report; // Newman wrote it
    const statuses = done.executions.map(({ item, response }) => [item.name, response?.code ?? 0] as const);
    expectUnderstood(statuses);
  },
);

interface Report {
  readonly run: {
    readonly executions: readonly {
      readonly item: { readonly name: string };
      readonly response?: { readonly code: number };
    }[];
  };
}
