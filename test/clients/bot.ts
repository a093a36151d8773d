// A bot: no browser, no person, one secret. See README.md for how to run it.
import { parseArgs } from 'node:util';

import { createApplication, isApiError } from '@linnet/sdk';
import type { ClientOptions } from '@linnet/sdk';

interface Bot {
  /** Publishes a post as the owner of the application and returns its address. */
  post(message: string): Promise<string>;
}

/** A bot that gets its token by client credentials and renews it before it expires. */
export function createBot(credentials: ClientOptions): Bot {
  const linnet = createApplication(credentials).asItself();
  return {
    post: async (message) => {
      const { link } = await linnet.posts.create(message);
      return link;
    },
  };
}

if (import.meta.main) {
  const text = { type: 'string' } as const;
  const options = { issuer: text, 'client-id': text, 'client-secret': text };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const { issuer = 'http://localhost:3000', 'client-id': clientId = '', 'client-secret': clientSecret } = values;
  try {
    const bot = createBot({ issuer, clientId, clientSecret });
    process.stdout.write(`${await bot.post(positionals.join(' '))}\n`);
  } catch (error) {
    const problems = isApiError(error, 'invalid-parameter') ? error.errors : [];
    const lines = problems.map(({ parameter, detail }) => `${parameter} ${detail}`);
    process.stderr.write(`${lines.length > 0 ? lines.join('\n') : String(error)}\n`);
    process.exitCode = 1;
  }
}
