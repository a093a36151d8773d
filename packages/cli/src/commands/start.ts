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
  const output = createOutput(options.json === true);
  if (options.withParent === true) void stopWithLaunchers(stop.request);
  await runService({
    logDestination: options.json === true ? 'stderr' : 'stdout',
    stop,
    progress: createProgress({
      isTTY: process.stderr.isTTY,
      write: (line) => void process.stderr.write(line),
    }),
    onReady: (baseUrl) => {
      const { service, developer, apiReference } = addressesOf(baseUrl);
      const document = { service, developer, api_reference: apiReference, pid: process.pid };
      // Besides --json, stdout is the log.
      if (json || stream.isTTY) output.result(document, toText({ service, developer, apiReference }));
      else logger.info(document, 'ready');
    },
  });
}
