import type { Queryable } from '@linnet/db/database';
import { statement } from '@linnet/db/statement';

import type { ViewContext } from '../view-context.ts';
import { toEntities, toWritten } from './post-view.ts';
import type { PostColumns } from './post-row.ts';

/** The parts of a post object that never change, as JSON text without the outer braces. */
export interface PostParts {
  /** From `id` to `link`. */
  readonly written: string;
  /** `hashtags` and `urls`. */
  readonly entities: string;
}

/** Remembers the immutable parts of posts. Whether a viewer may see a post is decided before, by the list's statement. */
export interface PostPartsMemory {
  /** The parts of posts by id, without those of posts that were deleted in the meantime. */
  find(db: Queryable, ids: readonly number[]): Promise<ReadonlyMap<number, PostParts>>;
}

type Immutable = Pick<PostColumns, 'id' | 'text' | 'hashtags' | 'urls' | 'createdAt'>;

const selectStatement = statement<readonly [ids: readonly number[]], Immutable>(
  'post_parts',
  'SELECT id, text, hashtags, urls, created_at AS "createdAt" FROM post WHERE id = ANY ($1::bigint[])',
);

/** Memory of the map's entry and the strings' headers, roughly. */
const bytesPerEntry = 200;

/** `maxBytes`: about how much memory the parts may take. The parts that were added first are dropped first. */
export function createPostPartsMemory(context: ViewContext, maxBytes: number): PostPartsMemory {
  const remembered = new Map<number, PostParts>();
  let bytes = 0;
  // Two bytes per character, for text outside of Latin-1.
  const sizeOf = ({ written, entities }: PostParts) => bytesPerEntry + 2 * (written.length + entities.length);
  function remember(id: number, parts: PostParts): void {
    const known = remembered.get(id);
    if (known !== undefined) return;
    remembered.set(id, parts);
    bytes += sizeOf(parts);
    for (const [oldest, dropped] of remembered) {
      if (bytes <= maxBytes) break;
      remembered.delete(oldest);
      bytes -= sizeOf(dropped);
    }
  }

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
        const parts = {
          written: JSON.stringify(toWritten(row, context)).slice(1, -1),
          entities: JSON.stringify(toEntities(row)).slice(1, -1),
        };
        remember(row.id, parts);
        found.set(row.id, parts);
      }
      return found;
    },
  };
}
