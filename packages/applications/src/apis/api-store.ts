/** APIs of developers, which accept access tokens of this service: the table `resource_server`. */
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { ApiScope, ApiTokenAlgorithm } from './api-scopes.ts';

export interface RegisteredApi {
  readonly id: number;
  /** Its audience: the value of `resource` and `aud`. */
  readonly identifier: string;
  readonly name: string;
  readonly ownerId: number;
  /** Username. */
  readonly owner: string;
  /** The application of its owner that may introspect tokens for it. */
  readonly clientId: string | undefined;
  readonly scopes: readonly ApiScope[];
  /** Signs the access tokens for it. */
  readonly accessTokenAlg: ApiTokenAlgorithm;
  /** Its own metadata names this service. */
  readonly isProven: boolean;
  readonly createdAt: Date;
  readonly epoch: number;
  /** Its owner is neither suspended nor deleted. No tokens are issued or active for other APIs. */
  readonly isActive: boolean;
}

interface Row extends Omit<RegisteredApi, 'scopes' | 'clientId'> {
  readonly clientId: string | null;
  readonly scopes: readonly string[];
  readonly descriptions: Readonly<Record<string, string>>;
}

// An application that moved to another owner no longer introspects.
const select = `SELECT r.id, r.identifier, r.name, r.owner_id AS "ownerId", o.username AS owner, a.client_id AS "clientId",
          r.scopes, r.scope_descriptions AS descriptions, r.access_token_alg AS "accessTokenAlg", r.is_proven AS "isProven", r.created_at AS "createdAt", r.epoch,
          o.hidden_at IS NULL AS "isActive"
     FROM resource_server r JOIN account o ON o.id = r.owner_id
     LEFT JOIN application a ON a.client_id = r.client_id AND a.owner_id = r.owner_id`;

function toApi({ scopes, descriptions, clientId, ...row }: Row): RegisteredApi {
  const described = scopes.map((scope) => ({ scope, description: descriptions[scope] ?? '' }));
  return { ...row, clientId: clientId ?? undefined, scopes: described };
}

const findStatement = statement<readonly [identifiers: readonly string[]], Row>(
  'api_find',
  `${select} WHERE r.identifier = ANY($1::text[]) ORDER BY r.id`,
);

/** Those of the identifiers that are registered. */
export async function findApis(db: Queryable, identifiers: readonly string[]): Promise<readonly RegisteredApi[]> {
  return identifiers.length === 0 ? [] : (await db.query(findStatement, [identifiers])).map(toApi);
}

const listStatement = statement<readonly [ownerId: number | null], Row>(
  'api_list',
  `${select} WHERE $1::bigint IS NULL OR r.owner_id = $1::bigint ORDER BY r.created_at, r.id`,
);

/** The APIs of one owner, or all; oldest first. */
export async function listApis(db: Queryable, ownerId: number | undefined): Promise<readonly RegisteredApi[]> {
  return (await db.query(listStatement, [ownerId ?? null])).map(toApi);
}

const findOwnStatement = statement<readonly [id: number, ownerId: number], Row>(
  'api_find_own',
  `${select} WHERE r.id = $1 AND r.owner_id = $2`,
);

/** Undefined if the account does not own it. */
export async function findOwnApi(db: Queryable, ownerId: number, id: number): Promise<RegisteredApi | undefined> {
  const [row] = await db.query(findOwnStatement, [id, ownerId]);
  return row === undefined ? undefined : toApi(row);
}
