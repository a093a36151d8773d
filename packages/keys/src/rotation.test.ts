import { publishedSeconds } from '@linnet/contract/key-times';
import { describe, expect, test } from 'vitest';

import {
  nothing,
  planEach,
  planMissing,
  planRevocation,
  planRotation,
  planSchedule,
  rotationSeconds,
} from './rotation.ts';
import type { KeyStatus, KeyState, Plan } from './rotation.ts';

const key = (kid: string, state: KeyState, ageSeconds = 0): KeyStatus => ({ kid, state, ageSeconds });
const known = publishedSeconds;
const promoting = (moves: string, makes: Plan['makes'] = []): Plan => ({
  makes,
  moves: moves.split(' ').map((move) => {
    const [kid = '', to = ''] = move.split(':');
    return { kid, to: to as Plan['moves'][number]['to'] };
  }),
});

describe('R9: the schedule', () => {
  test.each<[situation: string, keys: readonly KeyStatus[], plan: Plan]>([
    ['no key at all', [], { moves: [], makes: ['current', 'next'] }],
    ['no next key', [key('a', 'current')], { moves: [], makes: ['next'] }],
    ['no current key', [key('b', 'next')], promoting('b:current', ['next'])],
    ['a young pair', [key('a', 'current', 9e5), key('b', 'next', 9e5)], nothing],
    [
      'a key that has signed for 90 days',
      [key('a', 'current', rotationSeconds), key('b', 'next', known)],
      promoting('a:retired b:current', ['next']),
    ],
    [
      'the same, but its next key is too young',
      [key('a', 'current', rotationSeconds), key('b', 'next', known - 1)],
      nothing,
    ],
    [
      'two next keys',
      [key('a', 'current'), key('c', 'next'), key('b', 'next', known)],
      promoting('a:retired b:current'),
    ],
    ['the same, too early', [key('a', 'current'), key('c', 'next'), key('b', 'next', known - 1)], nothing],
    [
      'retired and revoked keys',
      [key('a', 'current'), key('b', 'next'), key('c', 'retired', 9e9), key('d', 'revoked', 9e9)],
      nothing,
    ],
  ])('%s', (_situation, keys, plan) => {
    expect(planSchedule(keys)).toEqual(plan);
  });
});

describe('R9: an operator rotates', () => {
  const pair = (ageSeconds: number) => [key('a', 'current', 9), key('b', 'next', ageSeconds)];

  test('promotes a next key that every process knows, and adds another', () => {
    expect(planRotation(pair(known), false)).toEqual(promoting('a:retired b:current', ['next']));
  });

  test('keeps a next key that is too young, and adds another', () => {
    expect(planRotation(pair(known - 1), false)).toEqual({ moves: [], makes: ['next'] });
  });

  test('--force promotes the last next key without waiting', () => {
    expect(planRotation(pair(0), true)).toEqual(promoting('a:retired b:current', ['next']));
    expect(planRotation([...pair(9), key('c', 'next', 3)], true)).toEqual(
      promoting('a:retired b:retired c:current', ['next']),
    );
  });
});

describe('an operator revokes', () => {
  const keys = [key('a', 'current'), key('b', 'next', 3), key('c', 'retired')];

  test.each<[kid: string, plan: Plan]>([
    ['a', promoting('a:revoked b:current', ['next'])],
    ['b', promoting('b:revoked', ['next'])],
    ['c', promoting('c:revoked')],
  ])('the key %s', (kid, plan) => {
    expect(planRevocation(keys, kid)).toEqual(plan);
  });

  test('the only key, and creates a current and a next one', () => {
    expect(planRevocation([key('a', 'current')], 'a')).toEqual(promoting('a:revoked', ['current', 'next']));
  });
});

/** Applies a plan; each new key gets its own name. */
function applyPlan(keys: readonly KeyStatus[], { moves, makes }: Plan): readonly KeyStatus[] {
  let after = keys;
  for (const { kid, to } of moves) {
    expect(after.find((one) => one.kid === kid)?.state).not.toBe('revoked');
    after = after.map((one) => (one.kid === kid ? key(kid, to) : one));
    expect(countOf(after, 'current')).toBeLessThan(2);
  }
  return [...after, ...makes.map((state, index) => key(`${String(after.length)}.${String(index)}`, state))];
}

function countOf(keys: readonly KeyStatus[], state: KeyState): number {
  return keys.filter((one) => one.state === state).length;
}

test('a key that does not exist cannot be revoked', () => {
  expect(planRevocation([key('a', 'current'), key('b', 'next')], 'c')).toEqual(nothing);
});

test('each algorithm is planned on its own', () => {
  const keys = [
    { ...key('a', 'current'), alg: 'ES256' },
    { ...key('b', 'next', known), alg: 'ES256' },
    { ...key('c', 'current'), alg: 'RS256' },
  ];
  expect(planEach(keys, ['ES256', 'RS256'], planMissing)).toEqual({
    moves: [],
    makes: [{ alg: 'RS256', state: 'next' }],
  });
  expect(planEach(keys, ['ES256'], (those) => planRotation(those, false))).toEqual({
    ...promoting('a:retired b:current'),
    makes: [{ alg: 'ES256', state: 'next' }],
  });
  expect(planEach(keys, ['ES256', 'RS256'], (those) => planRevocation(those, 'c'))).toEqual({
    moves: [{ kid: 'c', to: 'revoked' }],
    makes: [
      { alg: 'RS256', state: 'current' },
      { alg: 'RS256', state: 'next' },
    ],
  });
});

/** Seconds between rotations by an operator. The job runs every minute. */
test.each<[string, readonly number[]]>([
  ['once', [0]],
  ['twice in a row', [0, 0]],
  ['five times in a row', [0, 0, 0, 0, 0]],
  ['twice within five minutes', [0, 290]],
  ['again when a key may just sign', [0, publishedSeconds - 1, 1, publishedSeconds]],
  ['every minute for an hour', Array.from({ length: 60 }, () => 60)],
])('R9: keys rotate %s, and clients that cache them for 15 minutes know each key before it signs', (_what, waits) => {
  let keys: readonly KeyStatus[] = [key('a', 'current', rotationSeconds / 2), key('b', 'next', rotationSeconds / 2)];
  const take = (plan: Plan) => {
    const signing = new Set(plan.moves.filter(({ to }) => to === 'current').map(({ kid }) => kid));
    expect(keys.filter(({ kid, ageSeconds }) => signing.has(kid) && ageSeconds < 900)).toEqual([]);
    keys = applyPlan(keys, plan);
  };
  const pass = (seconds: number) => {
    keys = keys.map((one) => ({ ...one, ageSeconds: one.ageSeconds + seconds }));
  };
  for (const wait of waits) {
    pass(wait);
    take(planRotation(keys, false));
  }
  for (let minute = 0; minute < 120; minute += 1) {
    pass(60);
    take(planSchedule(keys));
  }
  expect(keys.find(({ state }) => state === 'current')?.kid).not.toBe('a');
});

test('one key is current and at least one is next after any sequence of steps', () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const plans = [
    planSchedule,
    planMissing,
    (keys: readonly KeyStatus[]) => planRotation(keys, random(2) === 0),
    (keys: readonly KeyStatus[]) => {
      const active = keys.filter(({ state }) => state !== 'revoked');
      return planRevocation(keys, active[random(active.length)]?.kid ?? '');
    },
  ] as const;
  let keys = applyPlan([], planMissing([]));
  for (let step = 0; step < 1000; step += 1) {
    keys = applyPlan(keys, plans[random(4)]?.(keys) ?? nothing);
    expect([countOf(keys, 'current'), countOf(keys, 'next') > 0]).toEqual([1, true]);
    const passed = random(2) === 0 ? random(400) : random(rotationSeconds);
    keys = keys.map((one) => ({ ...one, ageSeconds: one.ageSeconds + passed }));
  }
});
