import { join } from 'node:path';

import { beforeAll, describe, expect, inject, test } from 'vitest';

import { repositoryRoot } from '../../support/service.ts';
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
import { describeInteroperability } from './interoperability-document.ts';
import type { RawClient } from './raw/raw-client.ts';
import { rawClients } from './raw/raw-clients.ts';
import { signInRaw } from './raw/raw-flow.ts';
import type { RawApplication } from './raw/raw-flow.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

/** Runs third-party client libraries against the service; the results are in docs/evidence/interoperability.md. */

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

test('docs/evidence/interoperability.md lists the flows tested here', async () => {
  await expect(describeInteroperability(libraries)).toMatchFileSnapshot(
    join(repositoryRoot, 'docs/evidence/interoperability.md'),
  );
});
