import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { repositoryRoot } from './service.ts';

const run = promisify(execFile);

/** The folder of the Python SDK. */
export const pythonSdk = join(repositoryRoot, 'packages/sdk/python');

const version = /^version = "(.*)"$/m.exec(readFileSync(join(pythonSdk, 'pyproject.toml'), 'utf8'))?.[1] ?? '';
/** The file that `pip install` takes. */
export const wheelName = `linnet_sdk-${version}-py3-none-any.whl`;

/** For programs that import the SDK from its sources. They leave no compiled files there. */
export const pythonPath = { PYTHONPATH: join(pythonSdk, 'src'), PYTHONDONTWRITEBYTECODE: '1' };

/** Whether Python 3.9 or newer can run and install programs here. */
export async function findPython(): Promise<boolean> {
  const check = 'import sys, venv, pip; sys.exit(sys.version_info < (3, 9))';
  return await run('python3', ['-c', check]).then(Boolean, () => false);
}

/** Installs a wheel from an address into a new environment in `folder`, without a registry. Returns its Python. */
export async function installWheel(
  address: string,
  folder: string,
  environment: readonly string[] = [],
): Promise<string> {
  // The pip of the machine installs it: an environment with a pip of its own takes seconds longer.
  await run('python3', ['-m', 'venv', '--without-pip', ...environment, folder]);
  const python = join(folder, 'bin/python');
  const options = ['--isolated', '--no-index', '--no-cache-dir', '--disable-pip-version-check', '--quiet'];
  await run('python3', ['-m', 'pip', '--python', python, 'install', ...options, address]);
  return python;
}

interface PythonRun {
  readonly python: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Opens an address that the program prints. Returns where that led, which the program reads. */
  readonly open: (address: string) => Promise<string>;
}

/** Runs a program to its end. Returns what it wrote to the standard error, where unittest reports. @throws Error if it fails */
export async function runPython({ python, args, env, open }: PythonRun): Promise<string> {
  const child = spawn(python, args, { env: { ...env, PATH: process.env['PATH'] ?? '' }, stdio: 'pipe' });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const closed = once(child, 'close');
  for await (const line of createInterface(child.stdout)) {
    const address = /^Open (http\S+)$/.exec(line)?.[1];
    if (address !== undefined) child.stdin.write(`${await open(address)}\n`);
  }
  await closed;
  if (child.exitCode !== 0) throw new Error(errors);
  return errors;
}
