/** Recomputes the seals in the database. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

export interface CheckedSeal {
  readonly number: number;
  readonly toId: number;
  readonly afterId: number;
  readonly events: number;
  readonly found: number;
  readonly isSame: boolean;
  readonly isNext: boolean;
  readonly sha256: string;
}

const checkStatement = statement<readonly [after: number, limit: number], CheckedSeal>(
  'audit_seal_check',
  `SELECT s.number, s.to_id AS "toId", COALESCE(p.to_id, 0) AS "afterId", s.events, made.events AS found,
     made.sha256 = s.sha256 AS "isSame", s.number = 1 OR p.number IS NOT NULL AS "isNext", encode(s.sha256, 'hex') AS sha256
   FROM (SELECT * FROM audit_seal WHERE number > $1 ORDER BY number LIMIT $2) s
   LEFT JOIN audit_seal p ON p.number = s.number - 1
   CROSS JOIN LATERAL audit_seal_of(COALESCE(p.sha256, ''), COALESCE(p.to_id, 0), s.to_id) AS made
   ORDER BY s.number`,
);

const perPage = 20;

/** The seals after this number, in order. */
export async function* checkSeals(db: Queryable, after: number): AsyncGenerator<CheckedSeal> {
  let page: readonly CheckedSeal[] = [];
  do {
    page = await db.query(checkStatement, [page.at(-1)?.number ?? after, perPage]);
    yield* page;
  } while (page.length === perPage);
}

const unsealedStatement = statement<readonly [after: number], { readonly count: number }>(
  'audit_unsealed',
  'SELECT count(*) AS count FROM audit_event WHERE id > $1',
);

/** Counts the events after this id. */
export async function countEventsAfter(db: Queryable, id: number): Promise<number> {
  return requireRow(await db.query(unsealedStatement, [id]), unsealedStatement).count;
}
