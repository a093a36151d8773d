import type { Queryable } from '@linnet/db/statement/transaction';
import { requireRow, statement } from '@linnet/db/statement/statement';

import type { ApplicationType } from '../application/application-type.ts';
import { replaceRedirectUris } from '../application/registration-store.ts';
import { givenSettings, isAnyNarrower, setGivenColumns, toColumns } from '../settings/protocol-settings.ts';
import type { DocumentedClient } from './read-document.ts';

/** How many documents are stored: strangers decide which ones. */
const lockStatement = statement<readonly [], never>(
  'metadata_document_lock',
  `SELECT 1 FROM pg_advisory_xact_lock(hashtextextended('metadata-document', 0))`,
);

/** One transaction at a time stores documents: two of them could insert the same client, or exceed the bound. */
export async function lockDocuments(tx: Queryable): Promise<void> {
  await tx.query(lockStatement, []);
}

const countStatement = statement<readonly [], { count: number }>(
  'metadata_document_count',
  'SELECT count(*) AS count FROM client_metadata_document',
);

export async function countDocuments(tx: Queryable): Promise<number> {
  return requireRow(await tx.query(countStatement, []), countStatement).count;
}

const evictStatement = statement<readonly [clientUrl: string, limit: number], never>(
  'metadata_document_evict',
  // The audit log names the service, not the application.
  `WITH job AS (SELECT set_config('linnet.job', 'on', true) AS value)
   DELETE FROM application WHERE client_id IN (
     SELECT d.client_id FROM job, client_metadata_document d JOIN application a ON a.client_id = d.client_id
      WHERE d.client_id <> $1 AND a.suspended_at IS NULL AND job.value = 'on'
        AND NOT EXISTS (SELECT 1 FROM "grant" g WHERE g.client_id = d.client_id AND g.revoked_at IS NULL)
      ORDER BY d.fetched_at LIMIT $2)`,
);

/** Deletes clients that nobody has authorized, those fetched longest ago first, but not the one with the URL. */
export async function evictClients(tx: Queryable, clientUrl: string, limit: number): Promise<void> {
  await tx.query(evictStatement, [clientUrl, limit]);
}

/** When the documents of clients were fetched. */

/** Hours for which a document that cannot be fetched again is still used. */
const maxAgeHours = 24;

/** What is known of a client. Times are seconds from now by the clock of the database; 0 or less: over. */
export interface DocumentState {
  readonly isSuspended: boolean;
  /** `ETag` of the response. */
  readonly etag: string | null;
  /** Until the document has to be fetched again. */
  readonly freshSeconds: number;
  /** Until the document must not be used, even if it cannot be fetched. */
  readonly usableSeconds: number;
}

const stateStatement = statement<readonly [clientUrl: string], DocumentState>(
  'metadata_document_state',
  `SELECT a.suspended_at IS NOT NULL AS "isSuspended", d.etag,
          COALESCE(EXTRACT(EPOCH FROM d.fresh_until - now()), 0)::float8 AS "freshSeconds",
          COALESCE(EXTRACT(EPOCH FROM d.fetched_at - now() + interval '${String(maxAgeHours)} hours'), 0)::float8 AS "usableSeconds"
     FROM application a LEFT JOIN client_metadata_document d ON d.client_id = a.client_id
    WHERE a.client_id = $1`,
);

/** Undefined if the client is unknown. */
export async function findDocumentState(db: Queryable, clientUrl: string): Promise<DocumentState | undefined> {
  const [row] = await db.query(stateStatement, [clientUrl]);
  return row;
}

/** When and how a document was received. */
export interface Receipt {
  readonly etag: string | undefined;
  /** How long it need not be fetched again. */
  readonly freshSeconds: number;
}

const receiptStatement = statement<
  readonly [clientUrl: string, sha256: Buffer, etag: string | null, freshSeconds: number],
  never
>(
  'metadata_document_receive',
  `INSERT INTO client_metadata_document (client_id, sha256, etag, fresh_until)
   VALUES ($1, $2, $3, now() + make_interval(secs => $4))
   ON CONFLICT (client_id) DO UPDATE
     SET sha256 = EXCLUDED.sha256, etag = EXCLUDED.etag, fetched_at = now(), fresh_until = EXCLUDED.fresh_until`,
);

export async function recordReceipt(
  tx: Queryable,
  clientUrl: string,
  { sha256, etag, freshSeconds }: Receipt & { readonly sha256: Buffer },
): Promise<void> {
  await tx.query(receiptStatement, [clientUrl, sha256, etag ?? null, freshSeconds]);
}

const confirmStatement = statement<readonly [clientUrl: string, freshSeconds: number], never>(
  'metadata_document_confirm',
  `UPDATE client_metadata_document SET fetched_at = now(), fresh_until = now() + make_interval(secs => $2)
    WHERE client_id = $1`,
);

/** The server of the document says that it has not changed. */
export async function confirmDocument(db: Queryable, clientUrl: string, freshSeconds: number): Promise<void> {
  await db.query(confirmStatement, [clientUrl, freshSeconds]);
}

/** The applications that documents describe. */
interface Known {
  readonly name: string;
  /** Null: no document was ever stored. */
  readonly sha256: Buffer | null;
}

const knownStatement = statement<readonly [clientUrl: string], Known>(
  'metadata_document_known',
  `SELECT a.name, d.sha256 FROM application a LEFT JOIN client_metadata_document d ON d.client_id = a.client_id
    WHERE a.client_id = $1`,
);

export async function findKnownClient(tx: Queryable, clientUrl: string): Promise<Known | undefined> {
  const [row] = await tx.query(knownStatement, [clientUrl]);
  return row;
}

type ReplaceParams = readonly [
  clientUrl: string,
  name: string,
  type: ApplicationType,
  scopes: readonly string[],
  protocol: string,
  jwksUri: string | null,
  jwks: string | null,
  optionalScopes: readonly string[],
];

const replaceStatement = statement<ReplaceParams, never>(
  'metadata_document_replace',
  // A change that allows less raises the epoch, which revokes earlier tokens.
  `UPDATE application SET name = $2, type = $3::application_type, scopes = $4, jwks_uri = $6, jwks = $7::jsonb,
          optional_scopes = $8, ${setGivenColumns},
          epoch = application.epoch + CASE
            WHEN NOT COALESCE(application.scopes, '{}') <@ $4::text[] OR ${isAnyNarrower} THEN 1 ELSE 0 END
     FROM ${givenSettings('$5')}
    WHERE application.client_id = $1`,
);

/** Replaces everything that the document says, except links. */
export async function replaceClient(
  tx: Queryable,
  clientUrl: string,
  { type, settings }: Pick<DocumentedClient, 'type' | 'settings'>,
): Promise<void> {
  const { name, scopes, optionalScopes, protocol, jwksUri, jwks, redirectUris } = settings;
  await tx.query(replaceStatement, [
    clientUrl,
    name,
    type,
    scopes,
    toColumns(protocol),
    jwksUri ?? null,
    jwks === undefined ? null : JSON.stringify(jwks),
    optionalScopes,
  ]);
  await replaceRedirectUris(tx, clientUrl, redirectUris);
}
