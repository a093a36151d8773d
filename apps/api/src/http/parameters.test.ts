import { expect, test } from 'vitest';

import { parseFormEncoded } from './parameters.ts';

test('names and values are decoded once', () => {
  expect(parseFormEncoded('message=a+b%20c%2Bd%26&id=7&flag&empty=')).toEqual({
    values: { message: 'a b c+d&', id: '7', flag: '', empty: '' },
    problems: [],
  });
});

test.each([
  ['id=1&id=2', 'id', 'repeated'],
  ['id=1&%69d=1', 'id', 'repeated'],
  ['id[]=1', 'id[]', 'invalid'],
  ['id%5B0%5D=1', 'id[0]', 'invalid'],
  ['message=%00', 'message', 'invalid'],
  ['message=%ff', 'message', 'invalid'],
  ['message=%ED%A0%80', 'message', 'invalid'],
  ['message=%', 'message', 'invalid'],
  ['%ff=1', '%ff', 'invalid'],
])('Details 5 %s is rejected and %s named', (query, parameter, code) => {
  expect(parseFormEncoded(query).problems).toEqual([expect.objectContaining({ parameter, code })]);
});

test('a name cannot reach the prototype', () => {
  const { values } = parseFormEncoded('__proto__=1&constructor=2');
  expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
  expect(Object.keys(values)).toEqual(['__proto__', 'constructor']);
});
