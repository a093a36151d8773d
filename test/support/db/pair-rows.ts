import type { Row } from './valid-rows.ts';

/** The tables about two accounts, with the columns of the two. */
export const pairTables = [
  ['follow', 'follower_id', 'followed_id'],
  ['follow_request', 'follower_id', 'followed_id'],
  ['block', 'blocker_id', 'blocked_id'],
  ['mute', 'muter_id', 'muted_id'],
] as const;

/** Changes of a second row, and the constraint that rejects each. */
export function pairRows(
  table: string,
  own: string,
  another: string,
): [rule: string, changes: Row, rejectedBy: string][] {
  return [
    ['a duplicate', {}, `${table}_pkey`],
    ['the opposite direction', { [own]: 2, [another]: 1 }, 'accepted'],
    ['oneself', { [another]: 1 }, `${table}_self_check`],
    ['by an account that does not exist', { [own]: 999 }, `${table}_${own}_fkey`],
    ['of an account that does not exist', { [another]: 999 }, `${table}_${another}_fkey`],
  ];
}
