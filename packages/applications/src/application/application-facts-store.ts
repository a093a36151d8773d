/** What helps people to judge an application: verification, age, and how many people use it. */

import type { Queryable } from '@linnet/db/statement/transaction';
import { lookup, statement } from '@linnet/db/statement/statement';

import { isActiveGrant } from '../grants/active-grant.ts';
import type { ApplicationType } from './application-type.ts';

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

/** Finding applications, for operators. */
export interface FoundApplication {
  readonly clientId: string;
  readonly name: string;
  readonly type: ApplicationType;
  /** Username; null if it registered itself. */
  readonly owner: string | null;
  readonly createdAt: Date;
  readonly isSuspended: boolean;
  readonly isPaused: boolean;
  readonly isVerified: boolean;
}

interface ApplicationSearch {
  /** The start of a client id or of its owner's username, or a part of the name, whatever the case. Empty: every application. */
  readonly text: string;
  /** A client id: only applications that were registered earlier. */
  readonly before: string | undefined;
  readonly limit: number;
}

const foundColumns = `p.client_id AS "clientId", p.name, p.type, o.username AS owner, p.created_at AS "createdAt",
          p.suspended_at IS NOT NULL AS "isSuspended", p.paused_at IS NOT NULL AS "isPaused", p.verified_at IS NOT NULL AS "isVerified"
     FROM application p LEFT JOIN account o ON o.id = p.owner_id`;

const searchStatement = statement<readonly [text: string, before: string | null, limit: number], FoundApplication>(
  'application_search',
  `SELECT ${foundColumns}
    WHERE ($2::text IS NULL OR (p.created_at, p.client_id) <
            (SELECT b.created_at, b.client_id FROM application b WHERE b.client_id = $2))
      AND ($1 = '' OR starts_with(lower(p.client_id), $1) OR starts_with(o.username_ci, $1)
           OR position($1 IN lower(p.name)) > 0)
    ORDER BY p.created_at DESC, p.client_id DESC LIMIT $3`,
);

/** Newest first. */
export async function searchApplications(
  db: Queryable,
  { text, before, limit }: ApplicationSearch,
): Promise<readonly FoundApplication[]> {
  return await db.query(searchStatement, [text.trim().toLowerCase(), before ?? null, limit]);
}

const chosenStatement = statement<readonly [clientIds: readonly string[]], FoundApplication>(
  'application_chosen',
  `SELECT ${foundColumns} WHERE p.client_id = ANY($1::text[]) ORDER BY p.created_at DESC, p.client_id DESC`,
);

/** Those of these ids that there are, newest first. */
export async function findChosenApplications(
  db: Queryable,
  clientIds: readonly string[],
): Promise<readonly FoundApplication[]> {
  return await db.query(chosenStatement, [clientIds]);
}
