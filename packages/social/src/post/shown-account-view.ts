import type { ShownAccount } from '@linnet/contract/objects';

import { toAuthor } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import type { ViewContext } from '../view-context.ts';
import { toPostWithAuthor } from './post-view.ts';
import type { ShownAccountRow } from './shown-account-store.ts';

/** Builds the account object of `GET /users/show`. `email` is "" unless the caller may see it (decisions D9). */
export function toShownAccount(
  row: ShownAccountRow,
  { maySeeEmail }: { readonly maySeeEmail: boolean },
  context: ViewContext,
): ShownAccount {
  const account = toAccount(toAuthor(row), context);
  return {
    ...account,
    language: row.language,
    email: maySeeEmail ? row.email : '',
    created: toCreated(row.accountCreatedAt),
    created_at: row.accountCreatedAt.toISOString(),
    ...(row.id === null ? {} : { post: toPostWithAuthor(row, account, context) }),
  };
}
