import { beforeAll, describe, expect, inject, test } from 'vitest';

import { createClient, requestToken } from '../../support/api-client.ts';
import { findMissing, generate, generators } from './generators.ts';
import { NotInstalled } from './installing.ts';

/**
 * What code generators make of the OpenAPI document works against a live service. They come from the registries of their languages.
 * Those whose language is not installed are skipped, and in a usual run those that cannot be downloaded, too.
 */
const isLong = process.env['OTHER_LANGUAGES'] === 'yes';

const cases = await Promise.all(
  generators.map(async (generator) => {
    const runs = isLong || generator.isLong !== true;
    const missing = runs ? await findMissing(generator) : [];
    const reason = runs ? missing.map((one) => ` (${one} is not installed)`).join('') : ' (runs in pnpm test:long)';
    return { generator, title: `${generator.name}, ${generator.language}${reason}`, isSkipped: reason !== '' };
  }),
);

let document: string;
let token: string;
beforeAll(async () => {
  if (cases.every(({ isSkipped }) => isSkipped)) return;
  const { baseUrl, env } = inject('service');
  document = await (await fetch(`${baseUrl}/api/v2.0/docs/generators.json`)).text();
  token = String((await requestToken(baseUrl, await createClient(env, 'generates_clients'))).body.access_token);
});

describe.each(cases)('$title', ({ generator, isSkipped }) => {
  test.skipIf(isSkipped)(
    'posts, lists posts, and reads a problem',
    async ({ skip }) => {
      const { log, use } = await generate(generator, document).catch((error: unknown) => {
        if (!isLong && error instanceof NotInstalled) skip(`${generator.name} cannot be downloaded: ${error.message}`);
        throw error;
      });
      // openapi-python-client warns of every operation that it cannot generate.
      expect(log).not.toMatch(/unable to parse|unsupported|will not be generated/i);
      const message = `From ${generator.name} in ${generator.language}`;
      const printed = await use({ BASE_URL: inject('service').baseUrl, ACCESS_TOKEN: token, MESSAGE: message });
      expect(printed).toBe(`${message} by generates_clients\n404 not-found\n`);
    },
    1_800_000,
  );
});
