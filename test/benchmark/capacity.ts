/** The costs of a call in a run; docs/measurements/performance.json has them. */
interface CallCost {
  readonly name: string;
  readonly workerMicroseconds: number;
  readonly postgresMicroseconds: number;
}

interface Run {
  readonly rows: readonly CallCost[];
}

/** Calls of one active person in a day. */
export const callsPerDay: Readonly<Record<string, number>> = {
  'authorize + code': 0.2,
  refresh: 8,
  'GET /feed, 20 posts': 40,
  'GET /post, 70 posts': 70,
  'GET /post/show': 60,
  'GET /users/show': 20,
  'POST /likes/add': 8,
  'POST /post/create': 2,
};
export const writes: ReadonlySet<string> = new Set([
  'POST /likes/add',
  'POST /post/create',
  'authorize + code',
  'refresh',
]);

/** Share of the accounts that are active on a day. */
const activeShare = 0.2;
/** The busiest minute beside the mean of a day. */
const peakFactor = 3;
/** Cores are planned so that the busiest minute uses this share of them. */
const utilization = 0.5;
/** The most that one worker's pool opens (`packages/db/src/connection/pool-size.ts`). */
const poolSize = 10;
/** Bytes of a row with its share of the indexes, in a network of 50,000 posts. A like of another's post has a notification. */
const rowBytes = { post: 363, like: 200, notification: 163 };
const daysPerYear = 365;
/**
 * Bytes that an active person's day leaves until they expire (docs/decisions/0025-partitions.md): refresh tokens for 31 days, responses to keyed
 * writes for 27 hours, events for 25. The SDK sends a key with every write.
 */
const expiringBytes = 8 * 1340 * 31 + 10 * 1420 * (27 / 24) + 12 * 120 * (25 / 24);
/**
 * What PostgreSQL takes for a mix of calls, as a multiple of what the same calls take one kind at a time: the higher one of two runs of `pnpm simulate`
 * on a quiet machine (1.15 and 1.30).
 */
export const mixedPostgres = 1.3;
/** Cores of a host. */
const [serverCores, databaseCores] = [8, 16];
/** So that one may fail. */
const leastHosts = 2;
/** Bytes of a request and its response, not compressed, by `pnpm simulate`. */
const callBytes: Readonly<Record<string, number>> = {
  'authorize + code': 5300,
  refresh: 2900,
  'GET /feed, 20 posts': 25_600,
  'GET /post, 70 posts': 28_000,
  'GET /post/show': 2800,
  'GET /users/show': 2000,
  'POST /likes/add': 1500,
  'POST /post/create': 2600,
};
/** Of the log of PostgreSQL for each call that writes, by `pnpm simulate`; and for each that has a key (docs/decisions/0025-partitions.md). */
const [logBytesPerWrite, logBytesPerKey] = [2900, 2000];

const accountNumbers = [10_000, 1_000_000, 10_000_000, 100_000_000] as const;

/** What a service of some size needs at its busiest minute, by the costs of a run of `pnpm bench`. */
interface Capacity {
  readonly accounts: number;
  readonly callsPerSecond: number;
  readonly writesPerSecond: number;
  /** Cores for workers, each of which uses one. */
  readonly workerCores: number;
  /** Cores for statements that write, and for what else must see every write. */
  readonly writingCores: number;
  /** Cores for statements that a replica can answer. */
  readonly readingCores: number;
  /** Of workers to the database, or to a pooler before it. */
  readonly connections: number;
  /** For workers, and for PostgreSQL: a primary, a standby, and replicas for what they cannot read. */
  readonly serverHosts: number;
  readonly databaseHosts: number;
  /** Between clients and servers. */
  readonly megabitsPerSecond: number;
  /** Megabytes per second of the log of PostgreSQL, which standbys and archives get. */
  readonly logMegabytesPerSecond: number;
  /** Gigabytes that posts and likes add in a year. */
  readonly gigabytesPerYear: number;
  /** Gigabytes of rows that expire. */
  readonly expiringGigabytes: number;
}

/** @throws Error if the run lacks one of the calls. */
export function planCapacity({ rows }: Run, accounts: number): Capacity {
  const perSecond = (accounts * activeShare * peakFactor) / 86_400;
  const calls = Object.entries(callsPerDay).map(([name, perDay]) => {
    const row = rows.find((one) => one.name === name);
    if (row === undefined) throw new Error(`the run has no ${name}`);
    return { ...row, rate: perDay * perSecond };
  });
  const sum = (of: (call: (typeof calls)[number]) => number) => calls.reduce((total, call) => total + of(call), 0);
  const coresFor = (microseconds: number) => microseconds / 1_000_000 / utilization;
  const cost = (isWrite: boolean) =>
    coresFor(
      sum(({ name, rate, postgresMicroseconds }) =>
        writes.has(name) === isWrite ? rate * postgresMicroseconds * mixedPostgres : 0,
      ),
    );
  const workerCores = coresFor(sum(({ rate, workerMicroseconds }) => rate * workerMicroseconds));
  const perYear = (name: string) => (callsPerDay[name] ?? 0) * accounts * activeShare * daysPerYear;
  const bytes =
    perYear('POST /post/create') * rowBytes.post + perYear('POST /likes/add') * (rowBytes.like + rowBytes.notification);
  const [writingCores, readingCores] = [cost(true), cost(false)];
  const keyed = calls.filter(({ name }) => name.startsWith('POST /')).reduce((total, { rate }) => total + rate, 0);
  const written = sum(({ name, rate }) => (writes.has(name) ? rate : 0));
  return {
    accounts,
    callsPerSecond: sum(({ rate }) => rate),
    writesPerSecond: written,
    workerCores,
    writingCores,
    readingCores,
    serverHosts: Math.max(leastHosts, Math.ceil(workerCores / serverCores)),
    databaseHosts: Math.max(
      leastHosts,
      Math.ceil(readingCores / databaseCores) + Math.ceil(writingCores / databaseCores),
    ),
    megabitsPerSecond: (sum(({ name, rate }) => rate * (callBytes[name] ?? Number.NaN)) * 8) / 1e6,
    logMegabytesPerSecond: (written * logBytesPerWrite + keyed * logBytesPerKey) / 1e6,
    expiringGigabytes: (accounts * activeShare * expiringBytes) / 1e9,
    connections: Math.max(1, Math.ceil(workerCores)) * poolSize,
    gigabytesPerYear: bytes / 1e9,
  };
}

/** A Markdown table of the calls, then one of the sizes. */
export function describeCapacity(results: Run): string {
  const assumed = Object.entries(callsPerDay).map(([name, perDay]) => [name, String(perDay)]);
  const sizes = accountNumbers.map((accounts) => {
    const plan = planCapacity(results, accounts);
    return [
      accounts.toLocaleString('en'),
      round(plan.callsPerSecond),
      round(plan.writesPerSecond),
      round(plan.workerCores),
      round(plan.writingCores),
      round(plan.readingCores),
      `${String(plan.serverHosts)} + ${String(plan.databaseHosts)}`,
      round(plan.connections),
      `${round(plan.megabitsPerSecond)} Mbit/s`,
      `${round(plan.logMegabytesPerSecond)} MB/s`,
      `${round(plan.gigabytesPerYear)} GB`,
      `${round(plan.expiringGigabytes)} GB`,
    ];
  });
  const head = [
    'accounts',
    'calls/s',
    'of them writes',
    'worker cores',
    'PostgreSQL cores for writes',
    'for reads',
    'hosts',
    'connections',
    'network',
    'log of PostgreSQL',
    'growth per year',
    'rows that expire',
  ];
  return [toTable(['call', 'times a day'], assumed), toTable(head, sizes)].join('\n\n');
}

/** Two digits are as much as the assumptions bear. */
function round(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en');
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
