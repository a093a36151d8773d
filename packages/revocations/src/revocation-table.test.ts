import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, test } from 'vitest';

import { RevocationTable, everyEpoch } from './revocation-table.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${String(index)}`);

describe('RevocationTable', () => {
  test('finds what was set, also after it has grown, and nothing else', () => {
    const table = new RevocationTable();
    for (const [index, id] of ids(50_000).entries()) table.set(id, { epoch: index, expiresAt: 100 });
    expect(table.size).toBe(50_000);
    expect(ids(50_000).map((id) => table.get(id))).toEqual(ids(50_000).map((_, index) => index));
    expect(ids(50_000).filter((id) => table.get(`other-${id}`) !== undefined)).toEqual([]);
  });

  test('the latest entry of an id replaces the one before', () => {
    const table = new RevocationTable();
    table.set('a', { epoch: 1, expiresAt: 100 });
    table.set('a', { epoch: everyEpoch, expiresAt: 50 });
    expect(table.get('a')).toBe(everyEpoch);
    expect(table.size).toBe(1);
  });

  test('a sweep removes what has expired, and keeps what is set or replaced during it', async () => {
    const table = new RevocationTable();
    for (const [index, id] of ids(100_000).entries()) table.set(id, { epoch: 1, expiresAt: index % 2 === 0 ? 10 : 90 });
    const sweeping = table.sweep(50);
    await new Promise((resolve) => setImmediate(resolve));
    table.set('id-1', { epoch: 2, expiresAt: 90 });
    table.set('new', { epoch: 3, expiresAt: 90 });
    // During a sweep, nothing that is still valid may be missing.
    expect(table.get('id-99999')).toBe(1);
    await sweeping;
    expect(table.size).toBe(50_001);
    expect(['id-0', 'id-1', 'id-3', 'id-99999', 'new'].map((id) => table.get(id))).toEqual([undefined, 2, 1, 1, 3]);
  });

  test('a table that grows while it is swept keeps all that is valid', async () => {
    const table = new RevocationTable();
    for (const id of ids(100_000)) table.set(id, { epoch: 1, expiresAt: 10 });
    const sweeping = table.sweep(50);
    await new Promise((resolve) => setImmediate(resolve));
    for (const id of ids(300_000)) table.set(`new-${id}`, { epoch: 2, expiresAt: 90 });
    await sweeping;
    expect(table.size).toBe(300_000);
    expect(ids(300_000).every((id) => table.get(`new-${id}`) === 2)).toBe(true);
  });

  test('half a million entries fit in 40 MB, including the arrays that were outgrown', () => {
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    const table = new RevocationTable();
    for (let index = 0; index < 500_000; index += 1) table.set(String(index), { epoch: 1, expiresAt: 100 });
    expect(table.get('499999')).toBe(1);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 2 ** 20);
  });

  test('they fit in 38 MB, also while they are swept', async () => {
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    const table = new RevocationTable();
    const sizes: number[] = [];
    const measure = () => sizes.push((process.memoryUsage().arrayBuffers - before) / 2 ** 20);
    const add = (index: number) => table.set(String(index), { epoch: 1, expiresAt: 100 + (index % 2) });
    for (let index = 0; index < 500_000; index += 1) add(index);
    collectGarbage(); // arrays that were outgrown
    for (const now of [50, 101]) {
      const sweeping = table.sweep(now);
      for (let turn = 0; turn < 50; turn += 1) {
        measure();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await sweeping;
    }
    // A second table beside the first would make it 40. Other tests of the process leave some.
    expect(Math.max(...sizes)).toBeLessThan(38);
    expect(table.size).toBe(250_000);
    expect([table.get('0'), table.get('499999')]).toEqual([undefined, 1]);
    await table.sweep(102);
    expect([table.size, table.get('499999')]).toEqual([0, undefined]);
  });
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
