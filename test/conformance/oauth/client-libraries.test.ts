import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, inject, test } from 'vitest';

import { repositoryRoot } from '../../support/service.ts';
import { flows } from './flow.ts';
import type { LibraryFlows } from './flow.ts';
import { arctic } from './libraries/arctic.ts';
import { authCore } from './libraries/auth-core.ts';
import { badgateway } from './libraries/badgateway.ts';
import { expressOpenidConnect } from './libraries/express-openid-connect.ts';
import { fastifyOauth2Library } from './libraries/fastify-oauth2.ts';
import { grantLibrary } from './libraries/grant.ts';
import { oauth4webapi } from './libraries/oauth4webapi.ts';
import { oidcClientTs } from './libraries/oidc-client-ts.ts';
import { openidClient } from './libraries/openid-client.ts';
import { passportOauth2 } from './libraries/passport-oauth2.ts';
import { passportOpenidconnect } from './libraries/passport-openidconnect.ts';
import { simpleOauth2 } from './libraries/simple-oauth2.ts';
import { languages, versionOf } from './programs.ts';
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
  '@fastify/oauth2': fastifyOauth2Library,
  'passport-openidconnect': passportOpenidconnect,
  'express-openid-connect': expressOpenidConnect,
  '@auth/core': authCore,
  'oidc-client-ts': oidcClientTs,
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
  const ours = Object.entries(libraries).map(([name, supported]) => ({
    language: 'JavaScript',
    client: `\`${name}\` ${installedVersionOf(name)}`,
    supported: Object.keys(supported),
  }));
  const others = languages.flatMap((language) =>
    Object.entries(language.libraries).map(([name, supported]) => ({
      language: language.name,
      client: `\`${name}\` ${versionOf(language, name)}`,
      supported,
    })),
  );
  const rows = [...ours, ...others].map(({ language, client, supported }) => [
    language,
    client,
    ...flows.map((flow) => (supported.some((one) => one === flow) ? 'works' : '–')),
  ]);
  const titles = ['language', 'client', ...flows];
  const table = [titles, titles.map(() => '---'), ...rows];
  return `# Interoperability

These OAuth client libraries work with Linnet, as their quickstarts use them and with their default settings. Each flow
runs against the real service: sign-in and consent on the real pages, then a request to the API with the token. A sign-in
must yield the person's name. \`–\` means that the library has no such flow, or that it is not tested. For applications
in TypeScript there is also [@linnet/sdk](../packages/sdk/README.md).

\`test/conformance/oauth/client-libraries.test.ts\` runs the JavaScript libraries and generates this table.
\`other-languages.test.ts\` runs the others in \`pnpm test:long\`, where their languages are installed.

${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`;
}

function installedVersionOf(library: string): string {
  const { devDependencies }: { devDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(repositoryRoot, 'package.json'), 'utf8'),
  );
  return devDependencies[library] ?? '';
}
