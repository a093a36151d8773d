import type { ShownAccount } from '@linnet/contract/objects';

import { authorOf } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import type { Wire } from '../wire.ts';
import { toPostBy } from './post-view.ts';
import type { ShownAccountRow } from './shown-account-store.ts';

/** The account object of GET /users/show; `email` is "" for those who may not see it (decisions D9). */
export function toShownAccount(
  row: ShownAccountRow,
  { maySeeEmail }: { readonly maySeeEmail: boolean },
  wire: Wire,
): ShownAccount {
  const account = toAccount(authorOf(row), wire);
  return {
    ...account,
    language: row.language,
    email: maySeeEmail ? row.email : '',
    created: toCreated(row.accountCreatedAt),
    created_at: row.accountCreatedAt.toISOString(),
    ...(row.id === null ? {} : { post: toPostBy(row, account, wire) }),
  };
}
