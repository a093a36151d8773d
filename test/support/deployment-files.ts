import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { parse, parseAllDocuments } from 'yaml';

import { repositoryRoot } from './service.ts';

/** What the tests read of the files in docs/operations that start the service in containers. */

const operations = join(repositoryRoot, 'docs/operations');
export const composeFolder = join(operations, 'compose');
export const kubernetesFolder = join(operations, 'kubernetes');
/** The component with database and cache. */
export const replicatedFolder = join(kubernetesFolder, 'replicated');

interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly stop_grace_period?: string;
}

export interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

export function readCompose(name: 'compose.yaml' | 's3.yaml' | 'cache.yaml' | 'standby.yaml'): Compose {
  return parse(readFileSync(join(composeFolder, name), 'utf8'), { merge: true }) as Compose;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold?: number;
}

interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly securityContext: object;
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector?: { readonly matchLabels?: object };
    readonly maxReplicas?: number;
    readonly ports?: readonly { readonly port: number }[];
    readonly template?: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number;
        readonly automountServiceAccountToken: boolean;
        readonly securityContext: object;
        readonly containers: readonly Container[];
      };
    };
  };
}

/** Every object of the folder, without what Kustomize adds. */
export function readManifests(folder = kubernetesFolder): readonly Manifest[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
  return names.flatMap((name) => parseManifests(readFileSync(join(folder, name), 'utf8')));
}

export function parseManifests(text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((document) => {
    const { spec = {}, ...manifest } = document.toJS() as Partial<Manifest>;
    return { ...manifest, spec } as Manifest;
  });
}

/** The variables of every server, from kustomization.yaml. */
export function readConfigMap(folder = kubernetesFolder): Readonly<Record<string, string>> {
  const { configMapGenerator } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as {
    configMapGenerator: readonly { readonly name: string; readonly literals?: readonly string[] }[];
  };
  const literals = configMapGenerator.find(({ name }) => name === 'linnet')?.literals ?? [];
  return Object.fromEntries(literals.map((literal) => literal.split(/=(.*)/s).slice(0, 2)));
}
