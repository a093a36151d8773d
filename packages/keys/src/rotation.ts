/**
 * The life cycle of signing keys, as pure functions. A key is `next` while it is published but does not sign, `current`
 * while it signs, and `retired` while tokens that it signed may be valid. Every key can be `revoked`, which is final.
 * Each algorithm is planned separately (`planEach`); all other functions take the keys of one algorithm.
 */
import { publishedSeconds } from '@linnet/contract/key-times';

import type { SigningAlgorithm } from './signing-key.ts';

export type KeyState = 'next' | 'current' | 'retired' | 'revoked';

export interface KeyStatus {
  readonly kid: string;
  readonly state: KeyState;
  /** Time in this state. */
  readonly ageSeconds: number;
}

/** Steps of one transaction: the moves in their order, then the new keys. */
export interface Plan {
  readonly moves: readonly { readonly kid: string; readonly to: Exclude<KeyState, 'next'> }[];
  readonly makes: readonly ('current' | 'next')[];
}

/** The plans of several algorithms. */
export interface KeyChange {
  readonly moves: Plan['moves'];
  readonly makes: readonly { readonly alg: SigningAlgorithm; readonly state: 'current' | 'next' }[];
}

/** How long a key signs before the schedule replaces it: 90 days. */
export const rotationSeconds = 90 * 86_400;

export const nothing: Plan = { moves: [], makes: [] };

/** Plans the keys of each of `algorithms`. */
export function planEach(
  keys: readonly (KeyStatus & { readonly alg: string })[],
  algorithms: readonly SigningAlgorithm[],
  plan: (keys: readonly KeyStatus[]) => Plan,
): KeyChange {
  const plans = algorithms.map((alg) => {
    const { moves, makes } = plan(keys.filter((key) => key.alg === alg));
    return { moves, makes: makes.map((state) => ({ alg, state })) };
  });
  return { moves: plans.flatMap(({ moves }) => moves), makes: plans.flatMap(({ makes }) => makes) };
}

/** Ensures one current and one next key. */
export function planMissing(keys: readonly KeyStatus[]): Plan {
  const [first, ...others] = findWaiting(keys);
  const moves = first === undefined || hasCurrent(keys) ? [] : promote(keys, first);
  const isNextLeft = moves.length === 0 ? first !== undefined : others.length > 0;
  const isSigning = moves.length > 0 || hasCurrent(keys);
  return { moves, makes: [...(isSigning ? [] : ['current' as const]), ...(isNextLeft ? [] : ['next' as const])] };
}

function hasCurrent(keys: readonly KeyStatus[]): boolean {
  return keys.some(({ state }) => state === 'current');
}

/** A next key becomes current as soon as it may if another next key exists, otherwise after 90 days. */
export function planSchedule(keys: readonly KeyStatus[]): Plan {
  const [first, ...others] = findWaiting(keys);
  if (first === undefined || !isKnownToEveryone(first)) return planMissing(keys);
  if (others.length > 0) return { moves: promote(keys, first), makes: [] };
  const isDue = keys.some(({ state, ageSeconds }) => state === 'current' && ageSeconds >= rotationSeconds);
  return isDue ? { moves: promote(keys, first), makes: ['next'] } : planMissing(keys);
}

/**
 * Adds a next key. The previous next key becomes current at once if every process knows it or `force` is set; otherwise
 * the schedule promotes it later.
 */
export function planRotation(keys: readonly KeyStatus[], force: boolean): Plan {
  const waiting = findWaiting(keys);
  const chosen = force ? waiting.at(-1) : waiting.find(isKnownToEveryone);
  if (chosen === undefined) return { moves: [], makes: ['next'] };
  return { moves: promote(keys, chosen), makes: ['next'] };
}

/** Revokes the key and replaces it. Does nothing unless it is one of `keys`. */
export function planRevocation(keys: readonly KeyStatus[], kid: string): Plan {
  if (!keys.some((key) => key.kid === kid)) return nothing;
  const left = keys.filter((key) => key.kid !== kid);
  const { moves, makes } = planMissing(left);
  return { moves: [{ kid, to: 'revoked' }, ...moves], makes };
}

/** The next keys, the one published first in front. */
function findWaiting(keys: readonly KeyStatus[]): readonly KeyStatus[] {
  return keys.filter(({ state }) => state === 'next').toSorted((a, b) => b.ageSeconds - a.ageSeconds);
}

function isKnownToEveryone({ ageSeconds }: KeyStatus): boolean {
  return ageSeconds >= publishedSeconds;
}

/** Retires the current key and next keys older than `chosen` first, so that there is one current key at a time. */
function promote(keys: readonly KeyStatus[], chosen: KeyStatus): Plan['moves'] {
  const passed = findWaiting(keys);
  const retiring = [
    ...keys.filter(({ state }) => state === 'current'),
    ...passed.slice(
      0,
      passed.findIndex(({ kid }) => kid === chosen.kid),
    ),
  ];
  return [...retiring.map(({ kid }) => ({ kid, to: 'retired' as const })), { kid: chosen.kid, to: 'current' as const }];
}
