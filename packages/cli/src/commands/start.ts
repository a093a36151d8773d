import { createLogger } from '@linnet/service/log/logger';
import type { Command } from 'commander';

import { addressesOf, toText } from '../start/addresses.ts';
import { createProgress } from '../start/progress.ts';
import { runService } from '../start/primary.ts';
import { listenForStop, stopWithLaunchers } from '../start/stop-request.ts';
import { addCommand, invoke } from './command.ts';

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
  const { config, output, json } = invoke(options.json);
  const logDestination = json ? 'stderr' : 'stdout';
  const stream = json ? process.stderr : process.stdout;
  const { logLevel: level, serviceName } = config;
  const logger = createLogger({ level, pretty: stream.isTTY, service: serviceName, destination: logDestination });
  if (options.withParent === true) void stopWithLaunchers(stop.request);
  await runService({
    config,
    logger,
    logDestination,
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
