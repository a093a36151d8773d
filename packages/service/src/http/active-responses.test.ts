import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

import { expect, test } from 'vitest';

import { ActiveResponses } from './http-server.ts';

test('holds the responses that are not closed, in whatever order they close', () => {
  const active = new ActiveResponses();
  // `ActiveResponses` only listens to its events.
  const responses = Array.from({ length: 5 }, () => new EventEmitter() as ServerResponse);
  for (const response of responses) active.add(response);
  const open = new Set(responses);
  for (const index of [4, 0, 2, 1, 3]) {
    const response = responses[index];
    if (response === undefined) throw new Error('no such response');
    response.emit('close');
    open.delete(response);
    expect(new Set(active)).toEqual(open);
    expect(active.size).toBe(open.size);
  }
});

test('a new response takes the place of the last one', () => {
  const active = new ActiveResponses();
  const [first, second] = [new EventEmitter() as ServerResponse, new EventEmitter() as ServerResponse];
  active.add(first);
  active.add(second);
  first.emit('close');
  expect([...active]).toEqual([second]);
  const third = new EventEmitter() as ServerResponse;
  active.add(third);
  second.emit('close');
  expect([...active]).toEqual([third]);
});
