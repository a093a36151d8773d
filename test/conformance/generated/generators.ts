/**
 * Code generators for OpenAPI from the registries of their languages. Each generates a client from the document of the service, and a
 * small program in this folder uses it: it posts, reads the post back, and reads a problem.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { repositoryRoot } from '../../support/service.ts';

const execute = promisify(execFile);
const run = async (program: string, args: readonly string[], options: { env?: object; cwd?: string } = {}) =>
  await execute(program, args, { ...options, env: { ...process.env, ...options.env }, maxBuffer: 2 ** 26 });
const sources = import.meta.dirname;

/** An installer failed, most likely because its registry cannot be reached. */
export class NotInstalled extends Error {}

/** @throws NotInstalled */
async function install(...command: Parameters<typeof run>): Promise<void> {
  await run(...command).catch((error: unknown) => {
    throw new NotInstalled(`${command[0]} failed`, { cause: error });
  });
}

interface Generated {
  /** What the generator printed. */
  readonly log: string;
  /** Runs the program that uses the client, and returns what it prints. */
  readonly use: (env: { readonly BASE_URL: string; readonly ACCESS_TOKEN: string }) => Promise<string>;
}

interface Generator {
  readonly name: string;
  readonly language: string;
  /** Programs that must be installed on the machine. */
  readonly needs: readonly string[];
  /** Runs only in `pnpm test:long`. */
  readonly isLong?: boolean;
  /** Installs the generator in an empty folder or one of an earlier run, and generates from a file. @throws NotInstalled */
  readonly generate: (folder: string, document: string) => Promise<Generated>;
}

export const generators: readonly Generator[] = [
  { name: 'openapi-python-client', language: 'Python', needs: ['python3'], generate: generateWithPython },
  { name: 'oapi-codegen', language: 'Go', needs: ['go'], generate: generateWithGo },
  { name: 'openapi-generator', language: 'TypeScript', needs: ['java', 'mvn'], generate: generateTypeScript },
  { name: 'openapi-typescript', language: 'TypeScript', needs: ['npm'], generate: generateTypes },
  // The same program as for TypeScript, in another language of the others.
  {
    name: 'openapi-generator',
    language: 'Python',
    needs: ['python3', 'java', 'mvn'],
    isLong: true,
    generate: generatePython,
  },
  { name: 'ogen', language: 'Go', needs: ['go'], isLong: true, generate: generateWithOgen },
  { name: 'openapi-generator', language: 'Java', needs: ['javac', 'mvn'], isLong: true, generate: generateJava },
];

/** The programs that a generator needs and the machine lacks. */
export async function findMissing({ needs }: Generator): Promise<readonly string[]> {
  const found = await Promise.all(needs.map(async (one) => await run('which', [one]).then(Boolean, () => false)));
  return needs.filter((_, index) => found[index] === false);
}

/** Generates a client from an OpenAPI document. @throws NotInstalled */
export async function generate({ name, language, generate: start }: Generator, document: string): Promise<Generated> {
  const folder = join(repositoryRoot, 'node_modules/.cache/generated-clients', name, language);
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'document.json');
  await writeFile(file, document);
  return await start(folder, file);
}

/** Installs packages in a virtual environment of the folder, and returns its programs. Fast: without a pip of its own, and without compiling. */
async function installPython(folder: string, packages: readonly string[]): Promise<string> {
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

function usePython(bin: string, program: string, generated: string): Generated['use'] {
  return async (env) =>
    (await run(join(bin, 'python'), [join(sources, program)], { env: { ...env, GENERATED: generated } })).stdout;
}

async function generateWithPython(folder: string, document: string): Promise<Generated> {
  const bin = await installPython(folder, ['openapi-python-client==0.29.1']);
  const output = join(folder, 'client/linnet_client');
  await mkdir(join(output, '..'), { recursive: true });
  const options = ['--path', document, '--output-path', output, '--meta', 'none', '--overwrite'];
  const { stdout, stderr } = await run(join(bin, 'openapi-python-client'), ['generate', ...options]);
  return { log: stdout + stderr, use: usePython(bin, 'python_client.py', join(output, '..')) };
}

const compiler = join(repositoryRoot, 'node_modules/.bin/tsc');
const compilerOptions = '--ignoreConfig --strict --skipLibCheck --module nodenext --target esnext --types node'.split(
  ' ',
);

/** Copies a program beside what it imports: in this folder, it would be a module of the repository. */
async function copyProgram(name: string, folder: string): Promise<string> {
  const program = join(folder, `${name}.mjs`);
  await copyFile(join(sources, `${name}.mjs.txt`), program);
  return program;
}

function useJavaScript(program: string): Generated['use'] {
  return async (env) => (await run(process.execPath, [program], { env })).stdout;
}

async function generateTypeScript(folder: string, document: string): Promise<Generated> {
  const options = ['-g', 'typescript-fetch', '-i', document, '--additional-properties=importFileExtension=.js'];
  const log = await runOpenapiGenerator(folder, options);
  const client = join(folder, 'client');
  await writeFile(join(client, 'package.json'), '{ "type": "module" }');
  await run(compiler, [...compilerOptions, ...(await listFiles(join(client, '**/*.ts')))]);
  return { log, use: useJavaScript(await copyProgram('generator_client', client)) };
}

/** Types alone: the compiler checks the program with them. */
async function generateTypes(folder: string, document: string): Promise<Generated> {
  const bin = join(folder, 'node_modules/.bin/openapi-typescript');
  if (!existsSync(bin)) {
    const packages = ['openapi-typescript@7.10.1', 'openapi-fetch@0.15.0'];
    await install('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages]);
  }
  // Elsewhere, it takes the settings of the repository for its own.
  const { stdout, stderr } = await run(bin, [document, '--output', 'linnet.d.ts'], { cwd: folder });
  const program = await copyProgram('types_client', folder);
  await run(compiler, [...compilerOptions, '--noEmit', '--allowJs', '--checkJs', program]);
  return { log: stdout + stderr, use: useJavaScript(program) };
}

/** Its settings are those of docs/developers/overview.md. */
async function generateWithOgen(folder: string, document: string): Promise<Generated> {
  const env = { GOBIN: join(folder, 'bin') };
  await install('go', ['install', 'github.com/ogen-go/ogen/cmd/ogen@v1.14.0'], { env });
  const project = join(folder, 'client');
  const settings = join(folder, 'ogen.yml');
  await mkdir(project, { recursive: true });
  const guide = await readFile(join(repositoryRoot, 'docs/developers/overview.md'), 'utf8');
  await writeFile(settings, /```text ogen\.yml\n(.*?)```/s.exec(guide)?.[1] ?? '');
  const output = ['--target', join(project, 'linnet'), '--package', 'linnet', '--clean'];
  const { stdout, stderr } = await run(join(env.GOBIN, 'ogen'), ['--config', settings, ...output, document]);
  await writeFile(join(project, 'go.mod'), 'module generated\n\ngo 1.24\n');
  await copyFile(join(sources, 'ogen_client.go'), join(project, 'main.go'));
  await install('go', ['mod', 'tidy'], { cwd: project });
  // It leaves out the stream, as the settings ask.
  const log = (stdout + stderr).split('\n').filter((line) => !line.includes('text/event-stream'));
  return { log: log.join('\n'), use: async (of) => (await run('go', ['run', '.'], { cwd: project, env: of })).stdout };
}

async function generateWithGo(folder: string, document: string): Promise<Generated> {
  const env = { GOBIN: join(folder, 'bin') };
  const generator = join(env.GOBIN, 'oapi-codegen');
  if (!existsSync(generator)) {
    await install('go', ['install', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.5.1'], { env });
  }
  const project = join(folder, 'client');
  await mkdir(join(project, 'linnet'), { recursive: true });
  const output = ['-o', join(project, 'linnet/linnet.go')];
  const { stdout, stderr } = await run(generator, [
    ...['-generate', 'types,client', '-package', 'linnet'],
    ...output,
    document,
  ]);
  await writeFile(join(project, 'go.mod'), 'module generated\n\ngo 1.22\n');
  await copyFile(join(sources, 'go_client.go'), join(project, 'main.go'));
  await install('go', ['mod', 'tidy'], { cwd: project });
  return { log: stdout + stderr, use: async (of) => (await run('go', ['run', '.'], { cwd: project, env: of })).stdout };
}

/** openapi-generator is one file, with all languages. */
async function runOpenapiGenerator(folder: string, options: readonly string[]): Promise<string> {
  const version = '7.25.0';
  const artifact = `org.openapitools:openapi-generator-cli:${version}`;
  const program = join(folder, `openapi-generator-cli-${version}.jar`);
  if (!existsSync(program)) {
    const copy = ['dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
    await install('mvn', ['--quiet', '--batch-mode', ...copy], { cwd: folder });
  }
  // The source of the client alone.
  const parts = ['apiTests', 'modelTests', 'apiDocs', 'modelDocs'].map((part) => `${part}=false`).join(',');
  const { stdout, stderr } = await run('java', [
    // Compiling less saves half of the CPU time of such a short run.
    ...[
      '-XX:TieredStopAtLevel=1',
      '-jar',
      program,
      'generate',
      '--global-property',
      parts,
      '--output',
      join(folder, 'client'),
    ],
    ...options,
  ]);
  return stdout + stderr;
}

async function generatePython(folder: string, document: string): Promise<Generated> {
  const client = join(folder, 'client');
  const options = ['-g', 'python', '-i', document, '--package-name', 'linnet_generated'];
  const log = await runOpenapiGenerator(folder, options);
  const bin = await installPython(folder, ['-r', join(client, 'requirements.txt')]);
  return { log, use: usePython(bin, 'generator_client.py', client) };
}

async function listFiles(pattern: string): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const file of glob(pattern)) files.push(file);
  return files;
}

async function generateJava(folder: string, document: string): Promise<Generated> {
  const name = 'net.example.linnet';
  const packages = ['--invoker-package', name, '--api-package', `${name}.api`, '--model-package', `${name}.model`];
  const options = ['-g', 'java', '--library', 'native', '-i', document];
  const log = await runOpenapiGenerator(folder, [...options, ...packages]);
  const [client, classes, classPath] = ['client', 'classes', 'class-path'].map((one) => join(folder, one));
  const build = ['dependency:build-classpath', `-Dmdep.outputFile=${String(classPath)}`];
  await install('mvn', ['--quiet', '--batch-mode', '--file', join(String(client), 'pom.xml'), ...build]);
  const libraries = (await readFile(String(classPath), 'utf8')).trim();
  const files = await listFiles(join(String(client), 'src/main/java/**/*.java'));
  const program = join(sources, 'GeneratorClient.java');
  await run('javac', ['-nowarn', '-cp', libraries, '-d', String(classes), ...files, program]);
  const start = ['-cp', `${libraries}:${String(classes)}`, 'GeneratorClient'];
  return { log, use: async (env) => (await run('java', start, { env })).stdout };
}
