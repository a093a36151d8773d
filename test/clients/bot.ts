// A bot: no browser, no person, one secret. README.md tells how to run it.
import { parseArgs } from 'node:util';

import * as oauth from 'openid-client';

import { connect } from './connection.ts';
import type { Credentials } from './connection.ts';

interface Bot {
  /** Publishes a post as the owner of the application, and answers its address. */
  post(message: string): Promise<string>;
}

/** A bot that gets its token by client credentials, and a new one before that ends. */
export async function createBot(credentials: Credentials): Promise<Bot> {
  const { service, callApi } = await connect(credentials);
  let token: { readonly text: string; readonly goodUntil: number } | undefined;

  async function getToken(): Promise<string> {
    if (token === undefined || token.goodUntil < Date.now()) {
      const { access_token: text, expires_in: seconds = 0 } = await oauth.clientCredentialsGrant(service);
      token = { text, goodUntil: Date.now() + (seconds - 60) * 1000 };
    }
    return token.text;
  }

  return {
    post: async (message) => {
      const { items } = await callApi(await getToken(), 'POST /post/create', { message });
      return String(items.link);
    },
  };
}

if (import.meta.main) {
  const text = { type: 'string' } as const;
  const options = { issuer: text, 'client-id': text, 'client-secret': text };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const { issuer = 'http://localhost:3000', 'client-id': clientId = '', 'client-secret': clientSecret = '' } = values;
  const bot = await createBot({ issuer, clientId, clientSecret });
  process.stdout.write(`${await bot.post(positionals.join(' '))}\n`);
}
