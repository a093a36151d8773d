import { startDatabaseHosts } from '../support/failover/database-hosts.ts';
import type { DatabaseHosts } from '../support/failover/database-hosts.ts';
import { findMissingPrograms } from '../support/failover/programs.ts';
import { openClock } from './clock.ts';
import { startWorld } from './world.ts';
import type { World } from './world.ts';

/** How far the clock of the second host is behind. */
const behindSeconds = 30;

/** A world whose database is on two hosts. */
export interface HostsWorld extends World {
  readonly hosts: DatabaseHosts;
}

/** A service with a database as docs/operations/failover.md says; undefined where programs are not installed. */
export async function startHostsWorld(): Promise<HostsWorld | undefined> {
  const missing = findMissingPrograms();
  if (missing.length > 0) {
    process.stdout.write(`NOTE: ${missing.join(', ')} not installed, so a failover of the database was not tested\n`);
    return undefined;
  }
  await using stack = new AsyncDisposableStack();
  const clock = await openClock('database');
  if (clock !== undefined) {
    stack.defer(clock.remove);
    await clock.set(-behindSeconds);
  }
  const hosts = stack.use(await startDatabaseHosts(clock === undefined ? {} : { db2: clock.env }));
  const { env, directUrl: url, pooledUrl: serviceUrl } = hosts;
  // Disposed after the service.
  const database = { url, serviceUrl, env, [Symbol.asyncDispose]: async () => await Promise.resolve() };
  const world = stack.use(await startWorld({ startDatabase: async () => await Promise.resolve(database) }));
  const running = stack.move();
  return { ...world, hosts, [Symbol.asyncDispose]: async () => await running.disposeAsync() };
}

export function isHostsWorld(world: World): world is HostsWorld {
  return 'hosts' in world;
}
