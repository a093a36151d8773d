/** When the documents of clients were fetched. */
import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement/statement';

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
