import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createApplication } from '@linnet/sdk';
import { expect, inject, onTestFinished, test } from 'vitest';

import { createClient, password } from '../support/api-client.ts';
import { agreeAt } from '../support/guides/consent.ts';
import { createHttpBrowser } from '../support/http-browser.ts';
import { operate } from '../support/operator.ts';
import { findPython, pythonPath } from '../support/python-sdk.ts';
import { findFreePort, repositoryRoot } from '../support/service.ts';

/** The small programs in examples/, as people run them. */

const run = promisify(execFile);
const example = (path: string) => join(repositoryRoot, 'examples', path);
const hasPython = await findPython();

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-examples-'));
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a program and returns what it prints until `pattern` appears. */
async function start(args: readonly string[], secret: string, pattern: RegExp) {
  const child = spawn(process.execPath, [...args], {
    env: { ...process.env, CLIENT_SECRET: secret },
  });
  onTestFinished(() => void child.kill());
  const ended = once(child, 'close');
  const output = { stdout: '', stderr: '' };
  const printed = new Promise<RegExpExecArray>((resolve, reject) => {
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (chunk) => {
        output[name] += String(chunk);
        const found = pattern.exec(output.stdout + output.stderr);
        if (found !== null) resolve(found);
      });
    }
    void ended.then(() => reject(new Error(`ended: ${output.stdout}${output.stderr}`)));
  });
  return { printed: await printed, output, ended };
}

test.skipIf(!hasPython)('the bot in Python welcomes each new follower once', async () => {
  const { baseUrl: issuer, env } = inject('service');
  const bot = await createClient(env, 'welcome_bot');
  const fan = await createClient(env, 'welcome_fan');
  const follower = createApplication({ issuer, clientId: fan.id, clientSecret: fan.secret }).asItself();
  const state = join(await temporaryFolder(), 'followers.json');
  const args = [example('welcome-bot/welcome_bot.py'), '--issuer', issuer, '--client-id', bot.id, '--state', state];
  const welcome = async () =>
    (await run('python3', args, { env: { ...process.env, ...pythonPath, CLIENT_SECRET: bot.secret } })).stdout;

  expect(await welcome()).toBe('');
  await follower.follows.add({ id: (await follower.users.show({ username: 'welcome_bot' })).id });
  const link = (await welcome()).trim();
  const { text } = await follower.posts.show(link.split('/').at(-1) ?? '');
  expect(text).toBe('Welcome, @welcome_fan!');
  expect(await welcome()).toBe('');
});

test('the command-line program connects an account with a code, posts, and disconnects', async () => {
  const { baseUrl: issuer, env } = inject('service');
  const username = 'posts_from_cli';
  await createClient(env, username);
  const words = ['app', 'create', '--owner', username, '--name', 'Post', '--type', 'native', '--device', '--json'];
  const { stdout } = await operate([...words, '--scope', 'users posts'], env);
  const { client_id: clientId } = JSON.parse(stdout) as { readonly client_id: string };
  const tokens = join(await temporaryFolder(), 'tokens.json');
  const args = [example('device-cli/post.ts'), '--issuer', issuer, '--client-id', clientId, '--tokens', tokens];

  const connecting = await start([...args, 'Hello from a terminal'], '', /Open (\S+)/);
  await agreeAt(connecting.printed[1] ?? '', { origins: [issuer], username });
  await connecting.ended;
  expect(connecting.output.stdout).toMatch(/\/p\/\d+\n$/);
  expect((await stat(tokens)).mode & 0o777).toBe(0o600);
  await run(process.execPath, [...args, '--disconnect']);
  await expect(stat(tokens)).rejects.toThrow('ENOENT');
});

test('people sign in to the Express server, and sign out', async () => {
  const { baseUrl: issuer, env } = inject('service');
  const username = 'signs_in_there';
  const port = String(await findFreePort());
  const home = `http://127.0.0.1:${port}`;
  const client = await createClient(env, username, ['--redirect-uri', `${home}/callback`]);
  const args = [example('express-sign-in/server.ts'), '--issuer', issuer, '--client-id', client.id, '--port', port];
  await start(args, client.secret, /Open/);

  const browser = createHttpBrowser([issuer, home]);
  const login = await browser.open(`${home}/sign-in`);
  const consent = await browser.submit(login, 'login', { login: username, password });
  const signedIn = await browser.submit(consent, 'decision', { decision: 'allow' });
  expect(signedIn.html).toContain(`Signed in as ${username}`);
  expect((await browser.submit(signedIn, 'sign-out', {})).html).toContain('Sign in with Linnet');
  const forged = await createHttpBrowser([home]).open(`${home}/callback?code=x&state=y`);
  expect(forged.html).toContain('Sign in with Linnet');
});
