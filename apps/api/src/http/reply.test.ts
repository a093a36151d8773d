import { JsonText } from '@linnet/contract/json-text';
import { listOf } from '@linnet/contract/paging';
import { defineRoute } from '@linnet/contract/route';
import { createLogger } from '@linnet/service/log/logger';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { createResponseWriters, writeBody } from './reply.ts';

const route = defineRoute({
  id: 'things',
  methods: ['GET'],
  path: '/things',
  scope: null,
  requiresAccount: false,
  writes: false,
  input: z.object({}),
  output: listOf(z.object({ id: z.int(), name: z.string() })),
  errors: [],
  summary: 'List things',
  specification: 'Things',
});
const listing = (items: readonly unknown[]) => ({ total: items.length, count: items.length, items });
const right = listing([{ id: 1, name: 'one' }]);
const mismatches = [
  listing([{ id: '1', name: 'one' }]),
  listing([{ id: 1 }]),
  listing([{ id: 1, name: 'one', password: 'x' }]),
  listing([{ name: 'one', id: 1 }]),
  listing([new JsonText('{"name":"one","id":1}')]),
  listing([new JsonText('{"id":1,"name":"one"')]),
  undefined,
];

function createWriters(checks: 'every' | 'sample') {
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', pretty: false, destination: { write: (line) => lines.push(line) } });
  return { write: createResponseWriters(checks, { logger })(route), lines };
}

test.each(mismatches)('tests reject a response that its row would not write: %j', (response) => {
  expect(() => createWriters('every').write(response)).toThrow(/^things: /);
});

test('a response of its row is written as it is, with or without ready JSON text', () => {
  const { write } = createWriters('every');
  expect(write(right)).toBe(JSON.stringify(right));
  expect(write(listing([new JsonText('{"id":1,"name":"one"}')]))).toBe(JSON.stringify(right));
});

test('a sample: mismatches are sent, logged and counted, among the first and then few', () => {
  const { write, lines } = createWriters('sample');
  const wrong = listing([{ id: 1, name: 'one', password: 'canary' }]);
  for (let index = 0; index < 2000; index += 1) expect(write(wrong)).toBe(JSON.stringify(wrong));
  expect(lines.map((line) => Number(JSON.parse(line).mismatches))).toEqual(
    Array.from({ length: 102 }, (_, n) => n + 1),
  );
  expect(lines.join('')).not.toContain('canary');
});

/** Writes like an endpoint, and counts. */
function createWriter() {
  let count = 0;
  const write = (response: unknown): string => {
    count += 1;
    return JSON.stringify(response);
  };
  return { write, count: () => count };
}

test('a large response that requests share is written once, as bytes', () => {
  const { write, count } = createWriter();
  const response = { items: Array.from({ length: 5000 }, (_, index) => `größe ${String(index)}`) };
  const text = JSON.stringify(response);
  const bodies = [1, 2, 3].map(() => writeBody(response, write));
  expect(bodies[0]).toEqual(Buffer.from(text));
  expect(new Set(bodies).size).toBe(1);
  expect(count()).toBe(1);
  expect(JSON.stringify(response)).toBe(text);
  expect(writeBody({ ...response, items: [] }, write)).toBe('{"items":[]}');
});

test.each([{ total: 0, items: [] }, null])('a small response is written each time: %j', (response) => {
  const { write, count } = createWriter();
  expect([writeBody(response, write), writeBody(response, write)]).toEqual([
    JSON.stringify(response),
    JSON.stringify(response),
  ]);
  expect(count()).toBe(2);
});
