import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { repositoryRoot } from './run-tool.ts';

/** File contents by path. */
export type Files = Readonly<Record<string, string>>;

export interface PlantedRepository extends AsyncDisposable {
  readonly root: string;
}

/** The rooms and their declared dependencies, as in docs/architecture.md. */
const declared = {
  'apps/api': [
    '@linnet/accounts',
    '@linnet/applications',
    '@linnet/contract',
    '@linnet/db',
    '@linnet/media',
    '@linnet/revocations',
    '@linnet/service',
    '@linnet/social',
    '@linnet/ui',
    'koa',
  ],
  'apps/auth': [
    '@linnet/accounts',
    '@linnet/applications',
    '@linnet/audit',
    '@linnet/contract',
    '@linnet/db',
    '@linnet/keys',
    '@linnet/media',
    '@linnet/revocations',
    '@linnet/service',
    '@linnet/social',
    '@linnet/ui',
    'koa',
    'oidc-provider',
  ],
  'packages/cli': [
    '@linnet/accounts',
    '@linnet/api',
    '@linnet/applications',
    '@linnet/audit',
    '@linnet/auth',
    '@linnet/backup',
    '@linnet/db',
    '@linnet/keys',
    '@linnet/media',
    '@linnet/revocations',
    '@linnet/sdk',
    '@linnet/service',
  ],
  'packages/accounts': ['@linnet/contract', '@linnet/db'],
  'packages/applications': ['@linnet/accounts', '@linnet/contract', '@linnet/db', 'zod'],
  'packages/audit': ['@linnet/db'],
  'packages/backup': ['@linnet/db', '@linnet/media', 'zod'],
  'packages/contract': ['zod'],
  'packages/db': ['@prisma/client', 'pg'],
  'packages/keys': ['@linnet/contract', '@linnet/db', '@linnet/revocations', '@linnet/service', 'zod'],
  'packages/media': ['@linnet/contract', '@linnet/db', '@linnet/service'],
  'packages/revocations': ['@linnet/db', 'zod'],
  'packages/sdk': ['@linnet/contract'],
  'packages/service': ['zod'],
  'packages/social': ['@linnet/accounts', '@linnet/contract', '@linnet/db', '@linnet/media'],
  'packages/ui': ['koa', 'preact'],
} as const;

export type Room = keyof typeof declared;
export const rooms = Object.keys(declared) as readonly Room[];

const settings = [
  '.oxlintrc.json',
  'knip.jsonc',
  'pnpm-workspace.yaml',
  'test/tsconfig.json',
  'packages/sdk/tsconfig.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'tsconfig.rooms.json',
];

/** Empty modules in place of packages from the registry. */
const stubs = ['@prisma/client', 'koa', 'oidc-provider', 'pg', 'vitest', 'zod'];

/**
 * Creates a repository with our rooms and the configuration of our tools in a temporary directory, which disposal
 * removes. Its only modules are `files`.
 */
export async function plantRepository(files: Files): Promise<PlantedRepository> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'linnet-architecture-')));
  const repository = { root, [Symbol.asyncDispose]: async () => await rm(root, { recursive: true, force: true }) };
  try {
    await Promise.all(settings.map(async (file) => await cp(join(repositoryRoot, file), join(root, file))));
    await writeFiles(root, { ...manifests(), ...stubFiles(), ...files });
    await linkModules(root);
  } catch (error) {
    await repository[Symbol.asyncDispose]();
    throw error;
  }
  return repository;
}

/** The package.json of a room, with some members replaced by `changes`. */
export function roomManifest(room: Room, changes: object = {}): string {
  const dependencies = Object.fromEntries(declared[room].map((name) => [name, versionOf(name)]));
  return JSON.stringify({
    name: `@linnet/${basename(room)}`,
    version: '0.1.0',
    type: 'module',
    exports: { './*': './src/*.ts' },
    dependencies,
    ...changes,
  });
}

function versionOf(name: string): string {
  return name.startsWith('@linnet/') ? 'workspace:*' : '1.0.0';
}

function manifests(): Files {
  const root = JSON.stringify({ name: 'linnet', private: true, type: 'module', packageManager: 'pnpm@12.21.0' });
  const ofRooms = rooms.map((room) => [`${room}/package.json`, roomManifest(room)]);
  const tests = { name: '@linnet/test', type: 'module', exports: { './*': './support/*.ts' } };
  return { 'package.json': root, 'test/package.json': JSON.stringify(tests), ...Object.fromEntries(ofRooms) };
}

function stubFiles(): Files {
  const manifest = JSON.stringify({ version: '1.0.0', type: 'module', main: 'lib/index.js' });
  const files = stubs.flatMap((name) => [
    [`node_modules/${name}/package.json`, manifest],
    [`node_modules/${name}/lib/index.js`, ''],
    [`node_modules/${name}/lib/inside.js`, ''],
  ]);
  return Object.fromEntries(files);
}

async function writeFiles(root: string, files: Files): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
}

/** Links rooms and test to each other by package name, and the types of Node for the compiler. */
async function linkModules(root: string): Promise<void> {
  const modules = join(root, 'node_modules');
  await mkdir(join(modules, '@linnet'));
  for (const room of [...rooms, 'test']) await symlink(join(root, room), join(modules, '@linnet', basename(room)));
  await symlink(join(repositoryRoot, 'node_modules', '@types'), join(modules, '@types'));
}
