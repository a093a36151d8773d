import { expect, test } from 'vitest';

import { startJobs } from './jobs.ts';
import { createLogger } from '../log/logger.ts';

function collectLog() {
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', pretty: false, destination: { write: (line) => lines.push(line) } });
  return { lines, logger };
}

test('runs a job whose rows wait only when the check finds it, and again as long as it does', async () => {
  const { lines, logger } = collectLog();
  const due = [new Set(['mail']), new Set<string>(), new Set(['mail'])];
  const runs: string[] = [];
  const twice = Promise.withResolvers<void>();
  const run = (name: string) => async () => {
    runs.push(name);
    if (runs.length === 2) twice.resolve();
  };
  const jobs = [
    { name: 'mail', everyMs: 1, due: 'true', run: run('mail') },
    { name: 'other', everyMs: 1, due: 'true', run: run('other') },
  ];
  await using running = startJobs(jobs, {
    ...{ logger, isSpare: false },
    findDue: () => async () => due.shift() ?? new Set(),
  });
  running.wake();
  await twice.promise;
  expect(runs).toEqual(['mail', 'mail']);
  expect(lines).toEqual([]);
});

test('a spare process that rests checks at once when it is woken, and a check that failed is repeated', async () => {
  const { lines, logger } = collectLog();
  let checks = 0;
  const waiting = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const find = async () => {
    waiting[checks]?.resolve();
    checks += 1;
    if (checks === 2) throw new Error('no database');
    return new Set<string>();
  };
  const job = { name: 'mail', everyMs: 1, due: 'true', run: async () => undefined };
  await using running = startJobs([job], { ...{ logger, isSpare: true }, findDue: () => find });
  await waiting[0]?.promise;
  // Otherwise the next check would come after ten seconds.
  const waking = setInterval(() => running.wake(), 10);
  await waiting[2]?.promise;
  clearInterval(waking);
  expect(lines.join('')).toMatch(/"message":"no database".*"job":"due-jobs".*job failed/);
});
