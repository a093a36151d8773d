import { expect, test } from 'vitest';

import { writeBody } from './response-body.ts';

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
