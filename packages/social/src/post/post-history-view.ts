import type { PostVersion } from '@linnet/contract/post-version';
import { timeOfId } from '@linnet/db/text/id-time';

import { toAccount } from '../account/account-view.ts';
import { toCreated } from '../created.ts';
import type { ViewContext } from '../view-context.ts';
import type { PostVersionRow } from './post-history-store.ts';
import { toEntities } from './post-view.ts';

/** When the text with this id was written. */
export function writtenAt({ id, postId, postedAt }: { id: number; postId: number; postedAt: Date }): Date {
  return id === postId ? postedAt : timeOfId(id);
}

/** Builds the object of a text that a post has or had. */
export function toPostVersion(row: PostVersionRow, context: ViewContext): PostVersion {
  const { versionId } = row;
  const time = writtenAt({ ...row, id: versionId });
  return {
    objectType: 'version',
    kind: `${context.serviceName}#version`,
    id: versionId,
    text: row.text,
    created: toCreated(time),
    created_at: time.toISOString(),
    ...toEntities(row),
    user_definition: (row.mentions ?? []).map((mention) => toAccount(mention, context)),
  };
}
