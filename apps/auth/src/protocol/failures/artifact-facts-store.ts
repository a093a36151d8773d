/** What the database knows about a code or refresh token that was refused. */
import type { FailureCause } from '@linnet/applications/failures/causes';
import type { FailureDetails, NewFailure } from '@linnet/applications/failures/failure';
import { isActiveGrant } from '@linnet/applications/grants/active-grant';
import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import type { ArtifactId } from '../../audit/events.ts';
import { withoutQueryValues } from './failure.ts';

/** A failure, and what it tried to use. */
export interface RefusedUse extends NewFailure {
  readonly artifact?: ArtifactId | undefined;
}

/** Times are in ISO 8601. */
interface ArtifactFacts {
  readonly clientId: string;
  readonly issuedAt: string | null;
  readonly expiresAt: string;
  readonly usedAt: string | null;
  /** When its grant or its chain ended, if it has. */
  readonly endedAt: string | null;
  readonly hasGrantEnded: boolean;
  readonly hasChallenge: boolean;
  readonly redirectUri: string | null;
}

type FactsRow = ArtifactFacts & ArtifactId;

const iso = (value: string) => `to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

const factsStatement = statement<readonly [ids: string], FactsRow>(
  'oauth_artifact_facts',
  `SELECT a.kind, encode(a.id_sha256, 'hex') AS sha256, COALESCE(a.payload ->> 'clientId', '') AS "clientId",
          ${iso(`to_timestamp((a.payload ->> 'iat')::bigint)`)} AS "issuedAt",
          ${iso('LEAST(a.expires_at, g.ends_at)')} AS "expiresAt", ${iso('a.consumed_at')} AS "usedAt",
          ${iso('LEAST(g.revoked_at, c.ended_at)')} AS "endedAt",
          c.id IS NOT NULL OR (g.id IS NOT NULL AND NOT (${isActiveGrant('g')})) AS "hasGrantEnded",
          a.payload ->> 'codeChallenge' IS NOT NULL AS "hasChallenge", a.payload ->> 'redirectUri' AS "redirectUri"
     FROM (SELECT DISTINCT kind, sha256 FROM jsonb_to_recordset($1::jsonb) AS id (kind text, sha256 text)) given
     JOIN oauth_artifact a ON a.kind = given.kind AND a.id_sha256 = decode(given.sha256, 'hex')
     LEFT JOIN "grant" g ON g.id = a.grant_id LEFT JOIN ended_chain c ON c.id = a.chain_id`,
);

/** Replaces the preliminary causes of refused codes and refresh tokens by what the database knows. */
export async function explainRefusedUses(db: Queryable, uses: readonly RefusedUse[]): Promise<readonly NewFailure[]> {
  const ids = uses.flatMap(({ artifact }) => (artifact === undefined ? [] : [artifact]));
  const rows = ids.length === 0 ? [] : await db.query(factsStatement, [JSON.stringify(ids)]);
  const found = new Map(rows.map((row) => [`${row.kind} ${row.sha256}`, row]));
  return uses.map(({ artifact, ...failure }) => {
    if (artifact === undefined) return failure;
    const facts = found.get(`${artifact.kind} ${artifact.sha256}`);
    return facts === undefined ? failure : explain(failure, facts);
  });
}

function explain(failure: NewFailure, facts: ArtifactFacts): NewFailure {
  const { cause, clientId, at } = failure;
  if (cause === 'redirect_uri_changed' && facts.clientId === clientId && facts.redirectUri !== null) {
    return { ...failure, registered: withoutQueryValues(facts.redirectUri) };
  }
  if (cause === 'verifier_wrong' && !facts.hasChallenge) return { ...failure, cause: 'verifier_unexpected' };
  const artifact = unknownArtifacts[cause ?? ''];
  if (artifact === undefined) return failure;
  const { outcome, details } = findOutcome(facts, clientId, at);
  return { ...failure, cause: causes[artifact][outcome], details };
}

const unknownArtifacts: Readonly<Record<string, keyof typeof causes>> = {
  code_unknown: 'code',
  refresh_token_unknown: 'refresh_token',
  device_code_unknown: 'device_code',
};

type Outcome = 'foreign' | 'used' | 'expired' | 'grant_ended' | 'rejected';

const causes = {
  code: {
    foreign: 'code_foreign',
    used: 'code_used',
    expired: 'code_expired',
    grant_ended: 'code_grant_ended',
    rejected: 'code_rejected',
  },
  refresh_token: {
    foreign: 'refresh_token_foreign',
    used: 'refresh_token_used',
    expired: 'refresh_token_expired',
    grant_ended: 'refresh_token_grant_ended',
    rejected: 'refresh_token_rejected',
  },
  device_code: {
    foreign: 'device_code_foreign',
    used: 'device_code_used',
    expired: 'device_code_expired',
    grant_ended: 'code_grant_ended',
    rejected: 'code_rejected',
  },
} as const satisfies Record<string, Record<Outcome, FailureCause>>;

/** Of another application's code, nothing else is said. */
function findOutcome(
  { clientId: holder, issuedAt, expiresAt, usedAt, endedAt, hasGrantEnded }: ArtifactFacts,
  clientId: string,
  at: Date,
): { readonly outcome: Outcome; readonly details: FailureDetails } {
  if (holder !== clientId) return { outcome: 'foreign', details: {} };
  const ended = endedAt === null ? {} : { endedAt };
  const issued = issuedAt === null ? {} : { issuedAt };
  if (usedAt !== null) return { outcome: 'used', details: { ...issued, usedAt, ...ended } };
  if (new Date(expiresAt) <= at) return { outcome: 'expired', details: { ...issued, expiresAt } };
  if (hasGrantEnded) return { outcome: 'grant_ended', details: ended };
  return { outcome: 'rejected', details: {} };
}
