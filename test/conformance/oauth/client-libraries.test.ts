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
import type { RawClient } from './raw/raw-client.ts';
import { rawClients } from './raw/raw-clients.ts';
import { signInRaw } from './raw/raw-flow.ts';
import type { RawApplication } from './raw/raw-flow.ts';
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
let applications: Readonly<Record<RawClient['application'], RawApplication>>;
beforeAll(async () => {
  world = await createWorld(inject('service'));
  const nativeUri = 'com.example.app:/oauth2redirect';
  applications = {
    confidential: { ...world.web, redirectUri: world.redirectUri },
    native: {
      ...(await world.register(['--type', 'native', '--redirect-uri', nativeUri])),
      redirectUri: nativeUri,
    },
  };
});

describe.each(Object.entries(libraries))('%s', (_library, supported) => {
  test.each(Object.entries(supported))('%s', async (_flow, run) => {
    expect(await run(world)).toBe(200);
  });
});

test.each(rawClients)('the requests of $name ($language)', async (client) => {
  expect(await signInRaw(world, client, applications[client.application])).toBe(world.personName);
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

Which client libraries work with Linnet. A library works as its own quickstart uses it, with its default settings: give it
the issuer, the \`client_id\` and the secret of your application. For applications in TypeScript there is also
[@linnet/sdk](../packages/sdk/README.md), and [the OAuth guide](oauth.md) describes every request.

## Libraries

Each flow runs against the real service: sign-in and consent on the real pages, then a request to the API with the token. A
sign-in must yield the person's name. \`–\` means that the library has no such flow, or that it is not tested.

\`test/conformance/oauth/client-libraries.test.ts\` runs the JavaScript libraries and generates this page.
\`other-languages.test.ts\` runs the others in \`pnpm test:long\`, where their languages are installed.

${describeTable(table)}

## Requests of other clients

These clients need languages or platforms that the tests do not install. The tests send the requests that the clients send
with their default settings, copied from their source (\`test/conformance/oauth/raw\`): a person signs in and consents, and
the name that the client would show is right.

${describeTable(rawTable())}
`;
}

const describeTable = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function rawTable(): readonly (readonly string[])[] {
  const titles = ['language', 'client', 'application', 'request', 'client authentication', 'name from', 'sign-in'];
  const rows = rawClients.map(({ language, name, application, authorization, hasPkce, isPushed, token, person }) => {
    const request = [
      ...(hasPkce ? ['PKCE'] : []),
      ...(isPushed === true ? ['PAR'] : []),
      ...(authorization['response_mode'] === undefined ? [] : [`\`${authorization['response_mode']}\``]),
      ...(authorization['nonce'] === undefined ? [] : ['nonce']),
    ].join(', ');
    return [language, `\`${name}\``, application, request || '–', token.authentication, person, 'works'];
  });
  return [titles, titles.map(() => '---'), ...rows];
}

function installedVersionOf(library: string): string {
  const { devDependencies }: { devDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(repositoryRoot, 'package.json'), 'utf8'),
  );
  return devDependencies[library] ?? '';
}
