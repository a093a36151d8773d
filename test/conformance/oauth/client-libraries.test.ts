import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, inject, test } from 'vitest';

import { repositoryRoot } from '../../support/service.ts';
import { flows } from './flow.ts';
import type { LibraryFlows } from './flow.ts';
import { arctic } from './libraries/arctic.ts';
import { badgateway } from './libraries/badgateway.ts';
import { grantLibrary } from './libraries/grant.ts';
import { oauth4webapi } from './libraries/oauth4webapi.ts';
import { openidClient } from './libraries/openid-client.ts';
import { passportOauth2 } from './libraries/passport-oauth2.ts';
import { simpleOauth2 } from './libraries/simple-oauth2.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

/** Runs third-party client libraries against the service; the results are in docs/interoperability.md. */

const libraries: Readonly<Record<string, LibraryFlows>> = {
  'openid-client': openidClient,
  oauth4webapi,
  'passport-oauth2': passportOauth2,
  'simple-oauth2': simpleOauth2,
  '@badgateway/oauth2-client': badgateway,
  arctic,
  grant: grantLibrary,
};

let world: World;
beforeAll(async () => {
  world = await createWorld(inject('service'));
});

describe.each(Object.entries(libraries))('%s', (_library, supported) => {
  test.each(Object.entries(supported))('%s', async (_flow, run) => {
    expect(await run(world)).toBe(200);
  });
});

test('docs/interoperability.md lists the flows tested here', async () => {
  await expect(document()).toMatchFileSnapshot(join(repositoryRoot, 'docs/interoperability.md'));
});

function document(): string {
  const rows = Object.entries(libraries).map(([name, supported]) => [
    `\`${name}\` ${versionOf(name)}`,
    ...flows.map((flow) => (flow in supported ? 'works' : '–')),
  ]);
  const table = [['client', ...flows], ['---', ...flows.map(() => '---')], ...rows];
  return `# Interoperability

These OAuth client libraries work with Linnet. Each flow runs against the real service: sign-in and consent on the real
pages, then a request to the API with the token. \`–\` means that the library has no such flow, or leaves it to the
application. For applications in TypeScript there is also [@linnet/sdk](../packages/sdk/README.md).

\`test/conformance/oauth/client-libraries.test.ts\` generates and checks this table.

${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`;
}

function versionOf(library: string): string {
  const { devDependencies }: { devDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(repositoryRoot, 'package.json'), 'utf8'),
  );
  return devDependencies[library] ?? '';
}
