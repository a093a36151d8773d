import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, inject, test } from 'vitest';

import { createClient, password, requestToken } from '../../support/api-client.ts';
import type { Client } from '../../support/api-client.ts';
import { repositoryRoot } from '../../support/service.ts';

/**
 * What tools make of the OpenAPI document and of the Postman collection works against a live service. The tools come from the
 * registries of their languages, so only `pnpm test:long` runs them.
 */
const isLong = process.env['OTHER_LANGUAGES'] === 'yes';
const run = promisify(execFile);
const cache = join(repositoryRoot, 'node_modules/.cache/generated-clients');
const hasPython = await run('python3', ['--version']).then(Boolean, () => false);

const long = isLong ? '' : ' (runs in pnpm test:long)';
const without = hasPython ? '' : ' (Python is not installed)';

describe.skipIf(!isLong)(`with an application${long}`, () => {
  let client: Client;
  let token: string;
  beforeAll(async () => {
    const { baseUrl, env } = inject('service');
    await mkdir(cache, { recursive: true });
    client = await createClient(env, 'generates_clients');
    token = String((await requestToken(baseUrl, client)).body.access_token);
  });

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
    const document = await writeJsonOnly(join(cache, 'openapi.json'));
    const options = ['--path', document, '--output-path', output, '--meta', 'none', '--overwrite'];
    const generated = await run(join(bin, 'openapi-python-client'), ['generate', ...options]);
    // It warns of every operation that it cannot generate.
    expect(generated.stdout + generated.stderr).not.toMatch(/unable to parse|unsupported|will not be generated/i);
    const env = { BASE_URL: baseUrl, ACCESS_TOKEN: token, GENERATED: join(output, '..') };
    const { stdout } = await run(join(bin, 'python'), [join(import.meta.dirname, 'generated_client.py')], { env });
    expect(stdout).toBe('From generated Python by generates_clients\n404 not-found\n');
  });

  test('Newman sends every request of the Postman collection, and the service understands each', async () => {
    const { baseUrl } = inject('service');
    const folder = join(cache, 'newman');
    if (!existsSync(join(folder, 'node_modules/.bin/newman'))) {
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, 'newman@6.2.2']);
    }
    const report = join(folder, 'report.json');
    await rm(report, { force: true });
    const values = { token, clientId: client.id, clientSecret: client.secret };
    const variables = Object.entries(values).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
    // With the right password, one of the requests would delete the account.
    const collection = join(folder, 'collection.json');
    const served = await (await fetch(`${baseUrl}/api/v2.0/docs/postman.json`)).text();
    await writeFile(collection, served.replaceAll(password, 'another password'));
    const options = [...variables, '--reporters', 'json', '--reporter-json-export', report];
    await run(join(folder, 'node_modules/.bin/newman'), ['run', collection, ...options]);
    const { run: done } = JSON.parse(await readFile(report, 'utf8')) as Report; // Newman wrote it
    const statuses = done.executions.map(({ item, response }) => [item.name, response?.code ?? 0] as const);
    expect(statuses.length).toBeGreaterThan(50);
    // Examples name records that exist nowhere. Everything else that is refused is a mistake of the collection.
    // Only a person's token has userinfo.
    const refused = statuses.filter(
      ([name, code]) =>
        name !== 'Read who signed in' && (code < 200 || code >= 500 || [401, 405, 406, 413, 415].includes(code)),
    );
    expect(refused).toEqual([]);
    const succeeded = statuses.filter(([, code]) => code < 300).map(([name]) => name);
    expect(succeeded).toEqual(expect.arrayContaining(['Create a post', 'List the feed', 'Introspect a token']));
  });
});

/**
 * The document with the first type of each body. openapi-python-client sends a body in all its types at once if they have one
 * schema, and the service refuses that.
 */
async function writeJsonOnly(file: string): Promise<string> {
  const published = await readFile(join(repositoryRoot, 'docs/openapi.json'), 'utf8');
  const text = JSON.stringify(
    JSON.parse(published),
    (name, value: unknown) => (name === 'requestBody' ? withFirstType(value as Body) : value), // a body of the document
  );
  await writeFile(file, text);
  return file;
}

interface Body {
  readonly content: Readonly<Record<string, unknown>>;
}

function withFirstType(body: Body): Body {
  return { ...body, content: Object.fromEntries(Object.entries(body.content).slice(0, 1)) };
}

interface Report {
  readonly run: {
    readonly executions: readonly {
      readonly item: { readonly name: string };
      readonly response?: { readonly code: number };
    }[];
  };
}
