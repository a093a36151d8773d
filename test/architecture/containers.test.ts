import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run } from '../support/cli/run.ts';
import { errorCatalogue } from '@linnet/contract/errors';
import { validate } from 'dockerfile-utils';
import { afterAll, describe, expect, test } from 'vitest';

import {
  composeFolder,
  kubernetesFolder,
  readCompose,
  readConfigMap,
  readManifests,
  replicatedFolder,
} from '../support/deployment-files.ts';
import { repositoryRoot } from './run-tool.ts';

/** The Dockerfile, the Compose file and the objects for Kubernetes agree with the code and with each other. */

const servers = ['auth', 'api'] as const;
const dockerfile = readFileSync(join(repositoryRoot, 'Dockerfile'), 'utf8');
const compose = readCompose('compose.yaml');
const manifests = readManifests();
const replicated = readManifests(replicatedFolder);
// The operator hardens what it starts itself.
const applications = readManifests(join(kubernetesFolder, 'applications'));
const pods = [...manifests, ...applications, ...replicated.filter(({ kind }) => kind !== 'Pooler')].flatMap(
  ({ kind, metadata, spec: { template } }) =>
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

/** Without them, PgBouncer takes 15 seconds to notice that PostgreSQL is back. */
const poolerTimes = ['server_login_retry = 1', 'server_connect_timeout = 3', 'query_wait_timeout = 5'];

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

  test('its role and pooler have the settings that docs/operations/README.md recommends', () => {
    const operations = readFileSync(join(repositoryRoot, 'docs/operations/README.md'), 'utf8');
    const recommended = /## Poolers.*?```sql\n(.*?)```/s.exec(operations)?.[1] ?? 'missing';
    expect(readFileSync(join(composeFolder, 'role.sql'), 'utf8')).toContain(recommended);
    const pooler = readFileSync(join(composeFolder, 'pgbouncer.ini'), 'utf8');
    for (const setting of ['pool_mode = transaction', 'max_prepared_statements = 500', ...poolerTimes]) {
      expect(pooler).toContain(`\n${setting}\n`);
      expect(operations).toContain(`\`${setting}\``);
    }
    const failover = readFileSync(join(repositoryRoot, 'docs/operations/failover/pgbouncer.ini'), 'utf8');
    for (const setting of poolerTimes) expect(failover).toContain(`\n${setting}\n`);
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

  const examples = [composeFolder, kubernetesFolder, join(repositoryRoot, 'docs/operations/proxies')];

  test('every HAProxy uses connections to the servers once, because they close idle ones (e2e/proxy-connections.test.ts)', () => {
    for (const folder of examples) {
      expect(readFileSync(join(folder, 'haproxy.cfg'), 'utf8')).toMatch(/^ {4}option http-server-close$/m);
    }
  });

  test('every HAProxy answers clients of the API as the API does when no server can', () => {
    const { title, ...members } = errorCatalogue.unavailable;
    const problem = JSON.stringify({ type: 'about:blank', title, ...members, code: 'unavailable', errors: [] });
    for (const folder of examples) {
      const backend = /^backend api\n(?:.+\n)+/m.exec(readFileSync(join(folder, 'haproxy.cfg'), 'utf8'))?.[0] ?? '';
      const [, retryAfter, body = ''] =
        /http-error status 503 .* hdr Retry-After (\d+) string (".*")/.exec(backend) ?? [];
      expect([retryAfter, JSON.parse(body)]).toEqual(['2', problem]);
    }
  });
});

describe('with standby.yaml', () => {
  const { services, secrets: added } = readCompose('standby.yaml');

  test.each(servers)('%s has valid variables, and the API reads from the standby', async (server) => {
    const name = `${server}1`;
    expect(services[`${server}2`]).toEqual(services[name]);
    const env = { ...compose.services[name]?.environment, BASE_URL: 'https://social.example.org' };
    const counting = { ...env, ...readCompose('cache.yaml').services[name]?.environment };
    const reading = withSecrets({ ...counting, ...services[name]?.environment });
    expect(await check(server, reading)).toMatchObject({ unknown: [], problems: [] });
    expect(reading['DATABASE_REPLICA_URL_FILE']).toBe(
      server === 'api' ? join(secrets, 'secrets/database-replica-url') : undefined,
    );
  });

  test('the standby is the same PostgreSQL as the primary, as closed, and only the database network reaches it', () => {
    const { image, user, read_only, cap_drop, security_opt, networks } = compose.services['postgres'] ?? {};
    expect(services['standby']).toMatchObject({ image, user, read_only, cap_drop, security_opt, networks });
    expect(networks).toEqual(['database']);
    expect(services['standby']?.secrets).toEqual(services['postgres']?.secrets);
  });

  test('its secrets and scripts exist, and hosts are services', () => {
    for (const [name, { file }] of Object.entries(added)) {
      expect(file).toBe(`./secrets/${name}`);
      expect(readFileSync(join(secrets, file), 'utf8')).not.toBe('');
    }
    const used = Object.values(services).flatMap((service) => service.secrets ?? []);
    expect(new Set(used)).toEqual(new Set(Object.keys(added)));
    const script = readFileSync(join(composeFolder, 'standby.sh'), 'utf8');
    expect(compose.services).toHaveProperty(/host=(\w+) /.exec(script)?.[1] ?? 'missing');
    const url = new URL(readFileSync(join(secrets, 'secrets/database-replica-url'), 'utf8'));
    expect(services).toHaveProperty([url.hostname]);
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.filter((one) => one.startsWith('./')),
    );
    expect(mounted.map((volume) => volume.split(':')[0])).toEqual(['./replication.sh', './standby.sh']);
    for (const name of ['replication.sh', 'standby.sh']) accessSync(join(composeFolder, name), constants.X_OK);
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

describe('the component for Kubernetes', () => {
  const text = ['kustomization.yaml', 'cache.yaml', 'database.yaml']
    .map((name) => readFileSync(join(replicatedFolder, name), 'utf8'))
    .join('\n');
  const documented = /### With database and cache\n.*?(?=\n## |$)/s.exec(
    readFileSync(join(repositoryRoot, 'docs/operations/containers.md'), 'utf8'),
  )?.[0];

  test.each(servers)('%s has variables that the server knows, with valid values', async (server) => {
    const env = (findPod(server).container.env ?? []).map(({ name, value }) => [name, value]);
    const added = /value: \{ name: (DATABASE_REPLICA_URL_FILE), value: (\S+) \}/.exec(text)?.slice(1) ?? [];
    const patch = server === 'api' ? [added] : [];
    const given = { ...configMap, ...readConfigMap(replicatedFolder), ...Object.fromEntries([...env, ...patch]) };
    expect(await check(server, withSecrets(given))).toMatchObject({ unknown: [], problems: [] });
    expect(text).toMatch(/target: \{ kind: Deployment, name: linnet-api \}/);
  });

  test('the documented secrets are those it names, with hosts and ports of its services', () => {
    const created = [...(documented ?? '').matchAll(/create secret generic (\S+)/g)].map(([, name]) => name);
    const named = [...text.matchAll(/(?:secretName|secret: \{ name): ([\w-]+)/g)].map(([, name]) => name);
    expect(new Set(created)).toEqual(new Set([...named, 'linnet']));
    const keys = [...(documented ?? '').matchAll(/--from-literal=([\w.-]+)=/g)].map(([, key]) => key);
    const files = Object.values({ ...configMap, ...readConfigMap(replicatedFolder) }).flatMap(
      (value) => /^\/run\/secrets\/linnet\/(.*)$/.exec(value)?.[1] ?? [],
    );
    expect(keys).toEqual(expect.arrayContaining([...files, 'database-replica-url', 'cache.conf']));
    const hosts = [...(documented ?? '').matchAll(/@([\w-]+):(\d+)/g)].map(([, name, port]) => `${name}:${port}`);
    const services = replicated.flatMap(({ kind, metadata, spec }) => {
      if (kind === 'Service') return (spec.ports ?? []).map(({ port }) => `${metadata.name}:${String(port)}`);
      if (kind === 'Cluster') return [`${metadata.name}-rw:5432`];
      return kind === 'Pooler' ? [`${metadata.name}:5432`] : [];
    });
    expect(hosts.toSorted()).toEqual(services.toSorted());
  });

  test('role and pooler have the settings that docs/operations/README.md recommends', () => {
    const role = readFileSync(join(composeFolder, 'role.sql'), 'utf8');
    const settings = [...text.matchAll(/- (ALTER ROLE .*)/g)].map(([, setting]) => `${String(setting)};`);
    expect(settings).toEqual(role.match(/^ALTER ROLE .*$/gm));
    expect(replicated.find(({ kind }) => kind === 'Pooler')?.spec).toMatchObject({
      cluster: { name: replicated.find(({ kind }) => kind === 'Cluster')?.metadata.name },
      pgbouncer: {
        poolMode: 'transaction',
        parameters: {
          max_prepared_statements: '500',
          ...Object.fromEntries(poolerTimes.map((time) => time.split(' = '))),
        },
      },
    });
    const policies = replicated.filter(({ kind }) => kind === 'NetworkPolicy').map(({ metadata }) => metadata.name);
    expect(policies).toEqual(['linnet-cache', 'linnet-counting', 'linnet-database']);
    for (const [, image] of text.matchAll(/(?:image|imageName): (.*)/g)) expect(image).toMatch(pinned);
  });
});
