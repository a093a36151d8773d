import { applyLoad } from './load.ts';
import type { Effort, Target } from './load.ts';
import { manyConnections, measureByTurns, startControl } from './measure.ts';
import type { Measured } from './measure.ts';
import { separateCores } from './pin.ts';
import { createTargets, deepList } from './targets.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

/** The most that a deep page among a million posts may cost, as a multiple of a first page among a thousand. */
const maxGrowth = 1.5;

/** Compares a deep page of a long list with the first page of a short one. Returns whether it costs little enough more. */
export async function measureGrowth(effort: Effort): Promise<boolean> {
  using control = await startControl();
  const open = async (posts: number) => await createWorld({ posts, workers: 1 });
  await using small = await open(1000);
  await using large = await open(1_000_000);
  const firstPage = findTarget('GET /post, 70 posts')(small);
  const warm = async (target: Target, world: World) => {
    await applyLoad(target, 2, manyConnections);
    await separateCores([control.pid, ...world.workerPids], [process.pid, ...world.postgresPids]);
    return { targets: [target], measured: { ...world, control }, connections: manyConnections };
  };
  const pages = [await warm(firstPage, small), await warm(deepList(large), large)] as const;
  const costs = await measureByTurns(...pages, effort);
  const [cost, deepCost] = costs.map(
    ({ workerMicroseconds, postgresMicroseconds }) => workerMicroseconds + postgresMicroseconds,
  );
  const [first, deep] = costs.map(
    ({ workerMicroseconds: worker, postgresMicroseconds: postgres }) =>
      `${(worker + postgres).toFixed(0)} µs (worker ${worker.toFixed(0)}, PostgreSQL ${postgres.toFixed(0)})`,
  );
  const growth = (deepCost ?? Number.NaN) / (cost ?? Number.NaN);
  console.log(`1,000 posts, page 1: ${String(first)}; 1,000,000 posts, page 40: ${String(deep)}`);
  console.log(`growth ${growth.toFixed(2)}, at most ${String(maxGrowth)}`);
  return growth <= maxGrowth;
}

/** Two workers must serve at least so many times as much as one. */
const minGain = 1.8;
const scaledCalls = ['GET /post/show', 'GET /post, 70 posts', 'POST /likes/add', 'POST /oauth/token'];

/**
 * What a second worker adds. Calls per second show it only where the load generator and PostgreSQL have cores of their own, so the
 * verdict is by CPU time: workers that share nothing cost as much for each call as those of two services, with the same load beside it.
 * Returns whether it is enough.
 */
export async function measureSecondWorker(effort: Effort, posts: number): Promise<boolean> {
  using control = await startControl();
  const open = async (workers: number) => await createWorld({ posts, workers });
  await using one = await open(1);
  await using other = await open(1);
  await using both = await open(2);
  const gains: number[] = [];
  for (const name of scaledCalls) {
    // Not pinned: two workers have to share the cores, whether of one service or of two.
    const apart = {
      targets: [one, other].map(findTarget(name)),
      measured: together([one, other], control),
      connections: manyConnections,
    };
    const shared = {
      targets: [findTarget(name)(both)],
      measured: { ...both, control },
      connections: 2 * manyConnections,
    };
    for (const target of [...apart.targets, ...shared.targets]) await applyLoad(target, 2, manyConnections);
    const [services, workers] = await measureByTurns(apart, shared, effort);
    const gain = (2 * services.workerMicroseconds) / workers.workerMicroseconds;
    console.log(
      `${name.padEnd(26)} two services ${services.workerMicroseconds.toFixed(0)} µs, two workers ${workers.workerMicroseconds.toFixed(0)} µs: ` +
        `${gain.toFixed(2)} times as much as one, at least ${String(minGain)}`,
    );
    gains.push(gain);
  }
  return gains.every((gain) => gain >= minGain);
}

function findTarget(name: string): (world: World) => Target {
  return (world) => {
    const target = createTargets(world).find((one) => one.name === name);
    if (target === undefined) throw new Error(`no target ${name}`);
    return target;
  };
}

function together(worlds: readonly World[], control: Measured['control']): Measured {
  const workerPids = worlds.flatMap((world) => world.workerPids);
  return { control, workerPids, postgresPids: worlds.flatMap((world) => world.postgresPids) };
}
