import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, inject, test } from 'vitest';

import { createClient, password, requestToken } from '../../support/api-client.ts';
import type { Client } from '../../support/api-client.ts';
import { repositoryRoot } from '../../support/service.ts';

/**
 * Schemathesis sends what the OpenAPI document allows, and what it does not, to every operation of a live service: examples, edge
 * cases, random values, and calls in a row. It comes from the registry of Python, so only `pnpm test:long` runs it.
 */
const isLong = process.env['OTHER_LANGUAGES'] === 'yes';
const run = promisify(execFile);
const hasPython = await run('python3', ['--version']).then(Boolean, () => false);
const folder = join(repositoryRoot, 'node_modules/.cache/schemathesis');
const program = join(folder, 'python/bin/schemathesis');

const long = isLong ? '' : ' (runs in pnpm test:long)';
const without = hasPython ? '' : ' (Python is not installed)';

/*
 * Two checks cannot hold. A request that fits the schema may still be refused: a cursor that the service did not write, an
 * Idempotency-Key that was used, a language that does not exist. And some that do not fit are accepted: empty optional parameters
 * count as absent.
 */
const impossible = ['positive_data_acceptance', 'negative_data_rejection'];

/** The end of what it prints; '' if it finds nothing. */
async function findFaults(args: readonly string[], excluded: readonly string[]): Promise<string> {
  const options = ['--max-examples', '10', '--continue-on-failure', '--exclude-checks', excluded.join(',')];
  const env = { ...process.env, NO_COLOR: '1', COLUMNS: '200' };
  try {
    await run(program, ['run', ...args, ...options], { cwd: folder, env, maxBuffer: 2 ** 26 });
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    return (stdout + stderr).slice(-20_000);
  }
}

describe.skipIf(!isLong || !hasPython)(`Schemathesis, every phase${long}${without}`, () => {
  let client: Client;
  let token: string;
  let document: string;
  beforeAll(async () => {
    const { baseUrl, env } = inject('service');
    await mkdir(folder, { recursive: true });
    if (!existsSync(program)) {
      await run('python3', ['-m', 'venv', join(folder, 'python')]);
      await run(join(folder, 'python/bin/pip'), ['install', '--quiet', 'schemathesis==4.32.5']);
    }
    client = await createClient(env, 'tests_documents');
    token = String((await requestToken(baseUrl, client)).body.access_token);
    // With the right password, an example would delete the account.
    const served = await (await fetch(`${baseUrl}/api/v2.0/openapi.json`)).text();
    document = join(folder, 'openapi.json');
    await writeFile(document, served.replaceAll(password, 'another password'));
  });

  const asAccount = () => [
    ...[document, '--url', `${inject('service').baseUrl}/api/v2.0`],
    ...['--header', `Authorization: Bearer ${token}`, '--header', 'Accept: application/json'],
  ];

  test('finds no fault in the API, also in calls that follow from each other', async () => {
    // The grants are those of the token that sends the requests.
    const operations = ['--exclude-path-regex', '^/(?:oauth|[.]well-known)|^/account/grants/|^/events$'];
    expect(await findFaults([...asAccount(), ...operations], impossible)).toBe('');
    // The token was valid all the time.
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    expect((await fetch(`${inject('service').baseUrl}/api/v2.0/feed`, { headers })).status).toBe(200);
  }, 1_800_000);

  // No links lead to or from these.
  const phases = ['--phases', 'examples,coverage,fuzzing'];

  test('finds no fault in the OAuth endpoints', async () => {
    const operations = ['--include-path-regex', '^/(?:oauth|[.]well-known)', '--auth', `${client.id}:${client.secret}`];
    const address = `${inject('service').baseUrl}/api/v2.0/openapi.json`;
    expect(await findFaults([address, ...operations, ...phases], impossible)).toBe('');
  });

  test('finds no fault in the grants', async () => {
    expect(await findFaults([...asAccount(), '--include-path-regex', '^/account/grants', ...phases], impossible)).toBe(
      '',
    );
  });
});
