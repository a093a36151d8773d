import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import { createBoundedMemory } from '../bounded-memory.ts';
import type { ViewContext } from '../view-context.ts';
import { toEntities, toWritten } from './post-view.ts';
import type { PostColumns } from './post-row.ts';

/** The parts of a post that never change, as JSON text without the outer braces. */
export interface PostParts {
  readonly authorId: number;
  /** From `id` to `link`. */
  readonly written: string;
  /** `hashtags` and `urls`. */
  readonly entities: string;
  /** The mentioned accounts in order of appearance, whether or not anybody may see them. */
  readonly mentionIds: readonly number[];
}

/** Remembers the immutable parts of posts. Whether a viewer may see a post is decided before, by the list's statement. */
export interface PostPartsMemory {
  /** The parts of posts by id, without those of posts that were deleted in the meantime. */
  find(db: Queryable, ids: readonly number[]): Promise<ReadonlyMap<number, PostParts>>;
}

interface Immutable extends Pick<PostColumns, 'id' | 'text' | 'hashtags' | 'urls' | 'createdAt'> {
  readonly authorId: number;
  readonly mentionIds: readonly number[] | null;
}

const selectStatement = statement<readonly [ids: readonly number[]], Immutable>(
  'post_parts',
  `SELECT id, author_id AS "authorId", text, hashtags, urls, mention_ids AS "mentionIds", created_at AS "createdAt"
   FROM post WHERE id = ANY ($1::bigint[])`,
);

const none: readonly number[] = [];

/** `maxBytes`: about how much memory the parts may take. */
export function createPostPartsMemory(context: ViewContext, maxBytes: number): PostPartsMemory {
  const remembered = createBoundedMemory<number, PostParts>(maxBytes);
  const toParts = (row: Immutable): PostParts => ({
    authorId: row.authorId,
    written: JSON.stringify(toWritten(row, context)).slice(1, -1),
    entities: JSON.stringify(toEntities(row)).slice(1, -1),
    mentionIds: row.mentionIds ?? none,
  });

  return {
    find: async (db, ids) => {
      const found = new Map<number, PostParts>();
      const unknown = new Set<number>();
      for (const id of ids) {
        const parts = remembered.get(id);
        if (parts === undefined) unknown.add(id);
        else found.set(id, parts);
      }
      if (unknown.size === 0) return found;
      for (const row of await db.query(selectStatement, [[...unknown]])) {
        const parts = toParts(row);
        const { written, entities, mentionIds } = parts;
        // Two bytes per character, for text outside of Latin-1.
        remembered.add(row.id, parts, 2 * (written.length + entities.length) + 8 * mentionIds.length);
        found.set(row.id, parts);
      }
      return found;
    },
  };
}
