import type { MutedAccount } from '@linnet/contract/objects';

import type { ListedAccountRow } from '../account/account-list-store.ts';
import { toMarkedAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import type { ViewContext } from '../view-context.ts';

/** Builds the account object of `GET /mutes`. */
export function toMutedAccount(row: ListedAccountRow, context: ViewContext): MutedAccount {
  const account = toMarkedAccount(row, context);
  if (row.endsAt === null) return account;
  return { ...account, mute: { ends: toCreated(row.endsAt), ends_at: row.endsAt.toISOString() } };
}
