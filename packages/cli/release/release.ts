// `pnpm release`: builds a tarball for one platform, with Node, the bundle and the libraries in C.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { z } from 'zod';

import { assembleRelease, measureBytes } from './assemble.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const platforms = ['linux-x64', 'linux-arm64'];
/** Node takes 109 MB of them. */
const maxBytes = 160_000_000;
const run = promisify(execFile);
const withNode = z.object({ optionalDependencies: z.object({ node: z.string() }) });

const { values } = parseArgs({
  options: {
    platform: { type: 'string', default: `${process.platform}-${process.arch}` },
    out: { type: 'string', default: join(repository, 'release') },
  },
});
await release(values.platform, resolve(values.out));

async function release(platform: string, out: string): Promise<void> {
  if (!platforms.includes(platform)) {
    throw new Error(`There is no platform ${platform}. There are: ${platforms.join(', ')}.`);
  }
  const modules = await build();
  const versions = await readVersions();
  const { stdout } = await run('git', ['log', '-1', '--format=%ct'], { cwd: repository });
  const epochSeconds = Number(stdout);
  const name = `linnet-${versions.linnet}-${platform}`;
  const staging = await mkdtemp(join(tmpdir(), 'linnet-release-'));
  try {
    const directory = join(staging, name);
    await assembleRelease(directory, { repository, modules, platform, nodeVersion: versions.node, epochSeconds });
    const bytes = await measureBytes(directory);
    requireSmall(bytes);
    await mkdir(out, { recursive: true });
    const tarball = join(out, `${name}.tar.gz`);
    await pack(directory, tarball, epochSeconds);
    await copyFile(join(directory, 'sbom.cdx.json'), join(out, `${name}.cdx.json`));
    process.stdout.write(`${tarball}: ${String(Math.round(bytes / 1e6))} MB unpacked\n`);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function requireSmall(bytes: number): void {
  if (bytes <= maxBytes) return;
  throw new Error(`The release has ${String(bytes)} bytes; at most ${String(maxBytes)} are allowed.`);
}

/** Generates and bundles without what earlier commits have left behind. Returns what is in the bundle. */
async function build(): Promise<readonly string[]> {
  for (const outputs of ['packages/{cli,sdk}/dist', '{apps,packages}/*/src/generated']) {
    for await (const found of glob(outputs, { cwd: repository })) {
      await rm(join(repository, found), { recursive: true });
    }
  }
  const turbo = join(repository, 'node_modules', '.bin', 'turbo');
  const { status } = spawnSync(turbo, ['run', '@linnet/cli#bundle', '--force', '--output-logs=errors-only'], {
    cwd: repository,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The build failed.');
  const contents = z.record(z.string(), z.array(z.string())).parse(await readJson('packages/cli/dist/contents.json'));
  return Object.values(contents)
    .flat()
    .map((path) => join(repository, path));
}

/** Of Linnet, and of the Node that it comes with. */
async function readVersions(): Promise<{ readonly linnet: string; readonly node: string }> {
  const { version } = z.object({ version: z.string() }).parse(await readJson('packages/cli/package.json'));
  const { optionalDependencies } = withNode.parse(await readJson('package.json'));
  return { linnet: version, node: optionalDependencies.node };
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(join(repository, path), 'utf8'));
}

/** A tarball that depends on the files only: fixed order, times, owners and modes. Beside it, its hash for `sha256sum -c`. */
async function pack(directory: string, tarball: string, epochSeconds: number): Promise<void> {
  const owners = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  // pnpm links equal files of several packages to each other, depending on what it finds in its store.
  const order = ['--hard-dereference', '--sort=name', `--mtime=@${String(epochSeconds)}`, '--format=gnu'];
  const compress = ['--use-compress-program', 'gzip -9 -n'];
  const tar = [...owners, ...order, ...compress, '-C', join(directory, '..'), '-cf', tarball, basename(directory)];
  await run('tar', tar);
  const hash = createHash('sha256');
  await pipeline(createReadStream(tarball), hash);
  await writeFile(`${tarball}.sha256`, `${hash.digest('hex')}  ${basename(tarball)}\n`);
}
