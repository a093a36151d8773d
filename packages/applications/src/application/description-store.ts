/** What people see of an application besides its name: links and a logo. */

import { toNameKey } from '@linnet/accounts/names/skeleton';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { lockNames } from './application-name-store.ts';
import type { Links } from './links.ts';

interface Owned {
  readonly ownerId: number;
  readonly clientId: string;
}

type LinkParams = readonly [
  clientId: string,
  ownerId: number | null,
  website: string | null,
  terms: string | null,
  privacy: string | null,
];

const linksStatement = statement<LinkParams, { updated: number }>(
  'application_links',
  `UPDATE application SET website_uri = $3, terms_uri = $4, privacy_uri = $5
    WHERE client_id = $1 AND owner_id IS NOT DISTINCT FROM $2
   RETURNING 1 AS updated`,
);

/** `ownerId` is null for an application that registered itself. False if the account does not own the application. */
export async function updateLinks(
  db: Queryable,
  { ownerId, clientId }: { readonly ownerId: number | null; readonly clientId: string },
  links: Links,
): Promise<boolean> {
  const { website = null, terms = null, privacy = null } = links;
  return (await db.query(linksStatement, [clientId, ownerId, website, terms, privacy])).length > 0;
}

/** An image encoded by our decoder. */
export interface NewLogo {
  /** Random, with a file extension. */
  readonly name: string;
  readonly bytes: Buffer;
}

const logoStatement = statement<
  readonly [clientId: string, ownerId: number, name: string, bytes: Buffer],
  { saved: number }
>(
  'application_logo_save',
  `INSERT INTO application_logo (client_id, name, bytes)
   SELECT client_id, $3, $4 FROM application WHERE client_id = $1 AND owner_id = $2
   ON CONFLICT (client_id) DO UPDATE SET name = EXCLUDED.name, bytes = EXCLUDED.bytes
   RETURNING 1 AS saved`,
);

/** Replaces the logo. False if the account does not own the application. */
export async function saveLogo(
  db: Queryable,
  { ownerId, clientId }: Owned,
  { name, bytes }: NewLogo,
): Promise<boolean> {
  return (await db.query(logoStatement, [clientId, ownerId, name, bytes])).length > 0;
}

const removeStatement = statement<readonly [clientId: string, ownerId: number], never>(
  'application_logo_remove',
  `DELETE FROM application_logo WHERE client_id = (SELECT client_id FROM application WHERE client_id = $1 AND owner_id = $2)`,
);

export async function removeLogo(db: Queryable, { ownerId, clientId }: Owned): Promise<void> {
  await db.query(removeStatement, [clientId, ownerId]);
}

const findStatement = statement<readonly [name: string], { bytes: Buffer }>(
  'application_logo_find',
  'SELECT bytes FROM application_logo WHERE name = $1',
);

/** Undefined if there is no such logo. */
export async function findLogo(db: Queryable, name: string): Promise<Buffer | undefined> {
  const [row] = await db.query(findStatement, [name]);
  return row?.bytes;
}

/** Verification of applications by operators. Triggers end it when the name, logo, website or owner changes. */
interface Found {
  readonly found: number;
}

const nameStatement = statement<readonly [clientId: string], { name: string }>(
  'application_name',
  'SELECT name FROM application WHERE client_id = $1',
);

// Only under the name that the key belongs to.
const verifyStatement = statement<readonly [clientId: string, name: string, key: string | null], Found>(
  'application_verify',
  `UPDATE application SET verified_at = COALESCE(verified_at, now()), name_key = $3 WHERE client_id = $1 AND name = $2
   RETURNING 1 AS found`,
);

/** The name can change between the two statements. */
const maxAttempts = 5;

/** False if there is no such application. */
export async function verifyApplication(db: Transactional, clientId: string, attempt = 1): Promise<boolean> {
  const [found] = await db.query(nameStatement, [clientId]);
  if (found === undefined) return false;
  const key = toNameKey(found.name);
  const isVerified = await db.transaction(async (tx) => {
    await lockNames(tx, [key]);
    return (await tx.query(verifyStatement, [clientId, found.name, key === '' ? null : key])).length > 0;
  });
  return isVerified || (attempt < maxAttempts && (await verifyApplication(db, clientId, attempt + 1)));
}

const unverifyStatement = statement<readonly [clientId: string], Found>(
  'application_unverify',
  'UPDATE application SET verified_at = NULL, name_key = NULL WHERE client_id = $1 RETURNING 1 AS found',
);

/** False if there is no such application. */
export async function unverifyApplication(db: Queryable, clientId: string): Promise<boolean> {
  return (await db.query(unverifyStatement, [clientId])).length > 0;
}
