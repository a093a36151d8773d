import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
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
 * against the service of the run. `pnpm test:long` also checks types and format, and compares the wheel with that of hatchling.
 */
const run = promisify(execFile);
const hasPython = await findPython();
const isLong = process.env['OTHER_LANGUAGES'] === 'yes';
const without = hasPython ? '' : ' (skipped: Python with pip and venv is not installed)';
const long = isLong ? '' : ' (runs in pnpm test:long)';

/** Prints what pip has installed, and whether all files have the hashes of their record. */
const installed = `
import base64, hashlib
from importlib.metadata import files, metadata

def is_whole(file):
    digest = hashlib.sha256(file.read_binary()).digest()
    return file.hash is None or base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == file.hash.value

about = metadata("linnet-sdk")
print(about["Name"], about["Version"], about.get_all("Requires-Dist"), all(map(is_whole, files("linnet-sdk"))))
`;

test('documents name the version that the service offers', async () => {
  for (const path of ['README.md', 'examples/README.md', 'packages/sdk/python/README.md']) {
    const text = await readFile(join(repositoryRoot, path), 'utf8');
    const named = [...text.matchAll(/[\w.-]+\.whl/g)].map(([name]) => name);
    expect([path, ...new Set(named)]).toEqual([path, wheelName]);
  }
});

describe.skipIf(!hasPython)(`the wheel of the service${without}`, () => {
  const address = `${inject('service').baseUrl}/developers/sdk/${wheelName}`;
  let folder: string;
  let python: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'linnet-python-'));
    python = await installWheel(address, join(folder, 'environment'));
  });
  afterAll(async () => await rm(folder, { recursive: true, force: true }));

  test('is what pip says it has installed', async () => {
    const { stdout } = await run(python, ['-B', '-c', installed]);
    expect(stdout).toBe(`linnet-sdk ${wheelName.split('-')[1] ?? ''} None True\n`);
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
      open: async (opened) => (await agreeAt(opened, { origins: [issuer], username, browser })).url.href,
    });
    expect(report).toMatch(/\nRan \d+ tests in [\d.]+s\n\nOK\n$/);
  });

  describe.skipIf(!isLong)(`with tools from elsewhere${long}`, () => {
    const tools = join(repositoryRoot, 'node_modules/.cache/python-sdk');
    const tool = (name: string) => join(tools, 'bin', name);
    beforeAll(async () => {
      if (existsSync(tool('hatchling'))) return;
      await run('python3', ['-m', 'venv', tools]);
      const packages = ['mypy==2.4.1', 'ruff==0.17.6', 'hatchling==1.33.0'];
      await run(tool('pip'), ['install', '--quiet', ...packages]);
    });

    test('its types are right, and so is its format', async () => {
      const inProject = { cwd: pythonSdk };
      const types = await run(tool('mypy'), ['--cache-dir', join(tools, 'types'), 'src'], inProject);
      expect(types.stdout).toContain('Success: no issues found');
      const lint = await run(tool('ruff'), ['check', '--no-cache', '.'], inProject);
      expect(lint.stdout).toContain('All checks passed!');
      const format = await run(tool('ruff'), ['format', '--no-cache', '--check', '.'], inProject);
      expect(format.stdout).toMatch(/^\d+ files already formatted\n$/);
    });

    test('has what hatchling builds', async () => {
      await run(tool('hatchling'), ['build', '--target', 'wheel', '--directory', join(folder, 'built')], {
        cwd: pythonSdk,
      });
      expect(await readdir(join(folder, 'built'))).toEqual([wheelName]);
      const served = join(folder, wheelName);
      await writeFile(served, new Uint8Array(await (await fetch(address)).arrayBuffer()));
      const contents = await Promise.all(
        [served, join(folder, 'built', wheelName)].map(async (wheel) => {
          const { stdout } = await run(python, [join(pythonSdk, 'tests/wheel_contents.py'), wheel]);
          return JSON.parse(stdout) as object; // the program is ours
        }),
      );
      expect(contents[0]).toEqual(contents[1]);
    });
  });
});
