import { toPhrase, toWordLine } from '@linnet/db/text/search-words';

/**
 * The filters of the acting account, as text of `[account id, [[text, is part], …]]`. Null: it has none, or nobody acts. Statements
 * return it with what they read, so that no further one is needed.
 */
export type WordFilters = string | null;

// Each statement looks for them in an index; most accounts have none.
const columns = `json_agg(json_build_array(text, part) ORDER BY id DESC)`;
const isCurrent = '(ends_at IS NULL OR ends_at > now())';

/** SQL: the `WordFilters` of `viewer` (see `visibleTo`). */
export function wordFiltersOf(viewer: string): string {
  return `(SELECT json_build_array(account_id, ${columns})::text FROM word_filter
    WHERE account_id = ${viewer} AND ${isCurrent} GROUP BY account_id)`;
}

/** SQL: the `WordFilters` of each of the accounts in the array `viewers` that has any, as JSON by account. */
export function wordFiltersByViewer(viewers: string): string {
  return `(SELECT json_object_agg(account_id, filters) FROM (
      SELECT account_id, json_build_array(account_id, ${columns})::text AS filters FROM word_filter
      WHERE account_id = ANY (${viewers}) AND ${isCurrent} GROUP BY account_id
    ) f)`;
}

interface Written {
  readonly text: string;
  readonly authorId: number;
}

const nothing: readonly string[] = [];

/** Returns what finds the texts of the filters that a text has, or another within it. None in what the acting account has written itself. */
export function createWordFilter(filters: WordFilters | undefined): (...written: Written[]) => readonly string[] {
  if (filters === null || filters === undefined) return () => nothing;
  const [accountId, all] = parseFilters(filters);
  const phrases = all.map(([text, isPart]) => ({ text, phrase: toPhrase(text, isPart) }));
  return (...written) => {
    const lines = written.filter(({ authorId }) => authorId !== accountId).map(({ text }) => toWordLine(text));
    if (lines.length === 0) return nothing;
    return phrases.filter(({ phrase }) => lines.some((line) => line.includes(phrase))).map((one) => one.text);
  };
}

type ParsedFilters = readonly [accountId: number, filters: readonly (readonly [text: string, isPart: boolean])[]];

function parseFilters(filters: string): ParsedFilters {
  return JSON.parse(filters) as ParsedFilters; // as the SQL above writes it
}

/** The member of `viewer` for what matches. */
export function toFiltered(matching: readonly string[]): { readonly filtered?: string[] } {
  return matching.length === 0 ? {} : { filtered: [...matching] };
}
