import { setTimeout as delay } from 'node:timers/promises';

import type { DatabaseProxy } from '../support/database-proxy.ts';
import type { Run } from './scenario.ts';

const delayMs = 100;

/** Causes a fault of the network to the database for `size` seconds. */
function disturb(fault: (proxy: DatabaseProxy) => void): (run: Run) => Promise<void> {
  return async ({ world, size, during }) => {
    await during(async () => {
      fault(world.proxy);
      await delay(size * 1000);
      world.proxy.restore();
    });
  };
}

export const delayNetwork = disturb((proxy) => proxy.delay(delayMs));
export const cutNetwork = disturb((proxy) => proxy.cut());
export const silenceNetwork = disturb((proxy) => proxy.silence('both'));
export const loseResponses = disturb((proxy) => proxy.silence('responses'));
