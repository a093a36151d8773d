import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm, symlink, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { repositoryRoot } from './service.ts';

const run = promisify(execFile);

/** A project outside the repository with the SDK, and the examples of its README as files. */
export interface SdkProject extends AsyncDisposable {
  readonly root: string;
  /** File names of the examples. */
  readonly examples: readonly string[];
  /** Checks the types of the examples in strict mode. @throws Error with the compiler's output */
  checkTypes(): Promise<void>;
  /** Runs an example. After its first output, `reply` returns a line for its stdin. */
  run(example: string, env: Readonly<Record<string, string>>, reply?: Reply): Promise<string>;
}

type Reply = (output: string) => Promise<string>;

/** Installs the SDK from a service into an empty project, without a registry. `values` replace placeholders in the examples. */
export async function createSdkProject(baseUrl: string, values: Readonly<Record<string, string>>): Promise<SdkProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'linnet-sdk-')));
  await writeFile(join(root, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const archive = `${baseUrl}/developers/sdk/linnet-sdk.tgz`;
  const options = ['--no-audit', '--no-fund', '--registry=http://127.0.0.1:9', `--cache=${join(root, '.npm')}`];
  await run('npm', ['install', ...options, archive], { cwd: root });
  const examples = await writeExamples(root, values);
  return {
    root,
    examples,
    checkTypes: async () => await checkTypes(root),
    run: async (example, env, reply) => await runExample(join(root, example), env, reply),
    [Symbol.asyncDispose]: async () => await rm(root, { recursive: true, force: true }),
  };
}

async function writeExamples(root: string, values: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const readme = await readFile(join(repositoryRoot, 'packages/sdk/README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```(?:ts|html) (\S+)\n(.*?)^```$/gms)];
  const names: string[] = [];
  for (const [, name = '', code = ''] of blocks) {
    const source = Object.entries(values).reduce((text, [from, to]) => text.replaceAll(from, to), code);
    await writeFile(join(root, name), source);
    names.push(name);
  }
  return names;
}

async function checkTypes(root: string): Promise<void> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    types: ['node'],
  };
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  await mkdir(join(root, 'node_modules/@types'), { recursive: true });
  const types = await realpath(join(repositoryRoot, 'node_modules/@types/node'));
  await symlink(types, join(root, 'node_modules/@types/node'));
  const compiler = join(repositoryRoot, 'node_modules/.bin/tsc');
  const result = await run(compiler, ['-p', root]).catch((error: unknown) => error);
  if (result instanceof Error) throw new Error(String(Reflect.get(result, 'stdout')), { cause: result });
}

async function runExample(
  file: string,
  env: Readonly<Record<string, string>>,
  reply: Reply | undefined,
): Promise<string> {
  const child = spawn(process.execPath, [file], { env: { ...env, PATH: process.env['PATH'] }, stdio: 'pipe' });
  let output = '';
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const closed = once(child, 'close');
  if (reply !== undefined) {
    await once(child.stdout, 'data');
    child.stdin.write(`${await reply(output)}\n`);
  }
  await closed;
  if (child.exitCode !== 0) throw new Error(`${file}: ${output}`);
  return output;
}
