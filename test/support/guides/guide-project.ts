import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { pythonPath } from '../python-sdk.ts';
import { repositoryRoot } from '../service.ts';

/** Reacts to what a program has printed so far: returns a line for its input, `stop` to end it, or undefined. */
export type Answer = (output: string) => Promise<{ readonly line: string } | 'stop' | undefined>;

/** An empty folder in which the examples of one guide run, with one shell for all of them. */
export interface GuideProject extends AsyncDisposable {
  readonly root: string;
  /** Runs commands in the shell. @throws Error with the output if one fails */
  runShell(code: string, answer: Answer): Promise<string>;
  /** Runs a program in this folder. @throws Error with its output if it fails */
  runProgram(command: readonly string[], file: string, code: string, answer: Answer): Promise<string>;
}

/** Reads the paths of scripts from descriptor 3, so that the scripts can read input. Each fails at its first error. */
const shellLoop =
  'set -o pipefail; while IFS= read -r block <&3; do set -e; . "$block"; set +e; printf "\\n@@done\\n"; done';
const done = '\n@@done\n';

export async function createGuideProject(env: Readonly<Record<string, string>>): Promise<GuideProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'linnet-guide-')));
  await linkPackages(root);
  const variables = { ...env, ...pythonPath, PATH: process.env['PATH'], HOME: root };
  const shell = spawn('bash', ['-c', shellLoop], {
    cwd: root,
    env: variables,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  let blocks = 0;
  return {
    root,
    runShell: async (code, answer) => {
      const file = join(root, `block-${String((blocks += 1))}.sh`);
      await writeFile(file, code);
      const finished = watch(shell, answer, (output) => output.endsWith(done));
      const scripts = shell.stdio[3];
      if (scripts === null || scripts === undefined || !('write' in scripts)) throw new Error('no pipe to the shell');
      scripts.write(`${file}\n`);
      return (await finished).slice(0, -done.length);
    },
    runProgram: async (command, file, ...[code, answer]) => {
      await writeFile(join(root, file), code);
      const [name = '', ...args] = command;
      return await watch(spawn(name, [...args, file], { cwd: root, env: variables, stdio: 'pipe' }), answer);
    },
    [Symbol.asyncDispose]: async () => {
      shell.kill('SIGKILL');
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The packages that the examples import. */
async function linkPackages(root: string): Promise<void> {
  await mkdir(join(root, 'node_modules/@linnet'), { recursive: true });
  await mkdir(join(root, 'node_modules/@types'));
  await symlink(join(repositoryRoot, 'packages/sdk'), join(root, 'node_modules/@linnet/sdk'));
  for (const modules of ['test/node_modules/jose', 'node_modules/@types/node']) {
    await symlink(await realpath(join(repositoryRoot, modules)), join(root, modules.replace('test/', '')));
  }
  await writeFile(join(root, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
}

/** Collects what a process prints, and answers it, until it ends or `isFinished`. */
async function watch(
  child: ChildProcess,
  answer: Answer,
  isFinished: (output: string) => boolean = () => false,
): Promise<string> {
  let [output, errors] = ['', ''];
  let answering: Promise<unknown> = Promise.resolve();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const onData = (chunk: unknown) => {
    output += String(chunk);
    if (isFinished(output)) resolve(output);
    answering = answering.then(async () => await reply(child, await answer(output))).catch(reject);
  };
  const onError = (chunk: unknown) => (errors += String(chunk));
  readableOf(child.stdout).on('data', onData);
  readableOf(child.stderr).on('data', onError);
  const onClose = () => {
    if (child.exitCode === 0 || child.signalCode === 'SIGTERM') resolve(output);
    else reject(new Error(`status ${String(child.exitCode)}\n${output}\n${errors}`));
  };
  child.once('close', onClose);
  try {
    await promise;
    await answering;
    return output;
  } finally {
    child.stdout?.off('data', onData);
    child.stderr?.off('data', onError);
    child.off('close', onClose);
  }
}

function readableOf(stream: Readable | null): Readable {
  if (stream === null) throw new Error('the process has no output');
  return stream;
}

async function reply(child: ChildProcess, answered: Awaited<ReturnType<Answer>>): Promise<void> {
  if (answered === undefined) return;
  if (answered === 'stop') child.kill('SIGTERM');
  else if (child.stdin !== null && !child.stdin.write(`${answered.line}\n`)) await once(child.stdin, 'drain');
}
