import { describe, expect, test } from 'vitest';

import { findDifference } from './difference.ts';
import { toFailure } from './failure.ts';
import type { Refusal } from '../../audit/events.ts';

const refusal: Refusal = {
  endpoint: '/oauth/token',
  error: 'invalid_grant',
  cause: 'code_unknown',
  details: {},
  reason: '-',
  parameters: {},
  redirectUris: [],
};

test('has the kind of its cause', () => {
  expect(toFailure({ ...refusal, cause: 'code_used' }).kind).toBe('code');
});

test('shortens names that were sent, and replaces what cannot be stored', () => {
  const scopes = Array.from({ length: 11 }, () => `\u0000${'a'.repeat(200)}`);
  const { details } = toFailure({ ...refusal, cause: 'scope_unknown', details: { scopes } });
  expect(details).toEqual({ scopes: scopes.slice(1).map(() => `\uFFFD${'a'.repeat(99)}`) });
});

test('removes parameter values from the reason', () => {
  const parameters = { code: 'the-code', scope: 'posts', state: 'abcd' };
  const { reason } = toFailure({ ...refusal, reason: 'the-code, posts and abcd', parameters });
  expect(reason).toBe('…, posts and …');
});

test('shows the registered redirect URI that differs least', () => {
  const redirectUris = ['https://b.example/cb', 'https://a.example/callback', 'https://a.example/cb?x=1'];
  const parameters = { redirect_uri: 'https://a.example/cb?x=2#f=3' };
  const { presented, registered } = toFailure({
    ...refusal,
    cause: 'redirect_uri_unregistered',
    parameters,
    redirectUris,
  });
  expect([presented, registered]).toEqual(['https://a.example/cb?x=…#f=…', 'https://a.example/cb?x=…']);
});

test.each([
  ['abc', 'abc', ['same abc']],
  ['abcd', 'acxd', ['same a', 'missing b', 'same c', 'extra x', 'same d']],
  ['', 'ab', ['extra ab']],
  ['ab', '', ['missing ab']],
  ['a'.repeat(301), 'b', [`missing ${'a'.repeat(301)}`, 'extra b']],
])('finds the differences between %j and %j', (registered, presented, expected) => {
  const segments = findDifference(registered, presented).map(({ kind, text }) => `${kind} ${text}`);
  expect(segments).toEqual(expected);
});

const long = 'a'.repeat(33);
test.each([
  [`x${long}y`, `x${'b'.repeat(33)}y`, ['same x', `missing ${long}`, `extra ${'b'.repeat(33)}`, 'same y']],
  ['abcb', 'ab', ['same ab', 'missing cb']],
  ['aa', 'aaa', ['same aa', 'extra a']],
  ['/\u{1F511}', '/\u{1F512}', ['same /', 'missing \u{1F511}', 'extra \u{1F512}']],
])('finds the differences of %j from %j between the common start and end', (registered, presented, expected) => {
  const segments = findDifference(registered, presented).map(({ kind, text }) => `${kind} ${text}`);
  expect(segments).toEqual(expected);
});

const hostilePairs: readonly (readonly [title: string, pair: (length: number) => readonly [string, string]])[] = [
  ['nothing in common', (length) => ['a'.repeat(length), 'b'.repeat(length)]],
  ['equal', (length) => ['a'.repeat(length), 'a'.repeat(length)]],
  ['a shifted repetition', (length) => ['ab'.repeat(length / 2), 'ba'.repeat(length / 2)]],
  ['a different start and end', (length) => [`x${'a'.repeat(length)}x`, `y${'a'.repeat(length)}y`]],
  ['every second character', (length) => ['ab'.repeat(length / 2), 'ac'.repeat(length / 2)]],
];

describe.each(hostilePairs)('redirect URIs with %s', (_title, pair) => {
  test.each([16, 32, 64, 128, 300, 2048])('of %i characters are compared in linear time', (length) => {
    let comparisons = 0;
    const count = (one: string, other: string) => {
      comparisons += 1;
      return one === other;
    };
    const [registered, presented] = pair(length);
    const segments = findDifference(registered, presented, count);
    expect(comparisons).toBeLessThanOrEqual(2 * length + 32 * 32 + 2 * 32);
    expect(segments.length).toBeLessThanOrEqual(2 * 32 + 2);
  });
});
