import { setImmediate } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { DatabaseBusy } from '../connection/database-error.ts';
import { Gate, RowsOccupied, Visit } from './gate.ts';

let gate: Gate;
beforeEach(() => {
  gate = new Gate();
});
afterEach(() => void vi.useRealTimers());

/** Enters and remembers it by name; `leave` leaves again. */
function createCrowd() {
  const within = new Map<string, () => void>();
  return {
    come: (name: string, ...rows: string[]) => {
      // Those who still wait at the end of a test are refused after five seconds.
      void gate.enter(rows).then(
        (leave) => within.set(name, leave),
        () => undefined,
      );
    },
    within: async () => {
      await setImmediate();
      return [...within.keys()];
    },
    leave: (name: string) => {
      within.get(name)?.();
      within.delete(name);
    },
  };
}

test('two are within for a row, and the others follow in the order in which they came', async () => {
  const { come, within, leave } = createCrowd();
  for (const name of ['a', 'b', 'c', 'd']) come(name, 'post/1');
  come('other', 'post/2');
  expect(await within()).toEqual(['a', 'b', 'other']);
  expect(gate.tryEnter(['post/1'])).toBeUndefined();
  leave('b');
  expect(await within()).toEqual(['a', 'other', 'c']);
  leave('c');
  leave('a');
  expect(await within()).toEqual(['other', 'd']);
});

test('who needs several rows enters for all of them or for none', async () => {
  const { come, within, leave } = createCrowd();
  for (const name of ['a', 'b']) come(name, 'account/1');
  come('pair', 'account/1', 'account/2');
  expect(await within()).toEqual(['a', 'b']);
  // It came later than the pair, which waits for the same row.
  come('late', 'account/2');
  expect(await within()).toEqual(['a', 'b']);
  leave('a');
  expect(await within()).toEqual(['b', 'pair', 'late']);
});

test('the one who waits longest for popular rows enters, however many come for one of them', async () => {
  const { come, within, leave } = createCrowd();
  const rows = ['account/1', 'account/2'];
  for (const row of rows) for (const name of ['a', 'b']) come(`${name} ${row}`, row);
  come('pair', ...rows);
  for (let round = 0; !(await within()).includes('pair'); round += 1) {
    expect(round).toBeLessThan(4);
    for (const row of rows) come(`${String(round)} ${row}`, row);
    const [first] = await within();
    leave(String(first));
  }
});

test('who has waited for five seconds is refused as by a busy database, and others do not wait for it', async () => {
  vi.useFakeTimers();
  const leaves = [await gate.enter(['a']), await gate.enter(['a'])];
  const refused = gate.enter(['a', 'b']).catch((error: unknown) => error);
  const behind = gate.enter(['b']);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await refused).toBeInstanceOf(DatabaseBusy);
  (await behind)();
  for (const leave of leaves) leave();
  expect(gate.tryEnter(['a', 'b'])).toBeDefined();
});

test('after a failure the place is free', async () => {
  for (let round = 0; round < 3; round += 1) {
    await expect(gate.run(['a'], async () => await Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  }
});

test('a transaction enters for a row once, and never waits', async () => {
  const visit = new Visit(gate);
  visit.add(['a']);
  visit.add(['a', 'b']);
  const others = [await gate.enter(['a']), await gate.enter(['c']), await gate.enter(['c'])];
  expect(gate.tryEnter(['a'])).toBeUndefined();
  expect(() => visit.add(['c'])).toThrow(RowsOccupied);
  // A transaction that caught the error must not commit.
  expect(() => visit.check()).toThrow(expect.objectContaining({ rows: ['a', 'b', 'c'] }));
  visit.leave();
  expect(gate.tryEnter(['a', 'b'])).toBeDefined();

  const again = new Visit(gate);
  const waiting = again.wait(['a', 'b', 'c']);
  for (const leave of others) leave();
  await waiting;
  again.add(['c']);
  again.check();
});
