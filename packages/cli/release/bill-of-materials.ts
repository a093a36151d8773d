import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { z } from 'zod';

import type { Package } from './packages.ts';

interface Release {
  readonly repository: string;
  /** What it describes. */
  readonly packages: readonly Package[];
  readonly nodeVersion: string;
  readonly epochSeconds: number;
}

const component = z.looseObject({
  group: z.string().optional(),
  name: z.string(),
  version: z.string(),
  'bom-ref': z.string(),
  licenses: z.array(z.unknown()).optional(),
});
type Component = z.infer<typeof component>;

/** What we read and change of a CycloneDX 1.6 document. */
const billOfMaterials = z.looseObject({
  metadata: z.looseObject({}),
  components: z.array(component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()).optional() })),
});

/**
 * Writes a CycloneDX document about the packages of a release and Node. pnpm derives it from the lockfile, with what only builds need and
 * for all platforms; this keeps the packages and adds their licenses.
 */
export async function writeBillOfMaterials(file: string, release: Release): Promise<void> {
  const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application'];
  const select = ['--filter', '@linnet/cli', 'sbom', '--lockfile-only'];
  await promisify(execFile)('npx', ['-y', 'pnpm@12', ...select, ...format, '--out', file], { cwd: release.repository });
  const { serialNumber: _random, ...complete } = billOfMaterials.parse(JSON.parse(await readFile(file, 'utf8')));
  const packages = new Map(release.packages.map((one) => [`${one.name}@${one.version}`, one]));
  const components = complete.components.flatMap((one) => {
    const found = packages.get(identify(one));
    return found === undefined ? [] : [addLicense(one, found)];
  });
  const known = new Set(components.map((one) => one['bom-ref']));
  const isKnown = (ref: string) => !complete.components.some((one) => one['bom-ref'] === ref) || known.has(ref);
  const document = {
    ...complete,
    metadata: { ...complete.metadata, timestamp: new Date(release.epochSeconds * 1000).toISOString() },
    // pnpm lists them in the order in which it has read them, which differs each time.
    components: [...components.toSorted(by((one) => one['bom-ref'])), describeNode(release.nodeVersion)],
    dependencies: complete.dependencies
      .filter(({ ref }) => isKnown(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isKnown).toSorted() }))
      .toSorted(by(({ ref }) => ref)),
  };
  await writeFile(file, `${JSON.stringify(document, undefined, 2)}\n`);
}

/** Compares by code units, which no locale changes. */
function by<Item>(key: (item: Item) => string): (one: Item, other: Item) => number {
  return (one, other) => Number(key(one) > key(other)) - Number(key(one) < key(other));
}

function identify({ group, name, version }: Component): string {
  return `${group === undefined ? '' : `${group}/`}${name}@${version}`;
}

function addLicense(one: Component, { license }: Package): Component {
  if (one.licenses !== undefined || typeof license !== 'string') return one;
  // An expression can also be a single identifier.
  return { ...one, licenses: [{ expression: license }] };
}

function describeNode(version: string): object {
  const purl = `pkg:generic/node@${version}`;
  const license = { name: 'Node.js and its dependencies: see node/LICENSE' };
  return { type: 'platform', name: 'node', version, purl, 'bom-ref': purl, licenses: [{ license }] };
}
