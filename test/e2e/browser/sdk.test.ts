import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { createHttpBrowser } from '../../support/http-browser.ts';
import { openBrowser } from '../../support/open-browser.ts';
import { addApplication, decide, register } from '../../support/page-steps.ts';
import { createSdkProject } from '../../support/sdk-project.ts';
import type { SdkProject } from '../../support/sdk-project.ts';
import { serveSite } from '../../support/static-site.ts';
import { createClient, password } from '../../support/api-client.ts';

/** The SDK as users get it: installed from the service into an empty project, with the examples of its README. */

const redirectUri = 'http://127.0.0.1:4000/callback';
const publicClientId = 'app_1234567890123456789012';
/** The size of the SDK with its dependencies in a page, minified and compressed. */
const maxGzipBytes = 16_000;

let project: SdkProject;
let env: Record<string, string>;

beforeAll(async () => {
  const { baseUrl, env: operator } = inject('service');
  const [created, client] = await Promise.all([
    createSdkProject(baseUrl, { 'http://localhost:3000': baseUrl }),
    createClient(operator, 'uses_the_sdk', ['--redirect-uri', redirectUri]),
  ]);
  project = created;
  env = { CLIENT_ID: client.id, CLIENT_SECRET: client.secret };
});
afterAll(async () => await project[Symbol.asyncDispose]());

test('the examples compile with the types of the package', async () => {
  await project.checkTypes();
  expect(project.examples).toHaveLength(9);
});

test('a bot posts, lists are read to the end, errors have codes, requests have limits', async () => {
  expect(await project.run('bot.ts', env)).toMatch(/\/p\/\d+ by Ada Lovelace\n$/);
  expect(await Promise.all(['lists.ts', 'errors.ts'].map(async (example) => await project.run(example, env)))).toEqual([
    '1 of 1\nHello #Linnet\n0\n',
    'message is required\n',
  ]);
  expect(await project.run('limits.ts', env)).toMatch(/^(?:200 \/\S+\n){3}true\n$/);
});

test('a token from elsewhere works', async () => {
  const { baseUrl } = inject('service');
  const credentials = Buffer.from(`${env['CLIENT_ID']}:${env['CLIENT_SECRET']}`).toString('base64');
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const token = String(Reflect.get(Object(await response.json()), 'access_token'));
  expect(await project.run('token.ts', { ACCESS_TOKEN: token })).toBe('uses_the_sdk\n');
});

test('a person signs in at the terminal', async () => {
  const { baseUrl } = inject('service');
  const browser = createHttpBrowser([baseUrl]);
  const agree = async (printed: string) => {
    let page = await browser.open(/Open (\S+)/.exec(printed)?.[1] ?? '');
    if (page.html.includes('name="login"')) {
      page = await browser.submit(page, 'login', { login: 'uses_the_sdk', password });
    }
    if (page.url.origin === baseUrl) page = await browser.submit(page, 'decision', { decision: 'allow' });
    return page.url.href;
  };
  expect(await project.run('sign-in.ts', env, agree)).toContain('Signed in as uses_the_sdk');
});

test('a page of a public application signs a person in, and stays signed in', async () => {
  const { page } = await openBrowser({ scripts: true });
  const person = await register(page);
  let [script, html] = ['', ''];
  await using site = await serveSite({
    get '/page.js'() {
      return script;
    },
    '/linnet-sdk.js': await (await fetch(`${inject('service').baseUrl}/developers/sdk/linnet-sdk.js`)).text(),
    get '/static.html'() {
      return html;
    },
  });
  const redirectUris = [`${site.home}callback`, `${site.home}static.html`];
  const { clientId } = await addApplication(page, { type: 'public', redirectUris });
  script = await bundle(project, clientId);
  const size = gzipSync(script).length;
  process.stdout.write(`SDK with page.ts, minified: ${String(script.length)} bytes, ${String(size)} with gzip\n`);
  expect(size).toBeLessThan(maxGzipBytes);
  await page.goto(site.home);
  await decide(page, 'allow');
  const signedIn = page.getByText(`Signed in as ${person.username}`);
  await signedIn.waitFor();
  expect(page.url()).toBe(site.home);
  await page.reload();
  await signedIn.waitFor();

  html = (await readFile(join(project.root, 'static.html'), 'utf8')).replaceAll(publicClientId, clientId);
  await page.goto(`${site.home}static.html`);
  await page.getByRole('heading', { name: 'Hello Ada Lovelace' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Hello stranger' }).waitFor();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await decide(page, 'allow');
  await page.getByRole('heading', { name: 'Hello Ada Lovelace' }).waitFor();
  expect(page.url()).toBe(`${site.home}static.html`);
});

/** Bundles the example of a page as its developer would. */
async function bundle({ root }: SdkProject, clientId: string): Promise<string> {
  await using build = await rolldown({ cwd: root, input: join(root, 'page.ts'), platform: 'browser', treeshake: true });
  const { output } = await build.generate({ format: 'esm', minify: true });
  return output[0].code.replaceAll(publicClientId, clientId);
}
