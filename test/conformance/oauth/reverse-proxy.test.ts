import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, inject, test } from 'vitest';

import { findFreePort } from '../../support/service.ts';
import { createWorld } from './world.ts';
import type { RegisteredApplication } from './world.ts';

/**
 * A reverse proxy that signs people in: Apache with mod_auth_openidc (Debian: libapache2-mod-auth-openidc). It renews
 * the access token when a request finds that it expires soon, so parallel requests renew it in parallel.
 */
const apache = '/usr/sbin/apache2';
const modules = '/usr/lib/apache2/modules';
const isInstalled = existsSync(apache) && existsSync(join(modules, 'mod_auth_openidc.so'));

const parallel = 10;
const renewals = 3;

test.skipIf(!isInstalled)(
  `parallel requests through a reverse proxy stay signed in${isInstalled ? '' : ' (mod_auth_openidc not installed)'}`,
  { timeout: 120_000 },
  async () => {
    const world = await createWorld(inject('service'));
    const origin = `http://127.0.0.1:${String(await findFreePort())}`;
    const application = await world.register([
      ...['--type', 'confidential', '--access-token-lifetime', '60'],
      ...['--redirect-uri', `${origin}/callback`],
    ]);
    await using _proxy = await startProxy(origin, world.issuer, application);
    const visitor = world.visitor(origin);
    await visitor.consent(origin);
    const seen = new Set<string>();
    // The proxy renews the token as soon as it is older than a second.
    while (seen.size <= renewals) {
      const pages = await Promise.all(Array.from({ length: parallel }, () => visitor.open(origin)));
      expect(pages.map(({ html }) => html)).toEqual(pages.map(() => 'Welcome'));
      const { access_token: token }: { access_token: string } = JSON.parse(
        (await visitor.open(`${origin}/callback?info=json`)).html,
      );
      seen.add(token);
    }
  },
);

async function startProxy(
  origin: string,
  issuer: string,
  { id, secret }: RegisteredApplication,
): Promise<AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-apache-'));
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'pages'));
  await writeFile(join(folder, 'pages/index.html'), 'Welcome');
  const loaded = ['mpm_event', 'dir', 'mime', 'authn_core', 'authz_core', 'authz_user', 'auth_openidc'];
  const lines = [
    ...loaded.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`),
    'User nobody',
    'Group nogroup',
    'ServerName 127.0.0.1',
    `Listen ${new URL(origin).host}`,
    `DefaultRuntimeDir ${folder}`,
    `PidFile ${folder}/pid`,
    `ErrorLog ${folder}/error.log`,
    `DocumentRoot ${folder}/pages`,
    'TypesConfig /etc/mime.types',
    `OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration`,
    `OIDCClientID ${id}`,
    `OIDCClientSecret ${secret}`,
    `OIDCRedirectURI ${origin}/callback`,
    'OIDCScope "openid profile email"',
    'OIDCCryptoPassphrase "a secret of the proxy"',
    'OIDCRefreshAccessTokenBeforeExpiry 59',
    'OIDCInfoHook access_token',
    // Otherwise it redirects only browsers, by Sec-Fetch-Mode.
    'OIDCUnAuthAction auth true',
    '<Location />',
    'AuthType openid-connect',
    'Require valid-user',
    '</Location>',
  ];
  await writeFile(join(folder, 'apache.conf'), `${lines.join('\n')}\n`);
  const server = spawn(apache, ['-f', join(folder, 'apache.conf'), '-DFOREGROUND'], { stdio: 'ignore' });
  const closed = once(server, 'close');
  const stop = async () => {
    server.kill('SIGTERM');
    await closed;
    await rm(folder, { recursive: true });
  };
  const isUp = async () => await fetch(origin, { redirect: 'manual' }).then(Boolean, () => false);
  while (!(await isUp())) {
    if (server.exitCode !== null) throw new Error(await readFile(join(folder, 'error.log'), 'utf8'));
  }
  return { [Symbol.asyncDispose]: stop };
}
