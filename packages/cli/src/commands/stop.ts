import { setTimeout as delay } from 'node:timers/promises';

import type { Command } from 'commander';

import { CommandError } from '../failure.ts';
import { findInstance } from '../instance/instance-lock.ts';
import { addCommand } from './add-command.ts';
import { invoke } from './command.ts';

/** Added to DRAIN_SECONDS. */
const deadlineMs = 15_000;
const pollMs = 50;

/** `linnet stop` */
export function addStop(program: Command): void {
  addCommand(program, { usage: 'stop', summary: 'stop the service that runs on DATA_DIR' }).action(stop);
}

async function stop(options: { readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(options.json);
  const pid = await findInstance(config.dataDir);
  if (pid === undefined) {
    output.result({ stopped: false }, `No service is running on ${config.dataDir}.`);
    return;
  }
  process.kill(pid, 'SIGTERM');
  const waitMs = config.drainSeconds * 1000 + deadlineMs;
  const deadline = Date.now() + waitMs;
  while ((await findInstance(config.dataDir)) === pid) {
    if (Date.now() > deadline) {
      throw new CommandError(
        'still-running',
        `The service (process ${String(pid)}) did not stop within ${String(waitMs / 1000)} seconds. Run "linnet stop" again, or kill the process.`,
      );
    }
    await delay(pollMs);
  }
  output.result({ stopped: true, pid }, `Stopped the service (process ${String(pid)}).`);
}
