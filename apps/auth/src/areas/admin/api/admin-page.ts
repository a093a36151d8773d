/** Pages of lists in the admin API. A cursor is the position after the last record: numbers, joined by hyphens. */
import { refuseParameter } from './admin-problem.ts';

/** Undefined without a cursor. `most`: the largest value of each number. @throws AdminRefused */
export function readPosition(
  cursor: string | undefined,
  numbers: number,
  most: readonly number[] = [],
): readonly number[] | undefined {
  if (cursor === undefined) return undefined;
  const position = cursor.split('-').map((text) => (/^\d{1,16}$/.test(text) ? Number(text) : Number.NaN));
  const isValid = position.every((number, index) => number <= (most[index] ?? Number.MAX_SAFE_INTEGER));
  if (isValid && position.length === numbers) return position;
  throw refuseParameter('cursor', 'invalid', 'must be the `next` of an earlier response');
}

interface PageForm<Row> {
  readonly toItem: (row: Row) => unknown;
  readonly toPosition: (last: Row) => readonly number[];
}

/** `found` has one row more than the page if there is a next one. */
export function toPage<Row>(found: readonly Row[], count: number, { toItem, toPosition }: PageForm<Row>) {
  const shown = found.slice(0, count);
  const last = found.length > count ? shown.at(-1) : undefined;
  return { items: shown.map(toItem), next: last === undefined ? null : toPosition(last).join('-') };
}
