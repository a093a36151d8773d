import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { installWheel } from '../python-sdk.ts';
import { repositoryRoot } from '../service.ts';
import { commandsOf, isInstallation, isProgram } from './guide-blocks.ts';
import type { GuideSource } from './guide-blocks.ts';

const run = promisify(execFile);

/** What readers install, once for all guides. */
export interface GuidePackages extends AsyncDisposable {
  /** A folder after `npm init -y` and `npm install`, with a virtual environment in `.venv` if Python is installed. */
  readonly root: string;
}

/** Installs what the commands of the guides name: the SDKs from the service, other packages from this machine. */
export async function installGuidePackages(guides: readonly GuideSource[], hasPython: boolean): Promise<GuidePackages> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'linnet-guides-')));
  const programs = guides.flatMap(({ groups }) => groups.flat()).filter(isProgram);
  const commands = new Set(programs.flatMap(commandsOf).filter(isInstallation));
  const names = [...commands].flatMap((command) => command.split(' ').slice(2));
  const [served, others] = [names.filter(isAddress), names.filter((name) => !isAddress(name))];
  await run('npm', ['init', '-y'], { cwd: root });
  for (const address of new Set(served)) {
    if (!address.endsWith('.whl')) await installArchive(root, address);
    else if (hasPython) await installWheel(address, join(root, '.venv'), ['--system-site-packages']);
  }
  for (const name of others) if (name !== 'requests') await linkPackage(root, name);
  return { root, [Symbol.asyncDispose]: async () => await rm(root, { recursive: true, force: true }) };
}

const isAddress = (name: string) => name.startsWith('http');

async function installArchive(root: string, address: string): Promise<void> {
  const options = ['--no-audit', '--no-fund', '--registry=http://127.0.0.1:9', `--cache=${join(root, '.npm')}`];
  await run('npm', ['install', ...options, address], { cwd: root });
}

async function linkPackage(root: string, name: string): Promise<void> {
  await symlink(await realpath(join(repositoryRoot, 'test/node_modules', name)), join(root, 'node_modules', name));
}
