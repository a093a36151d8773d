import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run } from '@linnet/cli/testing/run';
import { validate } from 'dockerfile-utils';
import { afterAll, describe, expect, test } from 'vitest';

import {
  composeFolder,
  kubernetesFolder,
  readCompose,
  readConfigMap,
  readManifests,
} from '../support/deployment-files.ts';
import { repositoryRoot } from './run-tool.ts';

/** The Dockerfile, the Compose file and the objects for Kubernetes agree with the code and with each other. */

const servers = ['auth', 'api'] as const;
const dockerfile = readFileSync(join(repositoryRoot, 'Dockerfile'), 'utf8');
const compose = readCompose('compose.yaml');
const manifests = readManifests();
const pods = manifests.flatMap(({ kind, metadata, spec: { template } }) =>
  template === undefined ? [] : [{ kind, name: metadata.name, ...template }],
);
const configMap = readConfigMap();
const secrets = mkdtempSync(join(tmpdir(), 'linnet-compose-'));
execFileSync(join(composeFolder, 'create-secrets.sh'), [secrets]);
for (const name of ['s3-access-key-id', 's3-secret-access-key']) writeFileSync(join(secrets, 'secrets', name), name);

afterAll(() => {
  rmSync(secrets, { recursive: true });
});

/** An exact version, so that the same file starts the same programs. Ours has no registry. */
const pinned = /^(?:linnet(?::0\.1\.0)?|[\w./-]+:v?\d+\.\d+\.?\d*[\w.-]*)$/;

interface Report {
  readonly problems: readonly string[];
  readonly variables: readonly { readonly name: string; readonly value: string | null }[];
}

/** What `linnet config check` reports, and the variables that the server does not know. */
async function check(server: (typeof servers)[number], env: Readonly<Record<string, string>>) {
  const before = process.env;
  process.env = { ...env };
  const { stdout } = await run('config', 'check', '--server', server, '--json').finally(() => (process.env = before));
  const report = JSON.parse(stdout) as Report;
  const known = new Set(['NODE_ENV', ...report.variables.map(({ name }) => name)]);
  return { unknown: Object.keys(env).filter((name) => !known.has(name.replace(/_FILE$/, ''))), ...report };
}

/** As the files of secrets are found on this machine. */
function withSecrets(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const toPath = (value: string) => value.replace(/^\/run\/secrets\/(?:linnet\/)?/, join(secrets, 'secrets/'));
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, toPath(value)]));
}

describe('the Dockerfile', () => {
  test('has no mistake, and a violation would be found', () => {
    expect(validate(dockerfile)).toEqual([]);
    expect(validate(dockerfile.replace('COPY', 'COPPY'))).not.toEqual([]);
  });

  test('uses exact versions, that of Node is ours, and another user than root', () => {
    const images = [...dockerfile.matchAll(/^ARG \w+_IMAGE=(.*)$/gm)].map(([, image]) => image);
    expect(images).toEqual([expect.stringMatching(pinned), expect.stringMatching(pinned)]);
    const { optionalDependencies } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
      optionalDependencies: { node: string };
    };
    expect(images[0]).toBe(`node:${optionalDependencies.node}-bookworm`);
    expect(dockerfile).toMatch(/^USER 65532:65532$/m);
  });

  test('sets variables that both servers know, with valid values', async () => {
    const block = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile)?.[1] ?? '';
    const env = Object.fromEntries(block.split(/ \\\n\s*/).map((pair) => pair.split('=')));
    const { PATH: path, ...ours } = env as Record<string, string>;
    expect(path).toMatch(/^\/opt\/linnet\/bin:/);
    for (const server of servers) {
      expect(await check(server, { ...ours, ...withSecrets(configMap), PORT: '3000' })).toMatchObject({
        unknown: [],
        problems: [],
      });
    }
  });
});

describe('the Compose file', () => {
  test.each(Object.entries(compose.services))(
    '%s is pinned, without root, and cannot write to its image',
    (_, service) => {
      expect(service).toMatchObject({
        image: expect.stringMatching(pinned),
        user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      for (const secret of service.secrets ?? []) expect(compose.secrets).toHaveProperty([secret]);
    },
  );

  test.each(
    [...servers, ...servers].map((server, index) => [`${server}${String(1 + Math.floor(index / 2))}`, server] as const),
  )('%s has variables that its server knows, with valid values', async (name, server) => {
    const service = compose.services[name];
    const given = { BASE_URL: 'https://social.example.org', NODE_ENV: 'production' };
    const env: Record<string, string> = { ...service?.environment, ...given };
    expect(await check(server, withSecrets(env))).toMatchObject({ unknown: [], problems: [] });
    expect(service?.command).toEqual([`linnet-${server}`]);
    expect(service?.stop_grace_period).toBe(`${String(Number(env['DRAIN_SECONDS']) + 15)}s`);
  });

  test.each(servers)('with s3.yaml, %s has a bucket', async (server) => {
    const { services, secrets: added } = readCompose('s3.yaml');
    const given = {
      BASE_URL: 'https://social.example.org',
      S3_ENDPOINT: 'https://s3.example.org',
      S3_BUCKET: 'media',
      S3_REGION: 'a',
    };
    for (const name of [`${server}1`, `${server}2`]) {
      const env = { ...compose.services[name]?.environment, ...services[name]?.environment, ...given };
      expect(await check(server, withSecrets(env))).toMatchObject({ unknown: [], problems: [] });
      expect(Object.keys(added)).toEqual(services[name]?.secrets);
    }
  });

  test('with cache.yaml, every server has the cache, which is as closed as the rest', async () => {
    const { services, secrets: added } = readCompose('cache.yaml');
    for (const server of servers) {
      const [name, given] = [`${server}1`, { BASE_URL: 'https://social.example.org' }];
      expect(services[`${server}2`]).toEqual(services[name]);
      const env = { ...compose.services[name]?.environment, ...services[name]?.environment, ...given };
      const { unknown, problems, variables } = await check(server, withSecrets(env));
      expect([unknown, problems]).toEqual([[], []]);
      expect(variables.find((variable) => variable.name === 'CACHE_URL')?.value).not.toBeNull();
    }
    expect(Object.keys(added).toSorted()).toEqual(['cache-url', 'cache.conf']);
    expect(services['cache']).toMatchObject({
      image: expect.stringMatching(pinned),
      read_only: true,
      cap_drop: ['ALL'],
    });
  });

  test('its role and pooler have the settings that docs/operations.md recommends', () => {
    const operations = readFileSync(join(repositoryRoot, 'docs/operations.md'), 'utf8');
    const recommended = /## Poolers.*?```sql\n(.*?)```/s.exec(operations)?.[1] ?? 'missing';
    expect(readFileSync(join(composeFolder, 'role.sql'), 'utf8')).toContain(recommended);
    const pooler = readFileSync(join(composeFolder, 'pgbouncer.ini'), 'utf8');
    for (const setting of ['pool_mode = transaction', 'max_prepared_statements = 500']) {
      expect(pooler).toContain(`\n${setting}\n`);
      expect(operations).toContain(`\`${setting}\``);
    }
  });

  test('its proxy knows every server and divides paths as documented', () => {
    const proxy = readFileSync(join(composeFolder, 'haproxy.cfg'), 'utf8');
    const found = [...proxy.matchAll(/^ {4}server (\w+) \1:(\d+)$/gm)].map(([, name = '', port]) => [name, port]);
    const expected = ['auth1', 'auth2', 'api1', 'api2'].map((name) => [
      name,
      compose.services[name]?.environment?.['PORT'],
    ]);
    expect(found).toEqual(expected);
    expect(proxy).toContain('option httpchk GET /health/ready');
    const paths = (text: string) => /acl api path_beg .*/.exec(text)?.[0];
    const example = readFileSync(join(repositoryRoot, 'docs/operations/proxies/haproxy.cfg'), 'utf8');
    for (const folder of [composeFolder, kubernetesFolder]) {
      expect(paths(readFileSync(join(folder, 'haproxy.cfg'), 'utf8'))).toBe(paths(example));
    }
  });

  test('every HAProxy uses connections to the servers once, because they close idle ones (e2e/proxy-connections.test.ts)', () => {
    for (const folder of [composeFolder, kubernetesFolder, join(repositoryRoot, 'docs/operations/proxies')]) {
      expect(readFileSync(join(folder, 'haproxy.cfg'), 'utf8')).toMatch(/^ {4}option http-server-close$/m);
    }
  });
});

function findPod(server: string) {
  const pod = pods.find(({ name }) => name === `linnet-${server}`);
  const [container] = pod?.spec.containers ?? [];
  if (pod === undefined || container === undefined) throw new Error(`There is no ${server}.`);
  return { ...pod, container };
}

describe('the objects for Kubernetes', () => {
  test.each(pods.map((pod) => [pod.name, pod] as const))(
    'pods of %s are pinned, without root and rights',
    (_, { metadata, spec }) => {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const container of spec.containers) {
        expect(container).toMatchObject({
          image: expect.stringMatching(pinned),
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          resources: { requests: { cpu: expect.any(String) }, limits: { memory: expect.any(String) } },
        });
      }
      expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/name': 'linnet' });
    },
  );

  test.each(servers)('%s has variables that the server knows, with valid values, and its port', async (server) => {
    const { env = [], ports } = findPod(server).container;
    const given = { ...configMap, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) };
    const report = await check(server, withSecrets({ ...given, NODE_ENV: 'production' }));
    expect(report).toMatchObject({ unknown: [], problems: [] });
    const port = Number((await check(server, {})).variables.find(({ name }) => name === 'PORT')?.value);
    expect(given).toMatchObject({ PORT: String(port) });
    expect(ports).toEqual([
      { name: 'http', containerPort: port },
      { name: 'metrics', containerPort: Number(configMap['MANAGEMENT_PORT']) },
    ]);
    const service = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === `linnet-${server}`);
    expect(service?.spec.ports).toMatchObject([{ port }]);
  });

  test.each(servers)('%s has probes that it answers, and time to drain', (server) => {
    const { container, spec } = findPod(server);
    const live = { httpGet: { path: '/health/live', port: 'http' } };
    const ready = { httpGet: { path: '/health/ready', port: 'http' }, periodSeconds: 2, failureThreshold: 2 };
    expect(container).toMatchObject({ startupProbe: live, livenessProbe: live, readinessProbe: ready });
    const drain = Number(configMap['DRAIN_SECONDS']);
    expect(drain).toBeGreaterThanOrEqual(ready.periodSeconds * ready.failureThreshold + 2);
    expect(spec.terminationGracePeriodSeconds).toBe(drain + 15);
  });

  test('each server has a budget for disruptions, an autoscaler and network policies', () => {
    const names = (kind: string) => manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
    expect(names('PodDisruptionBudget').toSorted()).toEqual(['linnet-api', 'linnet-auth', 'linnet-proxy']);
    expect(names('HorizontalPodAutoscaler').toSorted()).toEqual(['linnet-api', 'linnet-auth']);
    expect(names('NetworkPolicy')).toEqual(['linnet', 'linnet-proxy', 'linnet-auth', 'linnet-api', 'linnet-outside']);
    expect(names('Job')).toEqual(['linnet-migrate']);
  });
});
