import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { addDocuments } from '@linnet/cli/release/documents';
import { createEmptyDatabase } from '../support/db/test-database.ts';
import type { TestDatabase } from '../support/db/test-database.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createApiCaller, createClient, requestToken } from '../support/api-client.ts';
import { wheelName } from '../support/python-sdk.ts';
import { environment, eventually, launch, repositoryRoot, startService, statusOf } from '../support/service.ts';
import type { Launched, Variables } from '../support/service.ts';

const run = promisify(execFile);

/** Building a release takes minutes: for `pnpm test:long`. */
const isLong = process.env['BUILD_RELEASE'] !== undefined;
/** Root runs the release as another user. */
const canBecomeAnother = process.getuid?.() === 0;
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

test('no link of the documents in a release leads nowhere, and pages lead where they did', async () => {
  const release = await mkdtemp(join(tmpdir(), 'linnet-documents-'));
  await addDocuments(repositoryRoot, release);
  const files = await readdir(release, { recursive: true });
  let live = 0;
  const dead: string[] = [];
  for (const page of files.filter((file) => file.endsWith('.md'))) {
    const text = (await readFile(join(release, page), 'utf8')).replaceAll(/^ *```.*?^ *```/gms, '');
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const [path = ''] = target.split('#');
      if (path === '' || URL.canParse(target)) continue;
      if (existsSync(join(release, dirname(page), path))) live += 1;
      else dead.push(`${page}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
  expect(live).toBeGreaterThan(200);
  await rm(release, { recursive: true });
});

/** Two checkouts of the last commit, which differ in what must not matter. */
const builds = [
  { path: 'one', umask: '022', env: { TZ: 'UTC', LC_ALL: 'C' } },
  { path: 'another/and deeper', umask: '077', env: { TZ: 'Asia/Kathmandu', LC_ALL: 'C.UTF-8' } },
] as const;

/** Builds a release in a clone of this repository. Returns the folder with the tarball. */
async function buildRelease(folder: string, { path, umask, env }: (typeof builds)[number]): Promise<string> {
  const checkout = join(folder, path);
  await mkdir(dirname(checkout), { recursive: true });
  await run('git', ['clone', '--quiet', repositoryRoot, checkout]);
  const commands = 'npx -y pnpm@12 install --frozen-lockfile --prefer-offline && npx -y pnpm@12 release';
  const options = { cwd: checkout, env: { ...environment(), ...env }, maxBuffer: 2 ** 26 };
  await run('sh', ['-c', `umask ${umask} && ${commands}`], options);
  return join(checkout, 'release');
}

const apiPages = ['/api/v2.0/docs', '/api/v2.0/openapi.json'];
const sdks = ['/developers/sdk/linnet-sdk.tgz', `/developers/sdk/${wheelName}`];
const servedPages = ['/login', ...sdks, ...apiPages, '/oauth/jwks', '/@ada_lovelace'];

describe.runIf(isLong)('the tarball of pnpm release, in an empty folder and without Node or pnpm in PATH', () => {
  let folder: string;
  let release: string;
  let tarball: string;
  let hash: string;
  let database: TestDatabase;
  let env: Variables;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'linnet-release-test-'));
    await chmod(folder, 0o755); // another user starts it
    database = await createEmptyDatabase(inject('databaseServer'));
    const [first] = builds;
    const built = await buildRelease(folder, first);
    const path = join(folder, 'path');
    await mkdir(path);
    for (const tool of ['dirname', 'readlink']) await symlink(`/usr/bin/${tool}`, join(path, tool));
    env = { PATH: path, DATABASE_URL: database.url, SECRET_KEYS: randomBytes(36).toString('base64') };
    tarball = (await readdir(built)).find((file) => file.endsWith('.tar.gz')) ?? '';
    hash = await readFile(join(built, `${tarball}.sha256`), 'utf8');
    await run('sha256sum', ['--check', `${tarball}.sha256`], { cwd: built });
    await run('tar', ['-xzf', join(built, tarball)], { cwd: folder });
    release = join(folder, tarball.replace('.tar.gz', ''));
  }, 1_200_000);
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test('is the same from another checkout, whatever its path, umask, time zone and language are', async () => {
    const built = await buildRelease(folder, builds[1]);
    expect(await readFile(join(built, `${tarball}.sha256`), 'utf8')).toBe(hash);
  }, 1_200_000);

  test('has at most 160 MB and the pages for operators, names no folder of the build machine, lists every package in its SBOM', async () => {
    expect(await countBytes(release)).toBeLessThanOrEqual(160_000_000);
    await expect(run('grep', ['-rlF', join(folder, builds[0].path), release])).rejects.toMatchObject({ code: 1 });
    expect(await listPages(release)).toEqual(await listPages(repositoryRoot));
    const { components } = JSON.parse(await readFile(join(release, 'sbom.cdx.json'), 'utf8')) as {
      components: readonly { readonly purl: string; readonly licenses?: unknown }[];
    };
    const licensed = await listLicensed(release);
    expect(new Set(components.map(nameOf))).toEqual(new Set([...licensed, `node@${process.versions.node}`]));
    expect(licensed).toEqual(expect.arrayContaining([...(await findPackages(join(release, 'app', 'node_modules')))]));
    expect(components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
  });

  test('serves everything with one command, through a symbolic link', async () => {
    await symlink(join(release, 'bin', 'linnet'), join(folder, 'linnet'));
    await using service = await startService({ env, command: [join(folder, 'linnet'), 'start'] });
    const client = await createClient(service.env, 'ada_lovelace');
    const { body } = await requestToken(service.baseUrl, client);
    const call = createApiCaller(service.baseUrl, body.access_token);
    const created = await call('POST /post/create', { message: 'Hello from a release' });
    expect([created.status, created.body.items?.text]).toEqual([200, 'Hello from a release']);
    expect((await upload(service.baseUrl, body.access_token)).status).toBe(200);
    for (const page of servedPages) {
      expect([page, await statusOf(service.baseUrl + page)]).toEqual([page, 200]);
    }
    const [script = ''] =
      /\/api\/v2\.0\/docs\/files\/reference\.js\?v=[^"]+/.exec(await getText(`${service.baseUrl}/api/v2.0/docs`)) ?? [];
    expect(await getText(service.baseUrl + script)).toContain('data-try');
  });

  test('has both servers and the operator’s command', async () => {
    const doctor = await run(join(release, 'bin', 'linnet'), ['doctor', '--json'], {
      env: { ...env, DATA_DIR: folder },
    });
    expect(JSON.parse(doctor.stdout)).toContainEqual(expect.objectContaining({ name: 'migrations', ok: true }));
    for (const server of ['auth', 'api']) {
      await using launched: Launched = await launch({
        env: { ...env, BASE_URL: 'http://localhost:9' },
        command: [join(release, 'bin', `linnet-${server}`)],
      });
      await eventually(
        `${server} is live`,
        async () => (await statusOf(`http://127.0.0.1:${String(launched.port)}/health/live`)) === 200,
      );
    }
  });

  test.runIf(canBecomeAnother)(
    `a release runs as a user who can write to DATA_DIR only, and its health check follows readiness${canBecomeAnother ? '' : ' (needs root, skipped)'}`,
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'linnet-release-data-'));
      await Promise.all([chown(dataDir, 65_532, 65_532), chmod(socketFolderOf(database, folder), 0o755)]);
      // As in the image: no home, no folder for temporary files.
      const nowhere = { HOME: '/nonexistent', TMPDIR: '/nonexistent', DATA_DIR: dataDir };
      const asUser = ['/usr/bin/setpriv', '--reuid=65532', '--regid=65532', '--clear-groups'];
      const command = [...asUser, join(release, 'bin', 'linnet'), 'start'];
      await using service = await startService({ env: { ...env, ...nowhere }, command });
      const client = await createClient(service.env, 'grace_hopper');
      const { body } = await requestToken(service.baseUrl, client);
      expect((await upload(service.baseUrl, body.access_token)).status).toBe(200);
      const dockerfile = await readFile(join(repositoryRoot, 'Dockerfile'), 'utf8');
      const [node = '', ...args] = JSON.parse(
        /HEALTHCHECK .*\\\n\s*CMD (.*)/.exec(dockerfile)?.[1] ?? '[]',
      ) as string[];
      const check = () => run(node.replace('/opt/linnet', release), args, { env: { PORT: String(service.port) } });
      await check();
      service.process.kill('SIGTERM');
      expect(await service.exited).toEqual({ exitCode: 0, signal: null });
      await expect(check()).rejects.toMatchObject({ code: 1 });
      await rm(dataDir, { recursive: true });
    },
  );
});

/** Of the test server, which other users cannot enter; `otherwise` if it listens on an address. */
function socketFolderOf({ url }: TestDatabase, otherwise: string): string {
  return new URL(url).searchParams.get('host') ?? otherwise;
}

async function upload(baseUrl: string, accessToken: string): Promise<Response> {
  const body = new FormData();
  body.set('media', new Blob([Buffer.from(png, 'base64')], { type: 'image/png' }), 'pixel.png');
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
  return await fetch(`${baseUrl}/api/v2.0/media/upload`, { method: 'POST', headers, body });
}

/** The documents, and the files that they name. */
async function listPages(root: string): Promise<readonly string[]> {
  return (await readdir(join(root, 'docs'), { recursive: true })).toSorted();
}

async function countBytes(directory: string): Promise<number> {
  const { stdout } = await run('find', [directory, '-type', 'f', '-printf', '%s\n']);
  const sizes = stdout.trim().split('\n').map(Number);
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function getText(url: string): Promise<string> {
  return await (await fetch(url)).text();
}

function nameOf({ purl }: { readonly purl: string }): string {
  return decodeURIComponent(purl).replace(/^pkg:\w+\//, '');
}

/** Name and version of each package whose license is in the release. */
async function listLicensed(release: string): Promise<readonly string[]> {
  const headings = (await readFile(join(release, 'app', 'LICENSES'), 'utf8')).matchAll(/^# (\S+) (\d\S*) \(/gm);
  return [...headings].map(([, name, version]) => `${String(name)}@${String(version)}`);
}

/** Name and version of each installed package. */
async function findPackages(nodeModules: string): Promise<readonly string[]> {
  const files = await readdir(nodeModules, { recursive: true });
  const manifests = files.filter((file) => /(?:^|\/node_modules\/)(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(file));
  return await Promise.all(
    manifests.map(async (file) => {
      const { name, version } = JSON.parse(await readFile(join(nodeModules, file), 'utf8')) as Record<string, string>;
      return `${String(name)}@${String(version)}`;
    }),
  );
}
