import type { Command } from 'commander';

import { addressesOf, toText } from '../start/addresses.ts';
import { createProgress } from '../start/progress.ts';
import { runService } from '../start/primary.ts';
import { listenForStop, stopWithLaunchers } from '../start/stop-request.ts';
import { createOutput } from '../output.ts';
import { addCommand } from './add-command.ts';

interface StartOptions {
  readonly json?: boolean;
  readonly withParent?: boolean;
}

/** `linnet start` */
export function addStart(program: Command): void {
  addCommand(program, {
    usage: 'start',
    summary: 'run the service until "linnet stop", SIGINT or SIGTERM',
  })
    .option('--with-parent', 'stop when the npx, npm or pnpm that started it ends')
    .action(start);
}

async function start(options: StartOptions): Promise<void> {
  const stop = listenForStop();
  const json = options.json === true;
  const output = createOutput(json);
  const stream = json ? process.stderr : process.stdout;
  if (options.withParent === true) void stopWithLaunchers(stop.request);
  await runService({
    logDestination: json ? 'stderr' : 'stdout',
    stop,
    progress: createProgress({
      isTTY: process.stderr.isTTY,
      write: (line) => void process.stderr.write(line),
    }),
    onReady: (baseUrl, logger) => {
      const { service, developer, apiReference } = addressesOf(baseUrl);
      const addresses = { service, developer, api_reference: apiReference };
      // Besides --json, stdout is the log, whose lines have members `service` and `pid` already.
      if (json || stream.isTTY) {
        output.result({ ...addresses, pid: process.pid }, toText({ service, developer, apiReference }));
      } else logger.info({ addresses }, 'ready');
    },
  });
}
