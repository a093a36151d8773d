/** Marks of forms that were carried out: a form that is sent again, by reload or double click, does nothing more. */
import { hash } from 'node:crypto';

import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

/** What a form does once; the mark is random and stands in the form. */
export interface OnceKey {
  readonly purpose: 'create-application' | 'add-secret';
  readonly ownerId: number;
  readonly mark: string;
}

/** Longer than a browser keeps a session, and with it a page that could be loaded again. */
const keptDays = 30;
const kind = 'FormMark';

const findStatement = statement<readonly [kind: string, idSha256: Buffer], { client_id: string }>(
  'form_mark_find',
  `SELECT payload ->> 'client_id' AS client_id FROM oauth_artifact WHERE kind = $1 AND id_sha256 = $2`,
);

/** The application that the form was carried out for; undefined when it was not. */
export async function findEarlier(tx: Queryable, key: OnceKey): Promise<string | undefined> {
  const [row] = await tx.query(findStatement, [kind, idOf(key)]);
  return row?.client_id;
}

const insertStatement = statement<readonly [kind: string, idSha256: Buffer, clientId: string, days: number], never>(
  'form_mark_insert',
  `INSERT INTO oauth_artifact (kind, id_sha256, payload, expires_at)
   VALUES ($1, $2, jsonb_build_object('client_id', $3::text), now() + $4 * interval '1 day')
   ON CONFLICT DO NOTHING`,
);

/** Remembers, in the transaction that does it, that the form was carried out. Whoever looked first holds a lock. */
export async function markDone(tx: Queryable, key: OnceKey, clientId: string): Promise<void> {
  await tx.query(insertStatement, [kind, idOf(key), clientId, keptDays]);
}

/** The account is part of it: nobody's mark gets in the way of another's. */
function idOf({ purpose, ownerId, mark }: OnceKey): Buffer {
  return hash('sha256', `${purpose} ${String(ownerId)} ${mark}`, 'buffer');
}
