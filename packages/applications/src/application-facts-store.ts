/** What helps people to judge an application: verification, age, and how many people use it. */
import type { Queryable } from '@linnet/db/database';
import { lookup } from '@linnet/db/statement/statement';

import { isActiveGrant } from './grants/active-grant.ts';

/** Ascending. An exact number would reveal when somebody joins or leaves. */
const peopleBands = [0, 10, 100, 1000, 10_000] as const;

export interface ApplicationFacts {
  /** By an operator. */
  readonly isVerified: boolean;
  readonly createdAt: Date;
  /** Created in the last 7 days. */
  readonly isNew: boolean;
  /** At least as many people have an active consent, up to 10,000; 0: fewer than 10. */
  readonly minPeople: (typeof peopleBands)[number];
}

interface Row extends Omit<ApplicationFacts, 'minPeople'> {
  readonly people: number;
}

const factsStatement = lookup<readonly [clientId: string], Row>(
  'application_facts',
  ['text'],
  // Counts distinct entries of an index in their order, and stops at the last band.
  `SELECT a.verified_at IS NOT NULL AS "isVerified", a.created_at AS "createdAt",
          a.created_at > now() - interval '7 days' AS "isNew",
          (SELECT count(*) FROM (
             SELECT DISTINCT g.account_id FROM "grant" g
              WHERE g.client_id = a.client_id AND g.kind = 'consent' AND ${isActiveGrant('g')}
              LIMIT ${String(peopleBands.at(-1))}
           ) person) AS people
     FROM application a WHERE a.client_id = $1`,
);

/** Undefined if there is no such application. */
export async function findApplicationFacts(db: Queryable, clientId: string): Promise<ApplicationFacts | undefined> {
  const [row] = await db.query(factsStatement, [clientId]);
  if (row === undefined) return undefined;
  const { people, ...facts } = row;
  return { ...facts, minPeople: peopleBands.findLast((band) => band <= people) ?? 0 };
}
