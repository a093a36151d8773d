import type { Package } from './packages.ts';

interface Release {
  readonly packages: readonly Package[];
  readonly nodeVersion: string;
  readonly epochSeconds: number;
}

/** A CycloneDX document about the packages of a release and Node. */
export function billOfMaterials({ packages, nodeVersion, epochSeconds }: Release): string {
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(epochSeconds * 1000).toISOString(),
      component: { type: 'application', name: 'linnet' },
    },
    components: [...packages.map(describePackage), describeNode(nodeVersion)],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function describePackage({ name, version, license }: Package): object {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  // An expression can also be a single identifier.
  return { type: 'library', name, version, purl, 'bom-ref': purl, licenses: [{ expression: license }] };
}

function describeNode(version: string): object {
  const purl = `pkg:generic/node@${version}`;
  const license = { name: 'Node.js and its dependencies: see node/LICENSE' };
  return { type: 'platform', name: 'node', version, purl, 'bom-ref': purl, licenses: [{ license }] };
}
