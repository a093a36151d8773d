import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { startJobs } from './jobs.ts';
import { createLogger } from '../log/logger.ts';

function collectLog() {
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', pretty: false, destination: { write: (line) => lines.push(line) } });
  return { lines, logger };
}

const nothing = async () => new Set<string>();

test('repeats a job, logs a run that fails, and waits for the run in progress on disposal', async () => {
  const { lines, logger } = collectLog();
  let runs = 0;
  let finished = 0;
  const third = Promise.withResolvers<void>();
  const jobs = startJobs(
    [
      {
        name: 'counting',
        everyMs: 1,
        run: async () => {
          runs += 1;
          if (runs === 2) throw new Error('second');
          if (runs === 3) third.resolve();
          await delay(20);
          finished += 1;
        },
      },
    ],
    { logger, findDue: () => nothing, isSpare: false },
  );
  await third.promise;
  await jobs[Symbol.asyncDispose]();
  expect([runs, finished]).toEqual([3, 2]);
  await delay(20);
  expect(runs).toBe(3);
  expect(lines.join('')).toMatch(/"message":"second".*"job":"counting".*job failed/);
});

test('aborts the signal of a run in progress on disposal', async () => {
  const { logger } = collectLog();
  const started = Promise.withResolvers<void>();
  let wasAborted = false;
  const run = async (stopping: AbortSignal) => {
    started.resolve();
    await delay(60_000, undefined, { signal: stopping }).catch(() => undefined);
    wasAborted = stopping.aborted;
  };
  const jobs = startJobs([{ name: 'waiting', everyMs: 1, run }], {
    ...{ logger, findDue: () => nothing, isSpare: false },
  });
  await started.promise;
  await jobs[Symbol.asyncDispose]();
  expect(wasAborted).toBe(true);
});
