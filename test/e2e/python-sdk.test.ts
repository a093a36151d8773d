import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createClient } from '../support/api-client.ts';
import { agreeAt } from '../support/guides/consent.ts';
import { createHttpBrowser } from '../support/http-browser.ts';
import { findPython, installWheel, pythonSdk, runPython, wheelName } from '../support/python-sdk.ts';
import { findFreePort, repositoryRoot } from '../support/service.ts';

/**
 * The Python SDK as people install it. Its own tests (packages/sdk/python/tests) run in one process, against prepared answers and
 * against the service of the run. `pnpm test:long` checks its types and compares the wheel with that of its own build tool.
 */
const run = promisify(execFile);
const hasPython = await findPython();
const isLong = process.env['OTHER_LANGUAGES'] === 'yes';
const without = hasPython ? '' : ' (skipped: Python with pip and venv is not installed)';
const long = isLong ? '' : ' (runs in pnpm test:long)';

describe.skipIf(!hasPython)(`the wheel of the service${without}`, () => {
  let folder: string;
  let python: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'linnet-python-'));
    python = await installWheel(
      `${inject('service').baseUrl}/developers/sdk/${wheelName}`,
      join(folder, 'environment'),
    );
  });
  afterAll(async () => await rm(folder, { recursive: true, force: true }));

  test('is what pip says it installed', async () => {
    const about =
      'from importlib.metadata import *; m = metadata("linnet-sdk"); print(m["Name"], m["Version"], m["Requires-Dist"])';
    const whole =
      'import hashlib, base64; print(all(f.hash is None or base64.urlsafe_b64encode(hashlib.sha256(f.read_binary()).digest()).rstrip(b"=").decode() == f.hash.value for f in files("linnet-sdk")))';
    const { stdout } = await run(python, ['-B', '-c', `${about}; ${whole}`]);
    expect(stdout).toBe(`linnet-sdk ${wheelName.split('-')[1] ?? ''} None\nTrue\n`);
  });

  test('passes its tests, against prepared answers and against the service', async () => {
    const { baseUrl: issuer, env, pythonImageHost } = inject('service');
    const redirectUri = `http://127.0.0.1:${String(await findFreePort())}/callback`;
    const username = 'python_sdk';
    const client = await createClient(env, username, ['--redirect-uri', redirectUri, '--device']);
    const browser = createHttpBrowser([issuer]);
    const report = await runPython({
      python,
      args: ['-B', '-W', 'error', '-m', 'unittest', 'discover', '-s', join(pythonSdk, 'tests')],
      env: {
        LINNET_ISSUER: issuer,
        CLIENT_ID: client.id,
        CLIENT_SECRET: client.secret,
        REDIRECT_URI: redirectUri,
        IMAGE_HOST: pythonImageHost,
      },
      open: async (address) => (await agreeAt(address, { origins: [issuer], username, browser })).url.href,
    });
    expect(report).toMatch(/\nRan \d+ tests in [\d.]+s\n\nOK\n$/);
  });
});
