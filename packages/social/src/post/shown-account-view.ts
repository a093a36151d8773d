import type { ShownAccount } from '@linnet/contract/objects';

import { toAuthor } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import type { Wire } from '../wire.ts';
import { toPostWithAuthor } from './post-view.ts';
import type { ShownAccountRow } from './shown-account-store.ts';

/** Builds the account object of `GET /users/show`. `email` is "" unless the caller may see it (decisions D9). */
export function toShownAccount(
  row: ShownAccountRow,
  { maySeeEmail }: { readonly maySeeEmail: boolean },
  wire: Wire,
): ShownAccount {
  const account = toAccount(toAuthor(row), wire);
  return {
    ...account,
    language: row.language,
    email: maySeeEmail ? row.email : '',
    created: toCreated(row.accountCreatedAt),
    created_at: row.accountCreatedAt.toISOString(),
    ...(row.id === null ? {} : { post: toPostWithAuthor(row, account, wire) }),
  };
}
