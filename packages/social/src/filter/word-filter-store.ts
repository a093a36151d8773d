import type { WordFilter } from '@linnet/contract/word-filter';
import { maxWordFilters } from '@linnet/contract/word-filter';
import type { Queryable } from '@linnet/db/statement/transaction';
import { toWordLine } from '@linnet/db/text/search-words';
import { createSweep } from '@linnet/db/keep/sweep';
import { statement } from '@linnet/db/statement/statement';

import { toCreated } from '../view-context.ts';

export interface WordFilterRow {
  readonly id: number;
  readonly text: string;
  readonly part: boolean;
  readonly createdAt: Date;
  readonly endsAt: Date | null;
}

/** SQL: selects a `WordFilterRow` from `f`. */
export const wordFilterColumns = 'f.id, f.text, f.part, f.created_at AS "createdAt", f.ends_at AS "endsAt"';
/** SQL condition on `f`: has the filter not ended? */
export const isCurrentFilter = '(f.ends_at IS NULL OR f.ends_at > now())';

type AddParams = readonly [accountId: number, text: string, folded: string, isPart: boolean, endsAt: Date | null];

const addStatement = statement<AddParams, WordFilterRow>(
  'word_filter_add',
  `SELECT ${wordFilterColumns} FROM keep_word_filter($1, $2, $3, $4, $5::timestamptz, ${String(maxWordFilters)}) f`,
);

interface NewFilter {
  readonly accountId: number;
  readonly text: string;
  /** Whether it also matches within words. */
  readonly isPart: boolean;
  /** Undefined: until it is removed. */
  readonly endsAt: Date | undefined;
}

/** Adds a filter, or changes the one with the same words. `undefined`: the account has as many as it may have. */
export async function addWordFilter(
  db: Queryable,
  { accountId, text, isPart, endsAt }: NewFilter,
): Promise<WordFilterRow | undefined> {
  const [row] = await db.query(addStatement, [accountId, text, toWordLine(text), isPart, endsAt ?? null]);
  return row;
}

const removeStatement = statement<readonly [accountId: number, id: number], { readonly removed: number }>(
  'word_filter_remove',
  'DELETE FROM word_filter WHERE account_id = $1 AND id = $2 RETURNING 1 AS removed',
);

/** Returns whether the account had the filter. */
export async function removeWordFilter(db: Queryable, accountId: number, id: number): Promise<boolean> {
  return (await db.query(removeStatement, [accountId, id])).length > 0;
}

const listStatement = statement<readonly [accountId: number], WordFilterRow>(
  'word_filter_list',
  `SELECT ${wordFilterColumns} FROM word_filter f WHERE f.account_id = $1 AND ${isCurrentFilter} ORDER BY f.id DESC`,
);

/** Returns the filters of an account that have not ended, newest first. */
export async function findWordFilters(db: Queryable, accountId: number): Promise<readonly WordFilterRow[]> {
  return await db.query(listStatement, [accountId]);
}

/** Builds the object of a filter. */
export function toWordFilter({ id, text, part, createdAt, endsAt }: WordFilterRow): WordFilter {
  return {
    id,
    text,
    match: part ? 'part' : 'word',
    created: toCreated(createdAt),
    created_at: createdAt.toISOString(),
    ...(endsAt === null ? {} : { ends: toCreated(endsAt), ends_at: endsAt.toISOString() }),
  };
}

/** Deletes filters that have ended. */
export const sweepWordFilters = createSweep('word_filter', { table: 'word_filter', where: 'ends_at <= now()' });
