import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, inject, test } from 'vitest';

import { createClient, password, requestToken } from '../../support/api-client.ts';
import type { Client } from '../../support/api-client.ts';
import { repositoryRoot } from '../../support/service.ts';
import { toRequests } from './postman-requests.ts';
import type { PostmanCollection } from './postman-requests.ts';

/**
 * What tools make of the OpenAPI document and of the Postman collection works against a live service. The tools come from the
 * registries of their languages, so only `pnpm test:long` runs them. The usual run sends the collection itself.
 */
const isLong = process.env['OTHER_LANGUAGES'] === 'yes';
const run = promisify(execFile);
const cache = join(repositoryRoot, 'node_modules/.cache/generated-clients');
const hasPython = await run('python3', ['--version']).then(Boolean, () => false);
const hasGo = await run('go', ['version']).then(Boolean, () => false);

const long = isLong ? '' : ' (runs in pnpm test:long)';
const without = hasPython ? '' : ' (Python is not installed)';
const withoutGo = hasGo ? '' : ' (Go is not installed)';

let client: Client;
let token: string;
beforeAll(async () => {
  const { baseUrl, env } = inject('service');
  client = await createClient(env, 'generates_clients');
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
      name !== 'Read who signed in' && (code < 200 || code >= 500 || [401, 405, 406, 413, 415].includes(code)),
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

describe.skipIf(!isLong)(`with tools from elsewhere${long}`, () => {
  beforeAll(async () => void (await mkdir(cache, { recursive: true })));

  test.skipIf(!hasPython)(`openapi-python-client posts, and reads posts and problems${without}`, async () => {
    const { baseUrl } = inject('service');
    const folder = join(cache, 'python');
    const bin = join(folder, 'bin');
    if (!existsSync(join(bin, 'openapi-python-client'))) {
      await run('python3', ['-m', 'venv', folder]);
      await run(join(bin, 'pip'), ['install', '--quiet', 'openapi-python-client==0.29.1']);
    }
    const output = join(cache, 'python-client/linnet_client');
    await mkdir(join(output, '..'), { recursive: true });
    const options = [
      '--url',
      `${baseUrl}/api/v2.0/docs/generators.json`,
      '--output-path',
      output,
      '--meta',
      'none',
      '--overwrite',
    ];
    const generated = await run(join(bin, 'openapi-python-client'), ['generate', ...options]);
    // It warns of every operation that it cannot generate.
    expect(generated.stdout + generated.stderr).not.toMatch(/unable to parse|unsupported|will not be generated/i);
    const env = { BASE_URL: baseUrl, ACCESS_TOKEN: token, GENERATED: join(output, '..') };
    const { stdout } = await run(join(bin, 'python'), [join(import.meta.dirname, 'generated_client.py')], { env });
    expect(stdout).toBe('From generated Python by generates_clients\n404 not-found\n');
  });

  test.skipIf(!hasGo)(`oapi-codegen posts, and reads posts and problems${withoutGo}`, async () => {
    const { baseUrl } = inject('service');
    const folder = join(cache, 'go-client');
    const env = { ...process.env, GOBIN: join(cache, 'go'), BASE_URL: baseUrl, ACCESS_TOKEN: token };
    const generator = join(env.GOBIN, 'oapi-codegen');
    if (!existsSync(generator)) {
      await run('go', ['install', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.5.1'], { env });
    }
    await mkdir(join(folder, 'linnet'), { recursive: true });
    const document = join(folder, 'generators.json');
    await writeFile(document, await (await fetch(`${baseUrl}/api/v2.0/docs/generators.json`)).text());
    const output = ['-o', join(folder, 'linnet/linnet.go')];
    await run(generator, ['-generate', 'types,client', '-package', 'linnet', ...output, document]);
    await writeFile(join(folder, 'go.mod'), 'module generated\n\ngo 1.22\n');
    await copyFile(join(import.meta.dirname, 'generated_client.go'), join(folder, 'main.go'));
    await run('go', ['mod', 'tidy'], { cwd: folder, env });
    const { stdout } = await run('go', ['run', '.'], { cwd: folder, env });
    expect(stdout).toBe('From generated Go by generates_clients\n404 not-found\n');
  });

  test('Newman sends every request of the Postman collection, and the service understands each', async () => {
    const folder = join(cache, 'newman');
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
  });
});

interface Report {
  readonly run: {
    readonly executions: readonly {
      readonly item: { readonly name: string };
      readonly response?: { readonly code: number };
    }[];
  };
}
