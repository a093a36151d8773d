import { accountJson } from '../account/account-row.ts';
import { isOpenTo, visibleTo } from '../account/visibility.ts';

const maxMentions = 20;

/**
 * SQL: one row with the ids of the accounts that a text by `author` mentions, and as JSON those that the author may see. An
 * account with a block between it and the author is not mentioned.
 * `names`: their names separated by spaces. OFFSET 0 keeps the subquery separate, so that no plan scans all accounts.
 */
export function selectMentions(names: string, author: string): string {
  return `SELECT array_agg(m.id ORDER BY m.position) AS ids,
      json_agg(${accountJson('m')} ORDER BY m.position) FILTER (WHERE ${visibleTo(author, 'm')}) AS visible
    FROM (
      SELECT found.*, o.position FROM unnest(string_to_array(${names}, ' ')) WITH ORDINALITY AS o(username_ci, position)
      JOIN LATERAL (SELECT * FROM account WHERE username_ci = o.username_ci AND deleted_at IS NULL OFFSET 0) found ON true
      WHERE ${isOpenTo(author, 'found')}
      ORDER BY o.position LIMIT ${String(maxMentions)}
    ) m`;
}
