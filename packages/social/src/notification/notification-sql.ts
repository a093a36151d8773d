/** SQL of the notifications that an account sees, for its list and their number. */
import { unmutedFilter, visibilityFilter } from '../account/account-filter.ts';

/** Only this many of the latest notifications of each kind are listed, so that many of one kind hide none of another. */
const maxPerKind = 1000;

interface SeenSql {
  /** The account. */
  readonly account: string;
  /** The kinds to read, an array. */
  readonly kinds: string;
  /** Condition on the row `i`; all if undefined. */
  readonly where?: string;
}

// A notification is about a post or a follow by another account. It is shown if the person may see the post and wants to hear of the
// other: rows stay while something hides them, so that they are back when a block ends or a deleted account is restored.

/**
 * SQL: the CTEs `setting` (`read_id`, `off`) and `seen`, which has the notifications that the account sees. The accounts
 * that the latest of each kind refer to are looked up together.
 */
export function selectSeen({ account, kinds, where = 'true' }: SeenSql): string {
  const posts = visibilityFilter(account).selectExcluded('ARRAY(SELECT DISTINCT owner_id FROM latest)');
  const actors = unmutedFilter(account).selectExcluded('ARRAY(SELECT DISTINCT actor_id FROM latest)');
  return `setting AS MATERIALIZED (
      SELECT COALESCE(s.read_id, 0) AS read_id, COALESCE(s.off, '{}') AS off
      FROM (SELECT ${account} AS id) me LEFT JOIN notification_setting s ON s.account_id = me.id
    ), latest AS MATERIALIZED (
      SELECT i.* FROM setting CROSS JOIN unnest(${kinds}) wanted(kind) CROSS JOIN LATERAL (
        SELECT i.id, i.kind, i.actor_id, i.owner_id, i.post_id, i.comment_id FROM notification i
        WHERE i.account_id = ${account} AND i.kind = wanted.kind AND ${where}
        ORDER BY i.id DESC LIMIT ${String(maxPerKind)}
      ) i WHERE wanted.kind <> ALL (setting.off)
    ), hidden_owner AS MATERIALIZED (${posts}), hidden_actor AS MATERIALIZED (${actors}), seen AS MATERIALIZED (
      SELECT * FROM latest
      WHERE owner_id NOT IN (SELECT id FROM hidden_owner) AND actor_id NOT IN (SELECT id FROM hidden_actor)
    )`;
}

/** SQL: what notifications of the same item have in common. A mention is an item of its own. */
export const sameItem = `kind, post_id, CASE WHEN kind = 'mention' THEN id END`;
