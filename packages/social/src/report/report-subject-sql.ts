import type { ReportSubject } from '@linnet/contract/report';

import { reportableBy } from '../account/visibility.ts';

/**
 * SQL query for each type: whom a report by `$1` of the subject `$2` is about, the post, and what the report keeps. No row: the
 * subject does not exist or is hidden from the reporter.
 */
export const selectSubject: Readonly<Record<ReportSubject, string>> = {
  account: `SELECT a.id AS account_id, NULL::bigint AS post_id,
      concat_ws(E'\\n', a.display_name || ' (@' || a.username || ')', NULLIF(a.description, '')) AS content
    FROM account a WHERE a.id = $2 AND a.deleted_at IS NULL`,
  post: `SELECT a.id AS account_id, p.id AS post_id, p.text AS content
    FROM post p JOIN account a ON a.id = p.author_id WHERE p.id = $2 AND ${reportableBy('$1::bigint', 'a')}`,
  comment: `SELECT by.id AS account_id, p.id AS post_id, c.text AS content
    FROM comment c JOIN account by ON by.id = c.author_id JOIN post p ON p.id = c.post_id JOIN account a ON a.id = p.author_id
    WHERE c.id = $2 AND by.deleted_at IS NULL AND ${reportableBy('$1::bigint', 'a')}`,
};
