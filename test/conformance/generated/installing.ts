/** What the generators of all languages need: installers, compilers, and a way to run the program that uses a client. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { repositoryRoot } from '../../support/service.ts';

const execute = promisify(execFile);
export const run = async (program: string, args: readonly string[], options: { env?: object; cwd?: string } = {}) =>
  await execute(program, args, { ...options, env: { ...process.env, ...options.env }, maxBuffer: 2 ** 26 });
export const sources = import.meta.dirname;

/** An installer failed, most likely because its registry cannot be reached. */
export class NotInstalled extends Error {}

/** @throws NotInstalled */
export async function install(...command: Parameters<typeof run>): Promise<void> {
  await run(...command).catch((error: unknown) => {
    throw new NotInstalled(`${command[0]} failed`, { cause: error });
  });
}

/** What a generator works with. */
export interface Place {
  /** Of its own, with what an earlier run has left. */
  readonly folder: string;
  /** The file of the OpenAPI document. */
  readonly document: string;
  /** Of the generator. */
  readonly version: string;
}

/** Of the program that uses a client. */
interface Environment {
  readonly BASE_URL: string;
  readonly ACCESS_TOKEN: string;
  /** The text to post. */
  readonly MESSAGE: string;
}

export interface Generated {
  /** What the generator printed. */
  readonly log: string;
  /** Runs the program that uses the client, and returns what it prints. */
  readonly use: (env: Environment) => Promise<string>;
}

/** Installs packages in a virtual environment of the folder, and returns its programs. Fast: without a pip of its own, and without compiling. */
export async function installPython(folder: string, packages: readonly string[]): Promise<string> {
  const environment = join(folder, 'environment');
  const bin = join(environment, 'bin');
  // Without a change, pip would only compare the versions, for seconds.
  const installed = join(environment, 'installed');
  const wanted = JSON.stringify([packages, await readRequirements(packages)]);
  if ((await readFile(installed, 'utf8').catch(() => '')) === wanted) return bin;
  if (!existsSync(bin)) await run('python3', ['-m', 'venv', '--without-pip', environment]);
  const quiet = ['--quiet', '--no-compile', '--disable-pip-version-check'];
  await install('python3', ['-m', 'pip', '--python', join(bin, 'python'), 'install', ...quiet, ...packages]);
  await writeFile(installed, wanted);
  return bin;
}

/** The text of a file of requirements, if the packages are in one. */
async function readRequirements([option, file]: readonly string[]): Promise<string> {
  return option === '-r' && file !== undefined ? await readFile(file, 'utf8') : '';
}

export function usePython(bin: string, program: string, generated: string): Generated['use'] {
  return async (env) =>
    (await run(join(bin, 'python'), [join(sources, program)], { env: { ...env, GENERATED: generated } })).stdout;
}

/** Compiles a program in Go with the packages beside it. @throws NotInstalled */
export async function runGo(project: string): Promise<Generated['use']> {
  await writeFile(join(project, 'go.mod'), 'module generated\n\ngo 1.24\n');
  await install('go', ['mod', 'tidy'], { cwd: project });
  return async (env) => (await run('go', ['run', '.'], { cwd: project, env })).stdout;
}

/** Installs packages of npm in a folder, and returns its programs. */
export async function installPackages(folder: string, packages: readonly string[]): Promise<string> {
  const bin = join(folder, 'node_modules/.bin');
  if (!existsSync(bin)) await install('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages]);
  return bin;
}

const compiler = join(repositoryRoot, 'node_modules/.bin/tsc');
const compilerOptions = '--ignoreConfig --strict --skipLibCheck --module nodenext --target esnext --types node'.split(
  ' ',
);

/** Compiles files of TypeScript. */
export async function compile(files: readonly string[], options: readonly string[] = []): Promise<void> {
  await run(compiler, [...compilerOptions, ...options, ...files]);
}

/** Copies a program beside what it imports: in this folder, it would be a module of the repository. */
export async function copyProgram(name: string, folder: string): Promise<string> {
  const program = join(folder, `${name}.mjs`);
  await copyFile(join(sources, `${name}.mjs.txt`), program);
  return program;
}

export function useJavaScript(program: string): Generated['use'] {
  return async (env) => (await run(process.execPath, [program], { env })).stdout;
}

export async function listFiles(pattern: string): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const file of glob(pattern)) files.push(file);
  return files;
}
