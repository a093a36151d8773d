import type { Quoters } from '@linnet/contract/commenters';
import type { Queryable } from '@linnet/db/statement/transaction';
import { toSearchVector } from '@linnet/db/text/search-words';
import { statement } from '@linnet/db/statement/statement';

import { imitatesDisplayName, isImitation } from './names/imitation-store.ts';
import { NameRefused, checkDisplayName } from './names/name-rules.ts';
import type { NameRules } from './names/name-rules.ts';
import { toNameKeys } from './names/skeleton.ts';
import { checkWords } from './registrations/block-store.ts';

/** A change of a profile. Absent fields keep their value. */
export interface ProfileChange {
  readonly accountId: number;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly country?: string | undefined;
  readonly language?: string | undefined;
  readonly isProtected?: boolean | undefined;
  /** Who may quote its posts. */
  readonly quoters?: Quoters | undefined;
  /** Id of a media file that the account owns. */
  readonly avatarMediaId?: number | undefined;
  /** True to remove the photo. */
  readonly removesAvatar?: boolean | undefined;
}

type Text = string | null;
type Params = readonly [
  accountId: number,
  displayName: Text,
  description: Text,
  country: Text,
  language: Text,
  isProtected: boolean | null,
  avatarMediaId: number | null,
  firstName: Text,
  lastName: Text,
  removesAvatar: boolean,
  displayNameKeys: readonly string[],
  displayNameWords: Text,
  firstNameWords: Text,
  lastNameWords: Text,
  quoters: Quoters | null,
];

/** The lock keeps the media from being deleted before the account refers to it. */
const ownMedia = 'SELECT name FROM media WHERE id = $7::bigint AND owner_id = $1 FOR KEY SHARE';

const updateStatement = statement<Params, { updated: number }>(
  'account_update',
  `WITH photo AS (${ownMedia}), changed AS (
     UPDATE account SET
       display_name = COALESCE($2::text, display_name),
       description = COALESCE($3, description),
       country = COALESCE($4, country),
       language = COALESCE($5, language),
       protected = COALESCE($6, protected),
       quoters = COALESCE($15::post_quoters, quoters),
       avatar = CASE WHEN $10 THEN NULL ELSE COALESCE((SELECT name FROM photo), avatar) END,
       first_name = COALESCE($8, first_name),
       last_name = COALESCE($9, last_name)
     WHERE id = $1 AND deleted_at IS NULL AND ($7::bigint IS NULL OR EXISTS (SELECT 1 FROM photo))
       AND ($2::text IS NULL OR NOT ${imitatesDisplayName('$2', '$11', '$1')})
     RETURNING id
   )
   SELECT 1 AS updated FROM changed, note_account_names(changed.id, $12::tsvector, $13::tsvector, $14::tsvector)`,
);

/**
 * Returns false if the account does not exist or does not own the media.
 * @throws NameRefused
 */
export async function updateProfile(db: Queryable, change: ProfileChange, rules: NameRules): Promise<boolean> {
  const { accountId, displayName, firstName, lastName } = change;
  if (displayName !== undefined) checkDisplayName(displayName, rules);
  if ([displayName, firstName, lastName].some((name) => name !== undefined)) await checkWords(db, accountId, change);
  const rows = await db.query(updateStatement, toParams(change, toNameKeys(displayName ?? '')));
  if (rows.length > 0) return true;
  if (displayName !== undefined && (await isImitation(db, accountId, displayName))) throw new NameRefused('imitates');
  return false;
}

function toParams(change: ProfileChange, displayNameKeys: readonly string[]): Params {
  return [
    change.accountId,
    change.displayName ?? null,
    change.description ?? null,
    change.country ?? null,
    change.language ?? null,
    change.isProtected ?? null,
    change.avatarMediaId ?? null,
    change.firstName ?? null,
    change.lastName ?? null,
    change.removesAvatar === true,
    displayNameKeys,
    toWords(change.displayName),
    toWords(change.firstName),
    toWords(change.lastName),
    change.quoters ?? null,
  ];
}

function toWords(name: string | undefined): Text {
  return name === undefined ? null : toSearchVector(name, false);
}
