import {
  isAuthorMet,
  isAuthorVisible,
  isNotBlocked,
  isNotHidden,
  isRestricted,
  isUnlimited,
  meets,
  nobody,
  selectBlocked,
  selectMuted,
  visibleTo,
} from './visibility.ts';

/** Decides whether a row of a list may be shown, by the account that the row refers to. */
export interface AccountFilter {
  /** SQL condition: may a row that refers to the account `id` be listed? */
  readonly allows: (id: string) => string;
  /** SQL query: the ids among the array `ids` whose rows must not be listed. */
  readonly selectExcluded: (ids: string) => string;
}

/** Hides rows of hidden accounts. */
export const notHiddenFilter: AccountFilter = {
  allows: isNotHidden,
  selectExcluded: (ids) =>
    `SELECT gone.id FROM account gone WHERE gone.id = ANY (${ids}) AND gone.hidden_at IS NOT NULL`,
};

/** Hides rows of hidden accounts, and of those that `viewer` blocks or is blocked by. */
export function accountsFilter(viewer: string): AccountFilter {
  return {
    allows: (id) => `${isNotHidden(id)} AND ${isNotBlocked(viewer, id)}`,
    selectExcluded: (ids) => `${notHiddenFilter.selectExcluded(ids)} UNION ALL ${selectBlocked(viewer, ids)}`,
  };
}

/** Hides rows of hidden accounts, of limited ones that `viewer` does not follow, and of those behind a block: for what comes unasked. */
export function metAccountsFilter(viewer: string): AccountFilter {
  const isGone = `gone.hidden_at IS NOT NULL OR gone.limited_at IS NOT NULL AND ${isUnlimited(viewer, 'gone')} IS NOT TRUE`;
  return {
    allows: (id) => `(SELECT ${isGone} FROM account gone WHERE gone.id = ${id}
      AND (gone.hidden_at IS NOT NULL OR gone.limited_at IS NOT NULL)) IS NOT TRUE AND ${isNotBlocked(viewer, id)}`,
    selectExcluded: (ids) => `SELECT gone.id FROM account gone WHERE gone.id = ANY (${ids})
      AND (gone.hidden_at IS NOT NULL OR gone.limited_at IS NOT NULL) AND (${isGone})
      UNION ALL ${selectBlocked(viewer, ids)}`,
  };
}

/** Hides rows whose author `viewer` (SQL, see `visibleTo`) may not see. */
export function visibilityFilter(viewer: string): AccountFilter {
  return {
    allows: (id) => isAuthorVisible(viewer, id),
    selectExcluded: (ids) => `SELECT hidden.id FROM account hidden WHERE hidden.id = ANY (${ids})
      AND (hidden.protected OR hidden.hidden_at IS NOT NULL) AND ${visibleTo(viewer, 'hidden')} IS NOT TRUE
      UNION ALL ${selectBlocked(viewer, ids)}`,
  };
}

/** Hides rows whose author `viewer` may not see, or does not come across (see `meets`). */
export function metPostsFilter(viewer: string): AccountFilter {
  return {
    allows: (id) => isAuthorMet(viewer, id),
    selectExcluded: (ids) => `SELECT hidden.id FROM account hidden WHERE hidden.id = ANY (${ids})
      AND ${isRestricted('hidden')} AND ${meets(viewer, 'hidden')} IS NOT TRUE
      UNION ALL ${selectBlocked(viewer, ids)}`,
  };
}

function withoutMuted(viewer: string, { allows, selectExcluded }: AccountFilter): AccountFilter {
  return {
    allows: (id) => `${allows(id)} AND ${id} NOT IN (${selectMuted(viewer)})`,
    selectExcluded: (ids) => `${selectExcluded(ids)} UNION ALL ${selectMuted(viewer)} AND muted_id = ANY (${ids})`,
  };
}

/** As `metAccountsFilter`, and hides rows of accounts that `viewer` mutes. */
export function unmutedFilter(viewer: string): AccountFilter {
  return withoutMuted(viewer, metAccountsFilter(viewer));
}

/** As `metPostsFilter`, and hides rows whose author `viewer` mutes. */
export function unmutedPostsFilter(viewer: string): AccountFilter {
  return withoutMuted(viewer, metPostsFilter(viewer));
}

/** Hides rows of a timeline for everybody: of hidden and limited accounts, and of those that `viewer` has muted or that a block hides from it. */
export function publicFilter(viewer: string): AccountFilter {
  const everybody = metPostsFilter(nobody);
  return {
    allows: (id) => `${everybody.allows(id)} AND ${isNotBlocked(viewer, id)} AND ${id} NOT IN (${selectMuted(viewer)})`,
    selectExcluded: (ids) => `${everybody.selectExcluded(ids)} UNION ALL ${selectBlocked(viewer, ids)}
      UNION ALL ${selectMuted(viewer)} AND muted_id = ANY (${ids})`,
  };
}

interface BatchFilter {
  /** CTEs that `isListed` needs. They cover the `latest` newest rows among those with an id above `from`. */
  readonly ctes: (latest: string, from?: string) => string;
  /** SQL condition: may the row `i` be listed? */
  readonly isListed: string;
  /** The same for a statement that needs only the newest rows: others are not listed. */
  readonly isListedAmongNewest: string;
  /** SQL query: the ids of the accounts to which the newest rows refer and whose rows may not be listed. */
  readonly excluded: string;
  /** SQL: the number of the newest rows. If it is less than `latest`, there are no others above `from`. */
  readonly newestCount: string;
}

/**
 * Filters a list by the accounts that its rows refer to. The accounts of the newest rows are looked up together, which
 * reads the index of hidden accounts at most once; those of older rows are looked up one by one.
 *
 * `rows`: SQL from FROM to the end of WHERE over a table `i` that is ordered by its column `id`.
 * `accountColumn`: the column of `i` that refers to the account.
 */
export function filterInBatch(filter: AccountFilter, rows: string, accountColumn: string): BatchFilter {
  // A statement may have filters of several columns.
  const [newest, excluded] = [`newest_by_${accountColumn}`, `excluded_by_${accountColumn}`];
  const since = `(SELECT since FROM ${newest})`;
  const isIncluded = `i.${accountColumn} NOT IN (SELECT id FROM ${excluded})`;
  return {
    ctes: (latest, from = '0') => `${newest} AS MATERIALIZED (
      SELECT min(i.id) AS since, array_agg(i.${accountColumn}) AS accounts, count(*) AS count
      FROM (SELECT i.id, i.${accountColumn} ${rows} AND i.id > ${from} ORDER BY i.id DESC LIMIT ${latest}) i
    ), ${excluded} AS MATERIALIZED (${filter.selectExcluded(`(SELECT accounts FROM ${newest})::bigint[]`)})`,
    isListed: `CASE WHEN i.id >= ${since} THEN ${isIncluded} ELSE ${filter.allows(`i.${accountColumn}`)} END`,
    isListedAmongNewest: `i.id >= ${since} AND ${isIncluded}`,
    excluded: `SELECT id FROM ${excluded}`,
    newestCount: `(SELECT count FROM ${newest})`,
  };
}
