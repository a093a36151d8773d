/**
 * Code generators for OpenAPI from the registries of their languages. Each generates a client from the document of the service, and a
 * small program in this folder uses it: it posts, lists the feed, and reads a problem.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { repositoryRoot } from '../../support/service.ts';
import { install, installPython, run, runGo, sources, usePython } from './installing.ts';
import type { Generated, Place } from './installing.ts';
import { generateGo, generateJava, generatePhp, generatePython, generateTypeScript } from './java-generators.ts';
import {
  generateTypes,
  generateWithHeyApi,
  generateWithOazapfts,
  generateWithOrval,
  generateWithSwaggerTypescriptApi,
} from './npm-generators.ts';

interface Generator {
  readonly name: string;
  readonly version: string;
  readonly language: string;
  /** Programs and files that must be on the machine. */
  readonly needs: readonly string[];
  /** What a user sets, in Markdown. */
  readonly settings: string;
  /** Runs only in `pnpm test:long`. */
  readonly isLong?: boolean;
  /** Installs the generator in an empty folder or one of an earlier run, and generates from a file. @throws NotInstalled */
  readonly generate: (place: Place) => Promise<Generated>;
}

const withoutUploads = 'del(.paths[][] | objects | select(.requestBody.content["multipart/form-data"]))';
const jvm = ['java', 'mvn'];
const guzzle = '/usr/share/php/GuzzleHttp/autoload.php';

const typescript = { language: 'TypeScript', needs: ['npm'] };
const jar = { name: 'openapi-generator', version: '7.25.0' };

export const generators: readonly Generator[] = [
  {
    ...{ name: 'oapi-codegen', version: '2.5.1', language: 'Go', needs: ['go'] },
    settings: '`-generate types,client`; a request editor adds `Authorization`',
    // Without a cache, Go compiles the generator for half a minute.
    isLong: true,
    generate: generateWithGo,
  },
  {
    ...{ ...typescript, name: 'openapi-typescript', version: '7.10.1' },
    settings: 'run it where no `redocly.yaml` is, which replaces input and output; `openapi-fetch` with `headers`',
    generate: generateTypes,
  },
  {
    ...{ ...typescript, name: 'oazapfts', version: '7.5.0' },
    settings: '`defaults.headers`',
    generate: generateWithOazapfts,
  },
  ...[
    {
      ...{ name: 'openapi-python-client', version: '0.29.1', language: 'Python', needs: ['python3'] },
      settings: '`AuthenticatedClient(token=…)`',
      generate: generateWithPython,
    },
    {
      ...{ ...jar, language: 'TypeScript', needs: jvm },
      settings: '`-g typescript-fetch`; for Node.js `importFileExtension=.js`; `accessToken`',
      generate: generateTypeScript,
    },
    {
      ...{ ...typescript, name: 'swagger-typescript-api', version: '13.13.0' },
      settings: "`baseApiParams: { headers, format: 'json' }`, or a problem has no body",
      generate: generateWithSwaggerTypescriptApi,
    },
    {
      ...{ ...typescript, name: 'orval', version: '8.38.0' },
      settings: "`client: 'fetch'`, `baseUrl: { getBaseUrlFromSpecification: true }`; `headers` of each call",
      generate: generateWithOrval,
    },
    {
      ...{ ...typescript, name: '@hey-api/openapi-ts', version: '0.99.0' },
      settings: "for Node.js `importFileExtension: '.js'`; `client.setConfig({ auth })`",
      generate: generateWithHeyApi,
    },
    {
      ...{ ...jar, language: 'Python', needs: ['python3', ...jvm] },
      settings: '`-g python`; `access_token`',
      generate: generatePython,
    },
    {
      ...{ ...jar, language: 'Java', needs: ['javac', 'mvn'] },
      settings: '`-g java --library native`; a request interceptor adds `Authorization`',
      generate: generateJava,
    },
    {
      ...{ ...jar, language: 'Go', needs: ['go', ...jvm] },
      settings: '`-g go`; `ContextAccessToken`',
      generate: generateGo,
    },
    {
      ...{ ...jar, language: 'PHP', needs: ['php', guzzle, ...jvm] },
      settings: '`-g php`; `setAccessToken`',
      generate: generatePhp,
    },
    {
      ...{ name: 'datamodel-code-generator', version: '0.89.0', language: 'Python', needs: ['python3'] },
      settings: '`--output-model-type pydantic_v2.BaseModel --strict-nullable`; the package `pydantic[email]`',
      generate: generateModels,
    },
    {
      ...{ name: 'ogen', version: '1.14.0', language: 'Go', needs: ['go'] },
      settings: '[its file of settings](../developers/overview.md#standards)',
      generate: generateWithOgen,
    },
    {
      ...{ name: 'progenitor', version: '0.15.1', language: 'Rust', needs: ['cargo', 'jq'] },
      settings: `\`jq '${withoutUploads}'\` and \`sed s/problem+json/json/\` before; the crates of [Cargo.toml](../../test/conformance/generated/progenitor.toml); a default header`,
      generate: generateWithProgenitor,
    },
  ].map((generator) => ({ ...generator, isLong: true })),
];

/** What a generator needs and the machine lacks. */
export async function findMissing({ needs }: Generator): Promise<readonly string[]> {
  const isThere = async (one: string) => existsSync(one) || (await run('which', [one]).then(Boolean, () => false));
  const found = await Promise.all(needs.map(isThere));
  return needs.filter((_, index) => found[index] === false);
}

/** Generates a client from an OpenAPI document. @throws NotInstalled */
export async function generate(generator: Generator, document: string): Promise<Generated> {
  const { name, version, language } = generator;
  const folder = join(repositoryRoot, 'node_modules/.cache/generated-clients', name, language);
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'document.json');
  await writeFile(file, document);
  return await generator.generate({ folder, document: file, version });
}

async function generateWithPython({ folder, document, version }: Place): Promise<Generated> {
  const bin = await installPython(folder, [`openapi-python-client==${version}`]);
  const output = join(folder, 'client/linnet_client');
  await mkdir(join(output, '..'), { recursive: true });
  const options = ['--path', document, '--output-path', output, '--meta', 'none', '--overwrite'];
  const { stdout, stderr } = await run(join(bin, 'openapi-python-client'), ['generate', ...options]);
  return { log: stdout + stderr, use: usePython(bin, 'python_client.py', join(output, '..')) };
}

/** Models alone, for an HTTP client. */
async function generateModels({ folder, document, version }: Place): Promise<Generated> {
  const bin = await installPython(folder, [`datamodel-code-generator==${version}`, 'pydantic[email]', 'httpx']);
  const output = ['--output', join(folder, 'linnet_models.py'), '--output-model-type', 'pydantic_v2.BaseModel'];
  const nullable = '--strict-nullable'; // or what may be null and must be there is refused
  const options = ['--input', document, '--input-file-type', 'openapi', nullable, ...output];
  const { stdout, stderr } = await run(join(bin, 'datamodel-codegen'), options);
  return { log: stdout + stderr, use: usePython(bin, 'models_client.py', folder) };
}

/** Its settings are those of docs/developers/overview.md. */
async function generateWithOgen({ folder, document, version }: Place): Promise<Generated> {
  const env = { GOBIN: join(folder, 'bin') };
  await install('go', ['install', `github.com/ogen-go/ogen/cmd/ogen@v${version}`], { env });
  const project = join(folder, 'client');
  const settings = join(folder, 'ogen.yml');
  await mkdir(project, { recursive: true });
  const guide = await readFile(join(repositoryRoot, 'docs/developers/overview.md'), 'utf8');
  await writeFile(settings, /```text ogen\.yml\n(.*?)```/s.exec(guide)?.[1] ?? '');
  const output = ['--target', join(project, 'linnet'), '--package', 'linnet', '--clean'];
  const { stdout, stderr } = await run(join(env.GOBIN, 'ogen'), ['--config', settings, ...output, document]);
  await copyFile(join(sources, 'ogen_client.go'), join(project, 'main.go'));
  // It leaves out the stream, as the settings ask.
  const log = (stdout + stderr).split('\n').filter((line) => !line.includes('text/event-stream'));
  return { log: log.join('\n'), use: await runGo(project) };
}

async function generateWithGo({ folder, document, version }: Place): Promise<Generated> {
  const env = { GOBIN: join(folder, 'bin') };
  const generator = join(env.GOBIN, 'oapi-codegen');
  if (!existsSync(generator)) {
    await install('go', ['install', `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${version}`], { env });
  }
  const project = join(folder, 'client');
  await mkdir(join(project, 'linnet'), { recursive: true });
  const output = ['-o', join(project, 'linnet/linnet.go')];
  const { stdout, stderr } = await run(generator, [
    ...['-generate', 'types,client', '-package', 'linnet'],
    ...output,
    document,
  ]);
  await copyFile(join(sources, 'go_client.go'), join(project, 'main.go'));
  return { log: stdout + stderr, use: await runGo(project) };
}

/** A macro generates the client while the program is compiled. It knows no uploads, and JSON by one name. */
async function generateWithProgenitor({ folder, document, version }: Place): Promise<Generated> {
  await mkdir(join(folder, 'src'), { recursive: true });
  const { stdout: known } = await run('jq', [withoutUploads, document]);
  await writeFile(join(folder, 'known.json'), known.replaceAll('application/problem+json', 'application/json'));
  const manifest = await readFile(join(sources, 'progenitor.toml'), 'utf8');
  await writeFile(join(folder, 'Cargo.toml'), manifest.replaceAll('{version}', version));
  await copyFile(join(sources, 'progenitor_client.rs'), join(folder, 'src/main.rs'));
  await install('cargo', ['fetch', '--quiet'], { cwd: folder });
  const { stdout, stderr } = await run('cargo', ['build', '--quiet'], { cwd: folder });
  const program = join(folder, 'target/debug/generated');
  return { log: stdout + stderr, use: async (env) => (await run(program, [], { env })).stdout };
}
