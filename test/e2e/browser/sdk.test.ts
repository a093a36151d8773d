import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createHttpBrowser } from '../../support/http-browser.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { createApplication, decide, register } from '../../support/page-steps.ts';
import { createSdkProject } from '../../support/sdk-project.ts';
import type { SdkProject } from '../../support/sdk-project.ts';
import { findFreePort } from '../../support/service.ts';
import { createClient, password } from '../../support/api-client.ts';

/** The SDK as users get it: packed, installed into an empty project, with the examples of its README. */

const redirectUri = 'http://127.0.0.1:4000/callback';
const publicClientId = 'app_1234567890123456789012';
/** The size of the SDK with its dependencies in a page, minified and compressed. */
const maxGzipBytes = 16_000;

let project: SdkProject;
let env: Record<string, string>;

beforeAll(async () => {
  const { baseUrl, env: operator } = inject('service');
  const [created, client] = await Promise.all([
    createSdkProject({ 'http://localhost:3000': baseUrl }),
    createClient(operator, 'uses_the_sdk', ['--redirect-uri', redirectUri]),
  ]);
  project = created;
  env = { CLIENT_ID: client.id, CLIENT_SECRET: client.secret };
});
afterAll(async () => await project[Symbol.asyncDispose]());

test('the examples compile with the types of the package', async () => {
  await project.checkTypes();
  expect(project.examples).toEqual(['bot.ts', 'sign-in.ts', 'page.ts', 'lists.ts', 'errors.ts']);
});

test('a bot posts, lists are read to the end, errors have codes', async () => {
  expect(await project.run('bot.ts', env)).toMatch(/\/p\/\d+ by Ada Lovelace\n$/);
  expect(await Promise.all(['lists.ts', 'errors.ts'].map(async (example) => await project.run(example, env)))).toEqual([
    '1 of 1\nHello #Linnet\n0\ntrue\n',
    'message is required\n',
  ]);
});

test('a person signs in at the terminal', async () => {
  const { baseUrl } = inject('service');
  const browser = createHttpBrowser([baseUrl]);
  const output = await project.run('sign-in.ts', env, async (printed) => {
    const page = await browser.open(/Open (\S+)/.exec(printed)?.[1] ?? '');
    const consent = await browser.submit(page, 'login', { login: 'uses_the_sdk', password });
    return (await browser.submit(consent, 'decision', { decision: 'allow' })).url.href;
  });
  expect(output).toContain('Signed in as uses_the_sdk');
});

test('a page of a public application signs a person in, and stays signed in', async () => {
  const { page } = await openBrowser({ scripts: true });
  const person = await register(page);
  const port = await findFreePort();
  const home = `http://127.0.0.1:${String(port)}/`;
  const { clientId } = await createApplication(page, { type: 'public', redirectUris: [`${home}callback`] });
  const script = await bundle(project, clientId);
  const size = gzipSync(script).length;
  process.stdout.write(`SDK with page.ts, minified: ${String(script.length)} bytes, ${String(size)} with gzip\n`);
  expect(size).toBeLessThan(maxGzipBytes);
  await using _server = await servePage(port, script);
  await page.goto(home);
  await decide(page, 'allow');
  const signedIn = page.getByText(`Signed in as ${person.username}`);
  await signedIn.waitFor();
  expect(page.url()).toBe(`${home}callback`);
  await page.goto(home);
  await signedIn.waitFor();
});

/** Bundles the example of a page as its developer would. */
async function bundle({ root }: SdkProject, clientId: string): Promise<string> {
  await using build = await rolldown({ cwd: root, input: join(root, 'page.ts'), platform: 'browser', treeshake: true });
  const { output } = await build.generate({ format: 'esm', minify: true });
  return output[0].code.replaceAll(publicClientId, clientId);
}

async function servePage(port: number, script: string): Promise<AsyncDisposable> {
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script><body></body></html>';
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : html);
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
