import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createTestDatabase } from '../../support/db/test-database.ts';
import { findFreePort, startService } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { serveHttpsDocument } from './mcp/https-document.ts';
import { clientMetadata } from './mcp/mcp-client.ts';
import { npmClients } from './mcp/npm-clients.ts';
import { identifications, otherClients, prepareClient } from './mcp/other-clients.ts';
import { isInstalled } from './programs.ts';
import { createPerson } from './world.ts';
import type { RegisteredApplication, WorldPerson } from './world.ts';

/**
 * Clients of the Model Context Protocol, each with its own OAuth client, at the `/mcp` of the service. They come from
 * registries, so only `pnpm test:long languages` runs them. Those whose language is not installed are skipped.
 */
const isLong = process.env['OTHER_LANGUAGES'] === 'yes';

const cleanup = new AsyncDisposableStack();

interface World {
  readonly service: Service;
  readonly documentUrl: string;
  readonly redirectUri: string;
}

let world: World;
beforeAll(async () => {
  if (!isLong) return;
  const redirectUri = `http://127.0.0.1:${String(await findFreePort())}/callback`;
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  const metadata = { ...clientMetadata, redirect_uris: [redirectUri] };
  const { url: documentUrl, certificateFile } = cleanup.use(await serveHttpsDocument(metadata));
  const env = { DATABASE_URL: database.url, RATE_LIMITS: 'off', WORKERS: '1', NODE_EXTRA_CA_CERTS: certificateFile };
  const service = cleanup.use(await startService({ env }));
  world = { service, documentUrl, redirectUri };
});
afterAll(async () => await cleanup.disposeAsync());

async function registerApplication({ run, username }: WorldPerson): Promise<RegisteredApplication> {
  const { client_id: id = '', client_secret: secret = '' } = await run([
    ...['app', 'create', '--owner', username, '--name', 'Agent', '--type', 'confidential'],
    ...['--scope', 'users users:read posts posts:read posts:propose', '--redirect-uri', world.redirectUri],
  ]);
  return { id, secret };
}

const cases = await Promise.all(
  [...otherClients, ...npmClients].map(async (client) => {
    const title = [client.name, client.version, client.option].join(' ').trimEnd();
    if (!isLong) return { client, title: `${title} (runs in pnpm test:long)`, isSkipped: true };
    const isSkipped = !(await isInstalled(client));
    return { client, title: isSkipped ? `${title} (not installed)` : title, isSkipped };
  }),
);

const atOnce = ['sign-in for posts posts:propose posts:read users users:read', 'users_is', 'post_create', 'users_show'];
const stepByStep = [
  ...['sign-in for posts:read users:read', 'users_is'],
  ...['sign-in for posts posts:read users:read', 'post_create', 'users_show'],
];

describe.each(cases)('$title', ({ client, isSkipped }) => {
  let use: Awaited<ReturnType<typeof prepareClient>>;
  beforeAll(async () => {
    if (!isSkipped) use = await prepareClient(client);
  }, 900_000);

  test.skipIf(isSkipped).each(identifications)(
    '%s: the person signs in; it calls tools, gets another scope and refreshes',
    async (identification) => {
      const { service, ...given } = world;
      const person = await createPerson(service);
      const application = await registerApplication(person);
      const visitor = person.visitor();
      const events: string[] = [];
      const answers = new Map<string, string>();
      const visit = async (request: string) => {
        const scopes = new URL(request).searchParams.get('scope')?.split(' ').toSorted() ?? [];
        events.push(`sign-in for ${scopes.join(' ')}`);
        const { seen, url } = await visitor.finish(request);
        expect(seen.at(-1)?.html).toContain('name="decision"');
        return url;
      };
      const answered = (tool: string, text: string) => {
        events.push(tool);
        answers.set(tool, text);
      };
      const server = new URL('/mcp', service.baseUrl);
      const message = `Written by an agent ${randomUUID()}`;
      const revision = await use({ ...given, identification, server, application, message, visit, answered });
      expect(revision).toBe(client.revision);
      const stepsUp = client.stepsUp.includes(identification);
      expect(events).toEqual(stepsUp ? stepByStep : atOnce);
      expect(answers.get('users_is')).toContain('"exists":false');
      expect(answers.get('post_create')).toContain(message);
      expect(answers.get('users_show')).toContain(person.username);
    },
    120_000,
  );
});
