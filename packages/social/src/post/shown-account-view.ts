import type { ShownAccount } from '@linnet/contract/objects';

import { toAuthor } from '../account/account-row.ts';
import { toAccount } from '../account/account-view.ts';
import { toAccountViewer } from '../account/viewer-marks.ts';
import { toCreated } from '../created.ts';
import type { ViewContext } from '../view-context.ts';
import { toPostWithAuthor } from './post-view.ts';
import type { ShownAccountRow } from './shown-account-store.ts';

/** What the reader of an account may see of it. */
interface Sight {
  /** The reader is the account itself. */
  readonly isOwn: boolean;
  readonly maySeeEmail: boolean;
}

/** Builds the account object of `GET /users/show`. `email` is "" unless the caller may see it (decisions D9). */
export function toShownAccount(
  row: ShownAccountRow,
  { isOwn, maySeeEmail }: Sight,
  context: ViewContext,
): ShownAccount {
  const account = toAccount(toAuthor(row), context);
  return {
    ...account,
    ...toAccountViewer(row.accountMarks),
    language: row.language,
    email: maySeeEmail ? row.email : '',
    created: toCreated(row.accountCreatedAt),
    created_at: row.accountCreatedAt.toISOString(),
    ...(isOwn ? { protected: row.protected ? 1 : 0 } : {}),
    ...(row.id === null ? {} : { post: toPostWithAuthor(row, account, context) }),
  };
}
