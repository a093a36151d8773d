import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { copyFile, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

/** Reacts to what a program has printed so far: returns a line for its input, `stop` to end it, or undefined. */
export type Answer = (output: string) => Promise<{ readonly line: string } | 'stop' | undefined>;

export type Shell = 'bash' | 'zsh';

/** Shells as people have them in a terminal, without their settings. They end at the first error. */
const shellOptions: Readonly<Record<Shell, readonly string[]>> = {
  bash: ['--norc', '--noediting', '-i', '-e', '-o', 'pipefail'],
  zsh: ['-f', '-i', '-e', '-o', 'pipefail', '+o', 'promptsp'],
};

/** A folder in which the examples of one guide run, with one shell for all of them. */
export interface GuideProject extends AsyncDisposable {
  readonly root: string;
  /** Pastes commands into the shell. @throws Error with the output if one fails */
  runShell(code: string, answer: Answer): Promise<string>;
  /** Saves a program in this folder and runs it by `commands`. @throws Error with its output if it fails */
  runProgram(commands: readonly string[], file: string, code: string, answer: Answer): Promise<string>;
}

/** What is pasted after a block, to see in both outputs that it has ended. */
const mark = "{ printf '\\n@@done\\n' >&2; printf '\\n@@done\\n'; }\n";
const done = '\n@@done\n';
/** What a shell says about a block that it does not understand, and then continues. */
const complaint = /(?:bash|zsh): (?!no job control|cannot set terminal).*/;

/** `packages` is a folder with what the examples import. Without one, programs install it, with the caches in `home`. */
export async function createGuideProject(shellName: Shell, packages?: string, home?: string): Promise<GuideProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'linnet-guide-')));
  if (packages !== undefined) {
    await copyFile(join(packages, 'package.json'), join(root, 'package.json'));
    await symlink(join(packages, 'node_modules'), join(root, 'node_modules'));
  }
  const path = [`${packages ?? root}/.venv/bin`, dirname(process.execPath), process.env['PATH']].join(':');
  const env = { PATH: path, HOME: home ?? root, PS1: '', PS2: '', PYTHONDONTWRITEBYTECODE: '1' };
  // Away from the terminal of the tests, which an interactive shell would take.
  const shell = spawn(shellName, shellOptions[shellName], { cwd: root, env, stdio: 'pipe', detached: true });
  return {
    root,
    runShell: async (code, answer) => {
      // The shell reads what follows a question as its answer.
      const asks = /\bread -r \w+\n$/.test(code);
      const answerAll: Answer = async (output) => {
        const answered = await answer(output);
        return typeof answered === 'object' && asks ? { line: `${answered.line}\n${mark}` } : answered;
      };
      const finished = watch(shell, answerAll, (output, errors) => output.endsWith(done) && errors.endsWith(done));
      shell.stdin.write(asks ? code : code + mark);
      return (await finished).slice(0, -done.length);
    },
    runProgram: async (commands, file, ...[code, answer]) => {
      await writeFile(join(root, file), code);
      const script = [...commands.slice(0, -1), `exec ${commands.at(-1) ?? ''}`].join('\n');
      // With a process group of its own: `go run` starts the program as its child.
      const program = spawn(shellName, ['-e', '-c', script], { cwd: root, env, stdio: 'pipe', detached: true });
      try {
        return await watch(program, answer);
      } finally {
        if (program.exitCode === null && program.signalCode === null) end(program);
      }
    },
    [Symbol.asyncDispose]: async () => {
      shell.kill('SIGKILL');
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Collects what a process prints, and answers it, until it ends or `isFinished`. */
async function watch(
  child: ChildProcess,
  answer: Answer,
  isFinished: (output: string, errors: string) => boolean = () => false,
): Promise<string> {
  let [output, errors] = ['', ''];
  let answering: Promise<unknown> = Promise.resolve();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (what: string) => reject(new Error(`${what}\n${output}\n${errors}`));
  const finish = () => {
    if (!isFinished(output, errors)) return;
    const [found] = complaint.exec(errors) ?? [];
    if (found === undefined) resolve(output);
    else fail(found);
  };
  const onData = (chunk: unknown) => {
    output += String(chunk);
    finish();
    answering = answering.then(async () => await reply(child, await answer(output))).catch(reject);
  };
  const onError = (chunk: unknown) => {
    errors += String(chunk);
    finish();
    // Where the server of PHP says that it listens.
    answering = answering.then(async () => await reply(child, await answer(errors))).catch(reject);
  };
  readableOf(child.stdout).on('data', onData);
  readableOf(child.stderr).on('data', onError);
  const onClose = () => {
    if (isStopped(child)) resolve(output);
    else fail(`status ${String(child.exitCode)}`);
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

/** Or ended without an error. Java turns the signal into a status, and Go reports that of its child. */
function isStopped({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === 0 || exitCode === 143 || signalCode === 'SIGTERM';
}

/** Ends a program and what it started. */
function end({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGTERM');
}

function readableOf(stream: Readable | null): Readable {
  if (stream === null) throw new Error('the process has no output');
  return stream;
}

async function reply(child: ChildProcess, answered: Awaited<ReturnType<Answer>>): Promise<void> {
  if (answered === undefined) return;
  if (answered === 'stop') end(child);
  else if (child.stdin !== null && !child.stdin.write(`${answered.line}\n`)) await once(child.stdin, 'drain');
}
