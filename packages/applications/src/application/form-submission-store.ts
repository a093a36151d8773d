/** Remembers submitted forms, so that a form submitted twice, by reload or double click, acts once. */
import { hash } from 'node:crypto';

import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

/** One submission of a form. `submissionId` is a random hidden field of the form. */
export interface FormSubmission {
  readonly purpose: 'create-application' | 'add-secret' | 'comment';
  readonly ownerId: number;
  readonly submissionId: string;
}

/** Longer than a session, and with it a page that could be reloaded. */
const keptDays = 30;
const kind = 'FormMark';

const findStatement = statement<readonly [kind: string, idSha256: Buffer], { client_id: string }>(
  'form_submission_find',
  `SELECT payload ->> 'client_id' AS client_id FROM oauth_artifact WHERE kind = $1 AND id_sha256 = $2`,
);

/** The application that the form was processed for; undefined if it was not. */
export async function findSubmission(tx: Queryable, key: FormSubmission): Promise<string | undefined> {
  const [row] = await tx.query(findStatement, [kind, idOf(key)]);
  return row?.client_id;
}

const insertStatement = statement<readonly [kind: string, idSha256: Buffer, clientId: string, days: number], never>(
  'form_submission_insert',
  `INSERT INTO oauth_artifact (kind, id_sha256, payload, expires_at)
   VALUES ($1, $2, jsonb_build_object('client_id', $3::text), now() + $4 * interval '1 day')
   ON CONFLICT DO NOTHING`,
);

/** Call it in the transaction that processes the form, while holding the lock under which `findSubmission` was called. */
export async function recordSubmission(tx: Queryable, key: FormSubmission, clientId: string): Promise<void> {
  await tx.query(insertStatement, [kind, idOf(key), clientId, keptDays]);
}

const claimStatement = statement<readonly [kind: string, idSha256: Buffer, days: number], { readonly claimed: number }>(
  'form_submission_claim',
  `INSERT INTO oauth_artifact (kind, id_sha256, payload, expires_at)
   VALUES ($1, $2, '{}', now() + $3 * interval '1 day')
   ON CONFLICT DO NOTHING RETURNING 1 AS claimed`,
);

/**
 * Records a submission and returns true, or returns false if it was recorded before. It waits for a transaction that records it at
 * the moment.
 */
export async function claimSubmission(tx: Queryable, key: FormSubmission): Promise<boolean> {
  return (await tx.query(claimStatement, [kind, idOf(key), keptDays])).length > 0;
}

/** Contains the account, so that accounts cannot interfere with each other's submissions. */
function idOf({ purpose, ownerId, submissionId }: FormSubmission): Buffer {
  return hash('sha256', `${purpose} ${String(ownerId)} ${submissionId}`, 'buffer');
}
