/**
 * Codes, refresh tokens and interactions. Every rule of the form "exactly once" is a single conditional statement, so
 * that PostgreSQL decides between concurrent requests. Statements of several calls lock artifacts by kind and id.
 */

import { isActiveGrant } from '@linnet/applications/grants/active-grant';
import type { Db } from '@linnet/db/database';
import type { Queryable } from '@linnet/db/statement/transaction';
import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';
import { sweepTokenStatus } from '@linnet/revocations/token-status-store';
import { batchNumber, batchedWrite, lookup, statement } from '@linnet/db/statement/statement';

import { isActiveChain, parseChain } from './chain-store.ts';

/** How long a repeated code or refresh token returns the same successor, so that parallel requests do not replace each other's. */
export const sameSeconds = 10;

export interface NewArtifact {
  readonly kind: string;
  readonly idSha256: Buffer;
  /** Without `jti`. */
  readonly payload: object;
  /** Of the provider, with the chain. */
  readonly grantId: string | undefined;
  readonly expiresAt: Date;
}

export interface FoundArtifact {
  readonly payload: Readonly<Record<string, unknown>>;
  /** For good. A code or refresh token can be repeated until its successor was used. */
  readonly isConsumed: boolean;
  /** Seconds since the use that is repeated; 0 if there was none. */
  readonly repeatedSeconds: number;
}

type Key = readonly [kind: string, idSha256: Buffer];

const insertStatement = batchedWrite<
  readonly [
    kind: string,
    idSha256: Buffer,
    payload: string,
    grantId: string | null,
    chainId: string | null,
    expiresAt: Date,
  ],
  { inserted: number }
>('oauth_artifact_insert', {
  text: `INSERT INTO oauth_artifact (kind, id_sha256, payload, grant_id, chain_id, expires_at)
   SELECT $1::varchar, $2::bytea, $3::jsonb, $4::varchar, $5::varchar, $6::timestamptz
    WHERE $4::varchar IS NULL OR EXISTS (SELECT 1 FROM "grant" g WHERE g.id = $4::varchar AND ${isActiveGrant('g')})
   ON CONFLICT DO NOTHING
   RETURNING 1 AS inserted`,
  columns: [
    'kind varchar',
    'id_sha256 bytea',
    'payload jsonb',
    'grant_id varchar',
    'chain_id varchar',
    'expires_at timestamptz',
  ],
  batchText: `inserted AS (
     INSERT INTO oauth_artifact (kind, id_sha256, payload, grant_id, chain_id, expires_at)
     SELECT kind, id_sha256, payload, grant_id, chain_id, expires_at FROM batch
      WHERE grant_id IS NULL OR EXISTS (SELECT 1 FROM "grant" g WHERE g.id = grant_id AND ${isActiveGrant('g')})
      ORDER BY kind, id_sha256, number
     ON CONFLICT DO NOTHING RETURNING kind, id_sha256
   )
   SELECT min(number) AS "${batchNumber}", 1 AS inserted FROM batch JOIN inserted USING (kind, id_sha256)
    GROUP BY kind, id_sha256`,
});

/** Returns false, and inserts nothing, if the grant is not active or the artifact exists. */
export async function insertArtifact(db: Queryable, artifact: NewArtifact): Promise<boolean> {
  const { kind, idSha256, payload, expiresAt } = artifact;
  const { grantId = null, chainId = null } = artifact.grantId === undefined ? {} : parseChain(artifact.grantId);
  const record = JSON.stringify(payload);
  const rows = await db.query(insertStatement, [kind, idSha256, record, grantId, chainId, expiresAt]);
  return rows.length > 0;
}

const replaceStatement = statement<readonly [kind: string, idSha256: Buffer, payload: string, expiresAt: Date], never>(
  'oauth_artifact_replace',
  `INSERT INTO oauth_artifact (kind, id_sha256, payload, expires_at) VALUES ($1, $2, $3::jsonb, $4)
   ON CONFLICT (kind, id_sha256) DO UPDATE SET payload = EXCLUDED.payload, expires_at = EXCLUDED.expires_at`,
);

/** Inserts or updates an artifact that changes, such as an interaction. */
export async function replaceArtifact(db: Queryable, artifact: Omit<NewArtifact, 'grantId'>): Promise<void> {
  const { kind, idSha256, payload, expiresAt } = artifact;
  await db.query(replaceStatement, [kind, idSha256, JSON.stringify(payload), expiresAt]);
}

/** SQL condition: the refresh token `s` was used. Those of strict applications are extended instead of consumed. */
const isUsed = `(s.consumed_at IS NOT NULL OR s.payload ? 'extended')`;

/** SQL: the refresh token `s` that followed from `a`. */
const isSuccessor = `s.kind = 'RefreshToken' AND s.id_sha256 = a.successor_sha256`;

const findStatement = lookup<
  Key,
  { payload: Readonly<Record<string, unknown>>; is_consumed: boolean; repeated_seconds: number | null }
>(
  'oauth_artifact_find',
  ['text', 'bytea'],
  // An artifact expires with its grant at the latest; the grant's expiry may have changed since the insert. A refresh token whose
  // successor is unused expires with that.
  `SELECT CASE WHEN g.ends_at IS NULL AND s.kind IS NULL THEN a.payload ELSE a.payload || jsonb_build_object(
            'exp', LEAST((CASE a.kind WHEN s.kind THEN s.payload ELSE a.payload END ->> 'exp')::bigint,
                         floor(EXTRACT(EPOCH FROM g.ends_at))::bigint)) END AS payload,
          a.consumed_at IS NOT NULL AND (a.successor_sha256 IS NULL OR COALESCE(${isUsed}, false)) AS is_consumed,
          EXTRACT(EPOCH FROM now() - a.consumed_at)::float8 AS repeated_seconds
     FROM oauth_artifact a LEFT JOIN "grant" g ON g.id = a.grant_id LEFT JOIN oauth_artifact s ON ${isSuccessor}
    WHERE a.kind = $1 AND a.id_sha256 = $2 AND (a.grant_id IS NULL OR (g.id IS NOT NULL AND ${isActiveGrant('g')}))
      AND ${isActiveChain('a.chain_id')}`,
);

/** Finds an artifact whose grant and chain are active. The provider checks its expiry. */
export async function findArtifact(db: Queryable, kind: string, idSha256: Buffer): Promise<FoundArtifact | undefined> {
  const [row] = await db.query(findStatement, [kind, idSha256]);
  if (row === undefined) return undefined;
  return { payload: row.payload, isConsumed: row.is_consumed, repeatedSeconds: row.repeated_seconds ?? 0 };
}

/** SQL: locks the artifacts of a batch, so that the statement that changes them waits for none. */
const lockBatch = `locked AS MATERIALIZED (
     SELECT a.kind, a.id_sha256 FROM oauth_artifact a JOIN (SELECT DISTINCT kind, id_sha256 FROM batch) AS wanted
       USING (kind, id_sha256) ORDER BY a.kind, a.id_sha256 FOR UPDATE OF a
   )`;

const consumeStatement = batchedWrite<Key, { consumed: number }>('oauth_artifact_consume', {
  text: `UPDATE oauth_artifact SET consumed_at = now()
    WHERE kind = $1 AND id_sha256 = $2 AND consumed_at IS NULL AND expires_at > now()
   RETURNING 1 AS consumed`,
  columns: ['kind varchar', 'id_sha256 bytea'],
  batchText: `${lockBatch}, consumed AS (
     UPDATE oauth_artifact a SET consumed_at = now() FROM locked
      WHERE a.kind = locked.kind AND a.id_sha256 = locked.id_sha256 AND a.consumed_at IS NULL AND a.expires_at > now()
     RETURNING a.kind, a.id_sha256
   )
   SELECT min(number) AS "${batchNumber}", 1 AS consumed FROM batch JOIN consumed USING (kind, id_sha256)
    GROUP BY kind, id_sha256`,
});

/** Consumes an artifact. Of several concurrent calls exactly one returns true. */
export async function consumeArtifact(db: Queryable, kind: string, idSha256: Buffer): Promise<boolean> {
  const rows = await db.query(consumeStatement, [kind, idSha256]);
  return rows.length > 0;
}

/** SQL: rotates an artifact `a` that is selected by `condition`. */
const rotate = (successor: string, condition: string) => `
      SET consumed_at = COALESCE(a.consumed_at, now()), successor_sha256 = COALESCE(a.successor_sha256, ${successor})
    ${condition} AND ((a.consumed_at IS NULL AND a.expires_at > now())
      OR (a.successor_sha256 IS NOT NULL AND a.consumed_at > now() - interval '${String(sameSeconds)} seconds'
          AND NOT EXISTS (SELECT 1 FROM oauth_artifact s WHERE ${isSuccessor} AND ${isUsed})))`;

interface RotatedRow {
  readonly successor_sha256: Buffer;
  readonly successor_salt: string | null;
}

const rotateStatement = batchedWrite<readonly [kind: string, idSha256: Buffer, successor: Buffer], RotatedRow>(
  'oauth_artifact_rotate',
  {
    text: `UPDATE oauth_artifact a ${rotate('$3::bytea', 'WHERE a.kind = $1 AND a.id_sha256 = $2')}
   RETURNING a.successor_sha256, a.successor_salt`,
    columns: ['kind varchar', 'id_sha256 bytea', 'successor bytea'],
    // Each call of a token that is in the batch twice returns the same successor, as a repetition does.
    batchText: `${lockBatch}, rotated AS (
     UPDATE oauth_artifact a ${rotate(
       'wanted.successor',
       `FROM locked JOIN batch AS wanted USING (kind, id_sha256)
    WHERE a.kind = locked.kind AND a.id_sha256 = locked.id_sha256`,
     )}
     RETURNING a.kind, a.id_sha256, a.successor_sha256, a.successor_salt
   )
   SELECT number AS "${batchNumber}", successor_sha256, successor_salt FROM batch JOIN rotated USING (kind, id_sha256)`,
  },
);

/** The refresh token that followed from a used code or refresh token. */
export interface Successor {
  readonly sha256: Buffer;
  /** What it derives from besides the used one, if it replaced another successor. */
  readonly salt: string | undefined;
}

/**
 * Consumes a code or refresh token. Returns its successor, which a repetition within ten seconds does not change. Undefined if it was
 * used earlier, or its successor was used.
 */
export async function rotateArtifact(
  db: Queryable,
  { kind, idSha256, successor }: { readonly kind: string; readonly idSha256: Buffer; readonly successor: Buffer },
): Promise<Successor | undefined> {
  const [row] = await db.query(rotateStatement, [kind, idSha256, successor]);
  if (row === undefined) return undefined;
  return { sha256: row.successor_sha256, salt: row.successor_salt ?? undefined };
}

const replaceSuccessorStatement = statement<
  readonly [idSha256: Buffer, successor: Buffer, salt: string, unusable: Buffer | null, withinSeconds: number],
  { replaced: number }
>(
  'oauth_artifact_replace_successor',
  // The row of the former successor decides between concurrent calls. It is written even if the request that should insert it never
  // did, so that it cannot do so later. Both rows are locked in the order of all statements first.
  `WITH a AS MATERIALIZED (
     SELECT a.* FROM oauth_artifact a LEFT JOIN oauth_artifact s ON ${isSuccessor}
      WHERE a.kind = 'RefreshToken' AND a.id_sha256 = $1 AND COALESCE(s.expires_at, a.expires_at) > now()
        AND NOT COALESCE(${isUsed}, false) AND a.consumed_at > now() - make_interval(secs => $5::float8)
        AND (a.successor_sha256 = $4 OR a.consumed_at <= now() - interval '${String(sameSeconds)} seconds')
   ), locked AS MATERIALIZED (
     SELECT l.id_sha256 FROM oauth_artifact l JOIN a ON l.id_sha256 IN (a.id_sha256, a.successor_sha256)
      WHERE l.kind = 'RefreshToken' ORDER BY l.id_sha256 FOR UPDATE OF l
   ), former AS (
     INSERT INTO oauth_artifact AS s (kind, id_sha256, payload, grant_id, chain_id, expires_at, consumed_at)
     SELECT a.kind, a.successor_sha256, a.payload, a.grant_id, a.chain_id, a.expires_at, now() FROM a
      WHERE (SELECT count(*) FROM locked) > 0
     ON CONFLICT (kind, id_sha256) DO UPDATE SET consumed_at = now() WHERE NOT ${isUsed}
     RETURNING s.id_sha256
   )
   UPDATE oauth_artifact SET consumed_at = now(), successor_sha256 = $2, successor_salt = $3
     FROM former WHERE kind = 'RefreshToken' AND oauth_artifact.id_sha256 = $1 AND successor_sha256 = former.id_sha256
   RETURNING 1 AS replaced`,
);

interface Replacement {
  readonly idSha256: Buffer;
  readonly successor: Buffer;
  readonly salt: string;
  /** The successor that is replaced at once, because the request cannot use it. */
  readonly unusable: Buffer | undefined;
  /** Since the first use, or since the last replacement. */
  readonly withinSeconds: number;
}

/**
 * Gives a used refresh token another successor, if the present one was not used; that counts as used from then on. False,
 * and changes nothing, if another request was first.
 */
export async function replaceSuccessor(
  db: Queryable,
  { idSha256, successor, salt, unusable, withinSeconds }: Replacement,
): Promise<boolean> {
  const values = [idSha256, successor, salt, unusable ?? null, withinSeconds] as const;
  const rows = await db.query(replaceSuccessorStatement, values);
  return rows.length > 0;
}

const extendStatement = statement<readonly [kind: string, idSha256: Buffer, expiresAt: number], { extended: number }>(
  'oauth_artifact_extend',
  `UPDATE oauth_artifact SET expires_at = to_timestamp($3), payload = payload || jsonb_build_object('exp', $3::bigint, 'extended', true)
    WHERE kind = $1 AND id_sha256 = $2 AND consumed_at IS NULL AND expires_at > now()
   RETURNING 1 AS extended`,
);

interface Extension {
  readonly kind: string;
  readonly idSha256: Buffer;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** Moves the expiry of an active artifact. False, and changes nothing, if it is consumed or has expired. */
export async function extendArtifact(db: Queryable, { kind, idSha256, expiresAt }: Extension): Promise<boolean> {
  const rows = await db.query(extendStatement, [kind, idSha256, expiresAt]);
  return rows.length > 0;
}

const deleteStatement = statement<Key, never>(
  'oauth_artifact_delete',
  'DELETE FROM oauth_artifact WHERE kind = $1 AND id_sha256 = $2',
);

export async function deleteArtifact(db: Queryable, kind: string, idSha256: Buffer): Promise<void> {
  await db.query(deleteStatement, [kind, idSha256]);
}

/**
 * Deletes expired rows. A used code or refresh token is kept until it expires, because its reuse must end its
 * chain; after that it is rejected like any unknown value. One that may be repeated is kept as long as its successor.
 */
const kept = retention.oauth_artifact;

/** What strangers can make the service store, and what is of no use once it has expired. */
const pending = `expires_at < now() - interval '${kept.pending}' AND (
  kind IN ('PushedAuthorizationRequest', 'DeviceCode', 'ReplayDetection', 'KeptForm')
  OR (kind = 'Interaction' AND expires_at < now() - interval '${kept.pendingInteraction}' AND NOT payload @> '{"signedIn": true}')
)`;

/** Deletes expired pushed requests, device codes, kept forms and interactions of strangers. */
export const sweepPending = createSweep('pending', {
  table: 'oauth_artifact',
  where: `${pending} ORDER BY expires_at`,
});

const sweeps = [
  createSweep('artifacts', {
    table: 'oauth_artifact',
    where: `expires_at < now() - interval '${kept.expired}' AND NOT EXISTS (
        SELECT 1 FROM oauth_artifact s
         WHERE s.kind = oauth_artifact.kind AND s.id_sha256 = oauth_artifact.successor_sha256 AND s.expires_at > now() AND NOT ${isUsed})
      ORDER BY expires_at`,
  }),
  createSweep('chains', {
    table: 'ended_chain',
    where: `ended_at < now() - interval '${retention.ended_chain.ended}' ORDER BY ended_at`,
  }),
  createSweep('sessions', {
    table: 'session',
    where: `expires_at < now() - interval '${retention.session.expired}' ORDER BY expires_at`,
  }),
  createSweep('grants', {
    table: '"grant"',
    where: `revoked_at < now() - interval '${retention.grant.revoked}' ORDER BY revoked_at`,
  }),
];

/** Deletes expired codes, tokens, interactions and sessions, and old revoked grants. */
export async function sweepExpired(db: Db, stopping: AbortSignal): Promise<void> {
  for (const sweep of [...sweeps, sweepTokenStatus]) await sweep(db, stopping);
}
