/**
 * How signing keys follow one another, without a database or a clock. A key is `next` while it is published
 * and does not sign, `current` while it signs, `retired` while tokens may live that it signed; any but the
 * last may become `revoked`, and stays so.
 */
import { jwksCacheSeconds } from '@linnet/contract/key-times';

export type KeyState = 'next' | 'current' | 'retired' | 'revoked';

export interface KeyStanding {
  readonly kid: string;
  readonly state: KeyState;
  /** How long it has been in its state. */
  readonly ageSeconds: number;
}

/** Steps to be taken together, in this order: the moves first. */
export interface Plan {
  readonly moves: readonly { readonly kid: string; readonly to: Exclude<KeyState, 'next'> }[];
  readonly makes: readonly ('current' | 'next')[];
}

/** A key signs this long before the schedule replaces it: 90 days. */
export const rotationSeconds = 90 * 86_400;

export const nothing: Plan = { moves: [], makes: [] };

/** At the first start, and whenever a key is missing: one that signs, and one that is to sign next. */
export function planMissing(keys: readonly KeyStanding[]): Plan {
  const [first, ...others] = findWaiting(keys);
  const moves = first === undefined || hasCurrent(keys) ? [] : promote(keys, first);
  const isNextLeft = moves.length === 0 ? first !== undefined : others.length > 0;
  const isSigning = moves.length > 0 || hasCurrent(keys);
  return { moves, makes: [...(isSigning ? [] : ['current' as const]), ...(isNextLeft ? [] : ['next' as const])] };
}

function hasCurrent(keys: readonly KeyStanding[]): boolean {
  return keys.some(({ state }) => state === 'current');
}

/** What time brings: a next key that another waits behind signs as soon as it may, the last one after 90 days. */
export function planSchedule(keys: readonly KeyStanding[]): Plan {
  const [first, ...others] = findWaiting(keys);
  if (first === undefined || !isKnownToAll(first)) return planMissing(keys);
  if (others.length > 0) return { moves: promote(keys, first), makes: [] };
  const isDue = keys.some(({ state, ageSeconds }) => state === 'current' && ageSeconds >= rotationSeconds);
  return isDue ? { moves: promote(keys, first), makes: ['next'] } : planMissing(keys);
}

/**
 * Another next key; the present one signs at once when it may or `force` says so, and otherwise as soon as
 * the schedule finds that it may.
 */
export function planRotation(keys: readonly KeyStanding[], force: boolean): Plan {
  const waiting = findWaiting(keys);
  const chosen = force ? waiting.at(-1) : waiting.find(isKnownToAll);
  if (chosen === undefined) return { moves: [], makes: ['next'] };
  return { moves: promote(keys, chosen), makes: ['next'] };
}

/** The key is revoked, and another takes its place. */
export function planRevocation(keys: readonly KeyStanding[], kid: string): Plan {
  const left = keys.filter((key) => key.kid !== kid);
  const { moves, makes } = planMissing(left);
  return { moves: [{ kid, to: 'revoked' }, ...moves], makes };
}

/** Those to sign next, the one that is published longest first. */
function findWaiting(keys: readonly KeyStanding[]): readonly KeyStanding[] {
  return keys.filter(({ state }) => state === 'next').toSorted((a, b) => b.ageSeconds - a.ageSeconds);
}

function isKnownToAll({ ageSeconds }: KeyStanding): boolean {
  return ageSeconds >= jwksCacheSeconds;
}

/** Whoever signs, and whoever waits longer than `chosen`, retires first: there is one current key at a time. */
function promote(keys: readonly KeyStanding[], chosen: KeyStanding): Plan['moves'] {
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
