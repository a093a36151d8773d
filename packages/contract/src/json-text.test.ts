import { expect, test } from 'vitest';

import { JsonText, writeJson } from './json-text.ts';

const post = { id: 1, text: 'größe "💙"', link: undefined, tags: [] };
const ready = new JsonText<typeof post>(JSON.stringify(post));

test.each([
  ['the whole response', post, ready],
  ['a member', { items: post }, { items: ready }],
  ['every item of a list', { count: 2, items: [post, post] }, { count: 2, items: [ready, ready] }],
  ['some items of a list', { items: [post, post], next: undefined }, { items: [post, ready], next: undefined }],
  ['nothing', { total: 0, items: [], next: undefined }, { total: 0, items: [], next: undefined }],
  ['nothing, in a response that is no object', null, null],
  ['a member beside others', { 'a"b': [1], items: post, next: null }, { 'a"b': [1], items: ready, next: null }],
])('JSON text for %s: the same text as without', (_what, plain, withText) => {
  expect(writeJson(withText)).toBe(JSON.stringify(plain));
});
