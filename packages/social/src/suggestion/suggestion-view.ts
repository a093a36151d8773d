import type { SuggestedAccount } from '@linnet/contract/suggested-account';

import { toMarkedAccount } from '../account/account-view.ts';
import type { ViewContext } from '../view-context.ts';
import type { SuggestedAccountRow } from './suggestion-store.ts';

/** Builds the account object with the reason for which it is suggested. */
export function toSuggestedAccount(row: SuggestedAccountRow, context: ViewContext): SuggestedAccount {
  const reason = row.followedBy > 0 ? 'followed' : 'popular';
  return { ...toMarkedAccount(row, context), suggestion: { reason, count: row.followedBy } };
}
