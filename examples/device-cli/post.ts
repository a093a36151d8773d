/** Posts from the command line: `node post.ts --client-id app_… "Hello"`. The first time, it connects an account. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { createApplication, SignInRequired } from '@linnet/sdk';
import type { Tokens, TokenStore } from '@linnet/sdk';

interface Client {
  readonly issuer: string;
  readonly clientId: string;
}

const scope = 'users posts';

/** Keeps tokens in a file that only its owner can read. */
function fileStore(path: string): TokenStore {
  return {
    load: async () => {
      if (!existsSync(path)) return undefined;
      return JSON.parse(await readFile(path, 'utf8')) as Tokens; // `save` wrote it
    },
    save: async (tokens) => {
      if (tokens === undefined) return await rm(path, { force: true });
      await mkdir(dirname(path), { recursive: true });
      // Replaced at once: a refresh token works once, so a half-written file would end the access.
      await writeFile(`${path}.new`, JSON.stringify(tokens), { mode: 0o600 });
      return await rename(`${path}.new`, path);
    },
  };
}

/** Connects an account with the device flow (RFC 8628): the person approves a code in a browser, on any device. */
async function connect(client: Client): Promise<Tokens> {
  const device = await send(client, '/oauth/device_authorization', { scope });
  process.stderr.write(`Open ${String(device['verification_uri_complete'])}\n`);
  process.stderr.write(`and check that it shows the code ${String(device['user_code'])}.\n`);
  let seconds = Number(device['interval']);
  for (;;) {
    await delay(seconds * 1000);
    const answer = await send(client, '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: String(device['device_code']),
    });
    if (typeof answer['access_token'] === 'string') return toTokens(answer);
    if (answer['error'] === 'slow_down') seconds += 5;
    else if (answer['error'] !== 'authorization_pending') throw new Error(String(answer['error']));
  }
}

function toTokens(answer: Readonly<Record<string, unknown>>): Tokens {
  return {
    accessToken: String(answer['access_token']),
    refreshToken: String(answer['refresh_token']),
    expiresAt: Date.now() + Number(answer['expires_in']) * 1000,
    scope: String(answer['scope']),
  };
}

/** A native application has no secret: it sends its client ID. */
async function send({ issuer, clientId }: Client, path: string, form: Readonly<Record<string, string>>) {
  const body = new URLSearchParams({ ...form, client_id: clientId });
  const response = await fetch(new URL(path, issuer), { method: 'POST', body });
  return (await response.json()) as Readonly<Record<string, unknown>>; // RFC 6749 and RFC 8628: a JSON object
}

const text = { type: 'string' } as const;
const options = { issuer: text, 'client-id': text, tokens: text, disconnect: { type: 'boolean' } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const { issuer = 'http://localhost:3000', 'client-id': clientId = '' } = values;
const { tokens: path = join(homedir(), '.config/linnet-post/tokens.json') } = values;
const application = createApplication({ issuer, clientId });
const store = fileStore(path);

async function post(message: string): Promise<string> {
  if ((await store.load()) === undefined) await store.save(await connect({ issuer, clientId }));
  const { link } = await application.asPerson(store).posts.create(message);
  return link;
}

try {
  if (values.disconnect === true) await application.signOut(store);
  else process.stdout.write(`${await post(positionals.join(' '))}\n`);
} catch (error) {
  const isEnded = error instanceof SignInRequired;
  process.stderr.write(isEnded ? 'The access has ended. Run the command again to connect.\n' : `${String(error)}\n`);
  process.exitCode = 1;
}
