import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createLogger } from './logger.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class DiskFull extends Error {
  readonly outage = 'disk-full';
}

function capture() {
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', pretty: false, destination: { write: (line) => lines.push(line) } });
  return { logger, read: () => lines.splice(0).map((line): unknown => JSON.parse(line)) };
}

const driverError = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });
const full = () => new DiskFull('The disk of the database server is full.', { cause: driverError });

test('one line per cause and minute, with the number of lines left out, the SQLSTATE and no stack', () => {
  const { logger, read } = capture();
  for (let failed = 0; failed < 709; failed += 1) {
    logger.child({ part: 'api' }).warn({ err: full(), requestId: `request ${String(failed)}` }, 'request failed');
  }
  const first = read();
  expect(first).toMatchObject([
    { level: 'warn', outage: 'disk-full', requestId: 'request 0', part: 'api', err: { cause: { code: '53100' } } },
  ]);
  expect(JSON.stringify(first)).not.toContain('outage-lines.test');
  vi.advanceTimersByTime(59_999);
  expect(read()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(read()).toMatchObject([{ outage: 'disk-full', suppressed: 708 }]);
  logger.warn({ err: full() }, 'request failed');
  vi.advanceTimersByTime(60_000);
  expect(read()).toMatchObject([{ suppressed: 1 }]);
  vi.advanceTimersByTime(60_000);
  expect(read()).toEqual([]);
  logger.warn({ err: full() }, 'another outage');
  expect(read()).toMatchObject([{ msg: 'another outage' }]);
});

test('causes do not hide each other, and other errors are never left out', () => {
  const { logger, read } = capture();
  const unreachable = Object.assign(new Error('refused'), { outage: 'unreachable' });
  for (let round = 0; round < 3; round += 1) {
    logger.warn({ err: full() }, 'request failed');
    logger.warn({ err: unreachable }, 'request failed');
    logger.error({ err: new Error('a bug') }, 'request failed');
    logger.info('text');
  }
  expect(read()).toHaveLength(2 + 3 + 3);
});

test('lines that count what was lost are summed up', () => {
  const { logger, read } = capture();
  logger.warn({ err: full() }, 'request failed');
  for (const count of [5, 3, 4]) logger.error({ err: full(), count }, 'audit events were not stored');
  expect(read()).toMatchObject([{ msg: 'request failed' }, { msg: 'audit events were not stored', count: 5 }]);
  vi.advanceTimersByTime(60_000);
  expect(read()).toMatchObject([{ msg: 'audit events were not stored', count: 7, suppressed: 2 }]);
});
