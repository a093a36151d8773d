import type { Queryable } from '@linnet/db/statement/transaction';
import { toNameSearch } from '@linnet/db/text/search-words';
import { statement } from '@linnet/db/statement/statement';

import { metAccountsFilter } from '../account/account-filter.ts';
import { authorColumns, lateralAccount, toAuthor } from '../account/account-row.ts';
import type { AuthorColumns } from '../account/account-row.ts';
import type { MarkedAccountRow } from '../account/account-view.ts';
import { accountMarks } from '../account/viewer-marks.ts';
import type { Marks } from '../account/viewer-marks.ts';
import type { Viewer } from '../account/visibility.ts';
import { findPage } from '../list/page-store.ts';
import type { ListStatements } from '../list/page-store.ts';
import { toPaged } from '../list/page.ts';
import type { Page, Paged } from '../list/page.ts';

/** A search finds at most so many accounts. */
export const maxFoundAccounts = 300;

// A search reads at most so many rows, however many accounts there are: the latest follows of the viewer, the accounts with the most
// followers, and what the index has of a word that is rare among these.
const maxFollowed = '1000';
const maxPopular = '2000';
const maxRare = '5000';
/** A word that so many of the popular accounts have is frequent. */
const frequentFrom = '101';
/** With fewer accounts than this, a search also looks for names with typing errors: at most `maxSimilar`. */
const similarBelow = '10';
const maxSimilar = '1000';

const [fetchLimit, offset, boundary] = ['$1::bigint', '$2::bigint', '$3::bigint'];
const [words, similar, username, viewer] = ['$4::tsquery', '$5::tsquery', '$6::text', '$7::bigint'];

type FoundAccount = AuthorColumns & { readonly marks: Marks };
type FoundRow = FoundAccount | { readonly [Key in keyof FoundAccount]: null };
type Params = readonly [words: string, similar: string, username: string, viewer: Viewer];

const ids = '(SELECT ids FROM all_matched)::bigint[]';
const columns = 'account_id AS id, popularity';

/** SQL: the order of what is found, best first. */
const bestFirst = (followers: string, id: string) => `is_followed DESC, likeness DESC, ${followers} DESC, ${id} DESC`;

/** SQL: the CTE `found`, the accounts of all pages by their `place`, and what it is made of. */
const selectFound = `followed AS MATERIALIZED (
    SELECT followed_id AS id FROM follow WHERE follower_id = ${viewer} ORDER BY follow.id DESC LIMIT ${maxFollowed}
  ), popular AS MATERIALIZED (
    SELECT ${columns}, words @@ ${words} AS matches FROM (
      SELECT * FROM account_search WHERE NOT hidden AND popularity >= 0 ORDER BY popularity DESC, account_id DESC LIMIT ${maxPopular}
    ) s
  ), frequent AS MATERIALIZED (
    SELECT count(*) >= ${frequentFrom} AS "isFrequent" FROM popular WHERE matches
  ), rare AS MATERIALIZED (
    SELECT * FROM (SELECT ${columns}, hidden FROM account_search WHERE words @@ ${words} LIMIT ${maxRare}) s
    WHERE (SELECT NOT "isFrequent" FROM frequent) AND NOT hidden
  ), named AS MATERIALIZED (
    SELECT ${columns} FROM account_search WHERE NOT hidden AND account_id = (SELECT id FROM account WHERE username_ci = ${username})
  ), prefixed AS MATERIALIZED (
    SELECT s.account_id AS id, s.popularity FROM followed CROSS JOIN LATERAL (
      SELECT * FROM account_search WHERE account_id = followed.id OFFSET 0
    ) s WHERE NOT s.hidden AND s.words @@ ${words}
    UNION SELECT id, popularity FROM popular WHERE matches
    UNION SELECT id, popularity FROM rare
  ), similar_names AS MATERIALIZED (
    SELECT * FROM (SELECT ${columns}, hidden FROM account_search WHERE words @@ ${similar} LIMIT ${maxSimilar}) s
    WHERE (SELECT count(*) < ${similarBelow} FROM prefixed) AND NOT hidden
  ), matched AS MATERIALIZED (
    SELECT id, popularity, max(likeness) AS likeness FROM (
      SELECT id, popularity, 2 AS likeness FROM named
      UNION ALL SELECT id, popularity, 1 FROM prefixed
      UNION ALL SELECT id, popularity, 0 FROM similar_names
    ) m GROUP BY id, popularity
  ), all_matched AS MATERIALIZED (
    SELECT array_agg(id) AS ids FROM matched
  ), excluded (id) AS MATERIALIZED (
    ${metAccountsFilter(viewer).selectExcluded(ids)}
  ), best AS MATERIALIZED (
    SELECT m.*, id IN (SELECT id FROM followed) AS is_followed FROM matched m WHERE id NOT IN (SELECT id FROM excluded)
    ORDER BY ${bestFirst('popularity', 'id')} LIMIT ${String(maxFoundAccounts)}
  ), found AS MATERIALIZED (
    SELECT a.*, best.is_followed, best.likeness, row_number() OVER (ORDER BY ${bestFirst('a.followers_count', 'a.id')}) AS place
    FROM best JOIN ${lateralAccount('best.id')} a ON a.hidden_at IS NULL
  )`;

// The account of a cursor may be gone from what is found, such as after a change of its name: the search continues where it would be.
const selectEdge = `edge AS MATERIALIZED (
    SELECT place AS older_than, place AS newer_than FROM found WHERE id = ${boundary}
    UNION ALL SELECT gap, gap + 1 FROM (
      SELECT (SELECT count(*) FROM found f WHERE (f.is_followed, f.likeness, f.followers_count, f.id)
        > (b.id IN (SELECT id FROM followed), 1, b.followers_count, b.id)) AS gap
      FROM account b WHERE b.id = ${boundary} AND b.id NOT IN (SELECT id FROM found)
    ) gone
  )`;

interface PageOfFound {
  /** SQL conditions on `found`. */
  readonly follows: string;
  readonly precedes: string;
  readonly order: 'ASC' | 'DESC';
}

function declare(variant: Page['from'], { follows, precedes, order }: PageOfFound) {
  return statement<readonly [number, number, number, ...Params], FoundRow & { total: number; hasPreceding: boolean }>(
    `account_search_${variant}`,
    `WITH ${selectFound}, ${selectEdge}
     SELECT (SELECT count(*) FROM found)::int AS total, EXISTS (SELECT FROM found WHERE ${precedes}) AS "hasPreceding",
       ${authorColumns('a')}, ${accountMarks('a', viewer)} AS marks
     FROM (SELECT 1) one LEFT JOIN (
       SELECT * FROM found WHERE ${follows} ORDER BY place ${order} LIMIT ${fetchLimit} OFFSET ${offset}
     ) a ON true ORDER BY a.place ${order}`,
  );
}

// "Older" are those that come later.
const statements: ListStatements<Params, FoundRow> = {
  number: declare('number', { follows: 'true', precedes: `place <= ${offset}`, order: 'ASC' }),
  older: declare('older', {
    follows: 'place > (SELECT older_than FROM edge)',
    precedes: 'place <= (SELECT older_than FROM edge)',
    order: 'ASC',
  }),
  newer: declare('newer', {
    follows: 'place < (SELECT newer_than FROM edge)',
    precedes: 'place >= (SELECT newer_than FROM edge)',
    order: 'DESC',
  }),
};

interface AccountSearch {
  /** Words of names, or `@` and the start of a username. */
  readonly text: string;
  readonly viewer: Viewer;
}

/**
 * Returns a page of the accounts that a search finds: those that the viewer follows first, then those with the most followers. A search
 * engine beside PostgreSQL would implement this type: it finds ids, and leaves to `account/account-filter.ts` whom a block hides.
 */
export type FindAccountsBySearch = (
  db: Queryable,
  search: AccountSearch,
  page: Page,
) => Promise<Paged<MarkedAccountRow>>;

/** Finds accounts with the index of words in PostgreSQL. */
export const findAccountsBySearch: FindAccountsBySearch = async (db, { text, viewer: reader }, page) => {
  const search = toNameSearch(text);
  const params = [search.words, search.similar, search.username, reader] as const;
  const found = await findPage(db, statements, { page, params, idColumn: 'author.id' });
  if (found === undefined) throw new TypeError('a search returns at least one row');
  const paged = toPaged(found, page, (row) => row['author.id']);
  return { ...paged, items: paged.items.map((row) => ({ ...toAuthor(row), marks: row.marks })) };
};
