import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Runs Vitest once, and prints the line of the summary reporter as the last line.
 * @param {{ readonly cwd: string, readonly args: readonly string[] }} options
 * @returns {Promise<number>} the exit status
 */
export async function runVitest({ cwd, args }) {
  const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs');
  const child = fork(vitest, ['run', ...args], { cwd, execArgv: [] });
  // The terminal also sends SIGINT to Vitest, so only wait for its cleanup.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  /** @type {string | undefined} */
  let summary;
  child.on('message', (message) => {
    if (typeof message?.summary === 'string') summary = message.summary;
  });
  const status = await new Promise((resolve) => {
    child.on('close', (code) => resolve(code ?? 1));
  });
  return conclude(status, summary);
}

/** Printed when no test could run. */
export const noTestRan = '0 passed, 1 failed';

/**
 * Prints at least `1 failed` for a failed run.
 * @param {number} status
 * @param {string | undefined} summary
 */
function conclude(status, summary) {
  const failed = Number(/(\d+) failed/.exec(summary ?? '')?.[1] ?? 0);
  console.log(status === 0 || failed > 0 ? summary : (summary ?? noTestRan).replace(/\d+ failed/, '1 failed'));
  return status;
}
