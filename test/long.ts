/**
 * `pnpm test:long [name…]`: runs jobs that are too long for `pnpm test`, one after the other; without a name, all but those that take
 * hours. `--list` prints them. Other options go to Vitest, as in `pnpm test:long chaos -t descriptors`. A job that passes writes
 * its minutes to long-minutes.json, unless options changed it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Job {
  readonly name: string;
  readonly does: string;
  readonly env: Readonly<Record<string, string>>;
  readonly projects: readonly string[];
  /** Parts of paths of test files; without one, all files of the projects. */
  readonly files?: readonly string[];
  /** What it uses besides what `pnpm install` brings. Tests say what is missing, and are skipped. */
  readonly needs?: string;
  /** Takes hours, so it runs only if it is named. */
  readonly isOnlyNamed?: boolean;
}

const jobs: readonly Job[] = [
  {
    name: 'release',
    does: 'builds a release, upgrades to it, starts it in every way',
    env: { BUILD_RELEASE: 'yes', EVERY_LAUNCHER: 'yes' },
    projects: ['e2e'],
    files: ['release', 'container-tools', 'upgrade', 'lifecycle-launchers'],
    needs: 'Kustomize, HAProxy',
  },
  {
    name: 'races',
    does: '1,000 rounds of each race, ten minutes of each random model, long floods',
    env: { RACE_ROUNDS: '1000', MODEL_SECONDS: '600' },
    projects: ['security'],
  },
  {
    name: 'refreshes',
    does: 'a million steps of lost responses, sleep, parallel refreshes and thefts',
    env: { MODEL_STEPS: '1000000' },
    projects: ['security'],
    files: ['refresh-model'],
  },
  { name: 'scale', does: 'a million posts', env: { SCALE_POSTS: '1000000' }, projects: ['scale'] },
  {
    name: 'languages',
    does: 'generated clients, OAuth libraries and guides in other languages, the Python SDK with its tools',
    env: { OTHER_LANGUAGES: 'yes' },
    projects: ['conformance', 'e2e'],
    files: ['conformance/generated', 'other-languages', 'mcp-clients', 'verify-tokens', 'python-sdk', 'e2e/guides'],
    needs: 'Python, Go, Java, Ruby, PHP and their registries',
  },
  {
    name: 'fuzz',
    does: '24,000 generated requests',
    env: { FUZZ_REQUESTS: '24000' },
    projects: ['security'],
    files: ['hostile-requests'],
  },
  {
    name: 'proxies',
    does: 'each reverse proxy of the documentation',
    env: { EVERY_PROXY: 'yes' },
    projects: ['e2e'],
    files: ['proxies', 'proxy-connections'],
    needs: 'nginx, Caddy, HAProxy',
  },
  {
    name: 'fonts',
    does: 'cut text in every font and language',
    env: { EVERY_FONT: 'yes' },
    projects: ['e2e'],
    files: ['every-state'],
  },
  {
    name: 'costs',
    does: 'the short form of the benchmark, and of the simulated population',
    env: { COSTS: 'yes' },
    projects: ['e2e'],
    files: ['cost-of-calls'],
  },
  {
    name: 'koa-only',
    does: 'everything without the direct path',
    env: { DIRECT_PATH: 'off' },
    projects: ['store', 'security', 'conformance'],
  },
  {
    name: 'direct-only',
    does: 'the API with every plain request on the direct path',
    env: { DIRECT_PATH: 'on' },
    projects: ['store'],
    files: ['apps/api'],
  },
  {
    name: 'revocations',
    does: 'a process with 2,000,000 revocations; how long 1,000 revoked tokens work at two APIs that never ask',
    env: { REVOCATIONS: '2000000', API_REVOCATIONS: '1000' },
    projects: ['store', 'e2e'],
    files: ['many-revocations', 'revoked-apis'],
  },
  {
    name: 'standby',
    does: '1,000 writes, each read behind a late standby',
    env: { READ_PAIRS: '1000' },
    projects: ['store'],
    files: ['http/reads'],
  },
  {
    name: 'dex',
    does: 'sign-in with another provider, in Chromium',
    env: {},
    projects: ['e2e'],
    files: ['sign-in-with-dex'],
    needs: 'dex',
  },
  {
    name: 'versity',
    does: 'buckets of another product',
    env: { OBJECT_STORE: 'versitygw' },
    projects: ['unit', 'store'],
    files: ['bucket', 'media-move'],
    needs: 'versitygw',
  },
  {
    name: 'pooler',
    does: 'conformance through PgBouncer',
    env: { POOLER: 'on' },
    projects: ['conformance'],
    needs: 'pgbouncer',
  },
  {
    name: 'topology',
    does: 'the loss of each part of several hosts',
    env: { TOPOLOGY: 'yes' },
    projects: ['e2e'],
    files: ['topology'],
    needs: 'Patroni, etcd, HAProxy, PgBouncer, PostgreSQL',
  },
  {
    name: 'hosts',
    does: 'conformance on several hosts',
    env: { TOPOLOGY: 'on' },
    projects: ['conformance'],
    needs: 'Patroni, etcd, HAProxy, PgBouncer, PostgreSQL',
  },
  {
    name: 'pages',
    does: 'each page in 50 ms of CPU time',
    env: { PAGE_MILLISECONDS: '50' },
    projects: ['store'],
    files: ['largest-pages'],
    needs: 'an idle machine',
  },
  {
    name: 'chaos',
    does: 'faults while people write',
    env: { CHAOS: 'long' },
    projects: ['chaos'],
    needs: 'libfaketime, Patroni, etcd, HAProxy, PgBouncer, mount',
    isOnlyNamed: true,
  },
];

const minutesFile = new URL('long-minutes.json', import.meta.url);
const runner = fileURLToPath(new URL('support/run.mjs', import.meta.url));

const given = process.argv.slice(2);
const optionsAt = given.findIndex((argument) => argument.startsWith('-'));
const names = optionsAt < 0 ? given : given.slice(0, optionsAt);
const options = optionsAt < 0 ? [] : given.slice(optionsAt);
const unknown = names.filter((name) => !jobs.some((job) => job.name === name));

if (unknown.length > 0) {
  process.stderr.write(`There is no job ${unknown.join(', ')}.\n${list()}`);
  process.exitCode = 1;
} else if (options.includes('--list')) {
  process.stdout.write(list());
} else {
  const chosen = jobs.filter((job) => (names.length === 0 ? job.isOnlyNamed !== true : names.includes(job.name)));
  const failed = chosen.filter((job) => !run(job)).map(({ name }) => name);
  process.stdout.write(failed.length === 0 ? 'All jobs passed.\n' : `Failed: ${failed.join(', ')}\n`);
  if (failed.length > 0) process.exitCode = 1;
}

/** Returns whether all its tests passed. */
function run({ name, env, projects, files = [] }: Job): boolean {
  process.stdout.write(`\n${name}\n`);
  const start = performance.now();
  const args = [...projects.flatMap((project) => ['--project', project]), ...files, ...options];
  const { status } = spawnSync(process.execPath, [runner, ...args], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  if (status === 0 && options.length === 0) {
    const minutes = { ...readMinutes(), [name]: Math.ceil((performance.now() - start) / 60_000) };
    writeFileSync(minutesFile, `${JSON.stringify(minutes, null, 2)}\n`);
  }
  return status === 0;
}

function readMinutes(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(minutesFile, 'utf8')) as Record<string, number>;
}

function list(): string {
  const minutes = readMinutes();
  const rows = jobs.map(({ name, does, needs, isOnlyNamed }) => [
    name,
    `${String(minutes[name] ?? '?')} min`,
    `${does}${needs === undefined ? '' : ` (needs ${needs})`}${isOnlyNamed === true ? '; runs only if named' : ''}`,
  ]);
  return rows.map(([name = '', time = '', text = '']) => `${name.padEnd(12)} ${time.padStart(7)}  ${text}\n`).join('');
}
