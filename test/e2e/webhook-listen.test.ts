import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

import { verifyWebhook } from '@linnet/sdk';
import type { WebhookMessage } from '@linnet/sdk';
import { describe, expect, inject, onTestFinished, test } from 'vitest';

import { createApiCaller, createClient, requestToken } from '../support/api-client.ts';
import type { CallApi, Client } from '../support/api-client.ts';
import { findPython, pythonPath } from '../support/python-sdk.ts';
import { findFreePort, repositoryRoot } from '../support/service.ts';

/** The commands `linnet-sdk listen` and `python -m linnet_sdk listen` at the running service, with a receiver that verifies. */

const hasPython = await findPython();
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const { baseUrl, env } = inject('service');

interface Receiver extends AsyncDisposable {
  readonly port: number;
  /** The next message, verified. */
  readonly next: () => Promise<WebhookMessage | undefined>;
}

async function startReceiver(): Promise<Receiver> {
  const port = await findFreePort();
  const messages: WebhookMessage[] = [];
  const server: Server = createServer((request, response) => {
    void text(request)
      .then(async (body) => messages.push(await verifyWebhook({ headers: request.headers, body, secret })))
      .then(() => server.emit('message'))
      .finally(() => response.writeHead(204).end());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port,
    next: async () => {
      if (messages.length === 0) await once(server, 'message');
      return messages.shift();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Starts the command. Its lines come in turn. */
function start(command: readonly string[], { id, secret: clientSecret }: Client, args: readonly string[]) {
  const [file = '', ...given] = command;
  const variables = { PATH: process.env['PATH'], LINNET_ISSUER: baseUrl, CLIENT_ID: id, CLIENT_SECRET: clientSecret };
  const child = spawn(file, [...given, 'listen', ...args], { env: { ...variables, ...pythonPath }, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, exited: once(child, 'close'), line: async () => String((await lines.next()).value) };
}

/** The options of the command in the guide, whose archive exists. */
async function readGuide(): Promise<string> {
  const guide = await (await fetch(`${baseUrl}/developers/webhooks.md`)).text();
  const [, archive = '', options = ''] = /^npx (\S+) listen (.+)$/m.exec(guide) ?? [];
  expect((await fetch(archive, { method: 'HEAD' })).status).toBe(200);
  return options;
}

async function createCaller(client: Client): Promise<CallApi> {
  return createApiCaller(baseUrl, (await requestToken(baseUrl, client)).body.access_token);
}

describe.each([
  ['linnet-sdk', [process.execPath, join(repositoryRoot, 'packages/sdk/bin/linnet-sdk.mjs')], true],
  [`linnet_sdk${hasPython ? '' : ' (skipped: Python is not installed)'}`, ['python3', '-m', 'linnet_sdk'], hasPython],
])('%s', (_, command, isInstalled) => {
  test.runIf(isInstalled)('sends what happens to a server of this machine, until it is stopped', async () => {
    const username = `listens_${String(command.length)}`;
    const [client, other] = [await createClient(env, username), await createClient(env, `${username}_2`)];
    const [call, callOther] = [await createCaller(client), await createCaller(other)];
    const receiver = await startReceiver();
    const options = (await readGuide()).replace('localhost:4000', `127.0.0.1:${String(receiver.port)}`).split(' ');
    const { child, exited, line } = start(command, client, [...options, '--secret', secret, '--print']);
    expect(await line()).toBe(`Your webhook signing secret is ${secret}`);
    expect(await line()).toContain('Press Ctrl-C to stop.');
    await callOther('POST /post/create', { message: 'not for you' });
    const { id, user } = (await call('POST /post/create', { message: 'hello' })).body.items;
    const data = { user_id: user.id, actor_id: user.id, post_id: id };
    expect(await receiver.next()).toMatchObject({ type: 'post.created', data });
    expect(await line()).toMatch(/^\d\d:\d\d:\d\d post\.created 204 \d+ ms$/);
    expect(JSON.parse(await line())).toMatchObject({ type: 'post.created', data });
    const item = { item_id: id, type: 'post' };
    expect((await call('POST /likes/add', item)).status).toBe(200);
    expect(await receiver.next()).toMatchObject({ type: 'like.created', data });
    expect([await line(), await line()].join(' ')).toContain('like.created 204');
    await receiver[Symbol.asyncDispose]();
    await call('POST /likes/delete', item);
    expect(await line()).toMatch(/ like\.deleted connection refused \d+ ms$/);
    child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
  });

  test.runIf(isInstalled).each([
    ['a wrong secret', [], 1, /^.*: check CLIENT_ID and CLIENT_SECRET, .*\n$/],
    ['a service that does not run', ['--issuer', 'http://127.0.0.1:9'], 1, /^.*unreachable.*\n$/],
    ['an address that is none', ['--forward', 'x'], 2, /URL: x/],
    ['a signing secret that is no Base64', ['--secret', `whsec_${'A'.repeat(33)}`], 2, /Base64/],
    ['an unknown option', ['--wrong'], 2, /--wrong/],
  ])('says what is wrong with %s', async (_case, args, code, problem) => {
    const client = { id: 'app_1234567890123456789012', secret: 'wrong' };
    const { child, exited } = start(command, client, ['--forward', 'http://127.0.0.1:9', ...args]);
    const errors = await text(child.stderr);
    expect([await exited, errors]).toEqual([[code, null], expect.stringMatching(problem)]);
  });
});
