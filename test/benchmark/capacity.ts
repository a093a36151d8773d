/** The costs of a call in a run; docs/performance.json has them. */
interface CallCost {
  readonly name: string;
  readonly workerMicroseconds: number;
  readonly postgresMicroseconds: number;
}

interface Run {
  readonly rows: readonly CallCost[];
}

/** Calls of one active person in a day. */
const callsPerDay: Readonly<Record<string, number>> = {
  'authorize + code': 0.2,
  refresh: 8,
  'GET /feed, 20 posts': 40,
  'GET /post, 70 posts': 70,
  'GET /post/show': 60,
  'GET /users/show': 20,
  'POST /likes/add': 8,
  'POST /post/create': 2,
};
const writes = new Set(['POST /likes/add', 'POST /post/create', 'authorize + code', 'refresh']);

/** Share of the accounts that are active on a day. */
const activeShare = 0.2;
/** The busiest minute beside the mean of a day. */
const peakFactor = 3;
/** Cores are planned so that the busiest minute uses this share of them. */
const utilization = 0.5;
/** The most that one worker's pool opens (`packages/db/src/pool-size.ts`). */
const poolSize = 10;
/** Bytes of a row with its share of the indexes, in a network of 50,000 posts. A like of another's post has a notification. */
const rowBytes = { post: 363, like: 200, notification: 163 };
const daysPerYear = 365;

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
  /** Gigabytes that posts and likes add in a year. */
  readonly gigabytesPerYear: number;
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
      sum(({ name, rate, postgresMicroseconds }) => (writes.has(name) === isWrite ? rate * postgresMicroseconds : 0)),
    );
  const workerCores = coresFor(sum(({ rate, workerMicroseconds }) => rate * workerMicroseconds));
  const perYear = (name: string) => (callsPerDay[name] ?? 0) * accounts * activeShare * daysPerYear;
  const bytes =
    perYear('POST /post/create') * rowBytes.post + perYear('POST /likes/add') * (rowBytes.like + rowBytes.notification);
  return {
    accounts,
    callsPerSecond: sum(({ rate }) => rate),
    writesPerSecond: sum(({ name, rate }) => (writes.has(name) ? rate : 0)),
    workerCores,
    writingCores: cost(true),
    readingCores: cost(false),
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
      round(plan.connections),
      `${round(plan.gigabytesPerYear)} GB`,
    ];
  });
  const head = [
    'accounts',
    'calls/s',
    'of them writes',
    'worker cores',
    'PostgreSQL cores for writes',
    'for reads',
    'connections',
    'growth per year',
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
