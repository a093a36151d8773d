import type { Queryable } from '@linnet/db/statement/transaction';
import { statement } from '@linnet/db/statement/statement';

import { toEntities } from '../post/linked-text.ts';
import type { MentionSpans } from '../post/linked-text.ts';
import { toWritten } from '../post/post-view.ts';
import type { PostColumns } from '../post/post-view.ts';
import type { ViewContext } from '../view-context.ts';
import type { ListedPostRow } from './listed-post-row.ts';

/** Remembers values within a bound in bytes. Those that were added first are dropped first. */
interface BoundedMemory<Key, Value> {
  readonly get: (key: Key) => Value | undefined;
  /** `bytes`: about how much memory the value takes, without the entry itself. */
  readonly add: (key: Key, value: Value, bytes: number) => void;
}

/** Memory of an entry and the headers of its strings, roughly. */
const bytesPerEntry = 200;

export function createBoundedMemory<Key, Value>(maxBytes: number): BoundedMemory<Key, Value> {
  const entries = new Map<Key, { readonly value: Value; readonly bytes: number }>();
  let total = 0;
  return {
    get: (key) => entries.get(key)?.value,
    add: (key, value, bytes) => {
      if (entries.has(key)) return;
      entries.set(key, { value, bytes: bytes + bytesPerEntry });
      total += bytes + bytesPerEntry;
      for (const [oldest, dropped] of entries) {
        if (total <= maxBytes) break;
        entries.delete(oldest);
        total -= dropped.bytes;
      }
    },
  };
}

/** The parts of a post that are the same as long as its text is, as JSON text without the outer braces. */
export interface PostParts {
  readonly authorId: number;
  /** From `id` to `link`. */
  readonly written: string;
  /** `hashtags` and `urls`. */
  readonly entities: string;
  /** The mentioned accounts in order of appearance, whether or not anybody may see them. */
  readonly mentions: readonly MentionSpans[];
}

type Version = Pick<ListedPostRow, 'id' | 'versionId'>;

/**
 * Remembers the parts of posts by the id of their text, which never changes: an edit gives the post another one. The list's statement reads
 * that id with each post, so an edit is seen by the next read of every process. It also decides whether a viewer may see a post.
 */
export interface PostPartsMemory {
  /** The parts of these versions by `versionId`, without those of posts that were deleted in the meantime. */
  find(db: Queryable, versions: readonly Version[]): Promise<ReadonlyMap<number, PostParts>>;
}

interface VersionRow extends Pick<
  PostColumns,
  'id' | 'text' | 'hashtags' | 'urls' | 'mentionSpans' | 'createdAt' | 'imported'
> {
  readonly versionId: number;
  readonly authorId: number;
}

// A post that was edited after the list was read has its text of then in the history, so the page is what it was at one moment.
const selectStatement = statement<readonly [ids: readonly number[], versionIds: readonly number[]], VersionRow>(
  'post_parts',
  `SELECT p.id, wanted.version_id AS "versionId", p.author_id AS "authorId", p.created_at AS "createdAt", p.imported, version.*
   FROM unnest($1::bigint[], $2::bigint[]) wanted(id, version_id) JOIN post p ON p.id = wanted.id
   CROSS JOIN LATERAL (
     SELECT p.text, p.hashtags, p.urls, p.mention_spans AS "mentionSpans" WHERE wanted.version_id = COALESCE(p.version_id, p.id)
     UNION ALL SELECT text, hashtags, urls, mention_spans FROM post_version
     WHERE wanted.version_id <> COALESCE(p.version_id, p.id) AND post_id = wanted.id AND id = wanted.version_id
   ) version`,
);

const none: readonly MentionSpans[] = [];
/** Memory of the places of a mentioned account, roughly. */
const bytesPerMention = 100;

/** `maxBytes`: about how much memory the parts may take. */
export function createPostPartsMemory(context: ViewContext, maxBytes: number): PostPartsMemory {
  const remembered = createBoundedMemory<number, PostParts>(maxBytes);
  const toParts = ({ versionId, ...row }: VersionRow): PostParts => ({
    authorId: row.authorId,
    written: JSON.stringify(toWritten({ ...row, versionId: versionId === row.id ? null : versionId }, context)).slice(
      1,
      -1,
    ),
    entities: JSON.stringify(toEntities(row)).slice(1, -1),
    mentions: row.mentionSpans ?? none,
  });

  return {
    find: async (db, versions) => {
      const found = new Map<number, PostParts>();
      const unknown = new Map<number, number>();
      for (const { id, versionId } of versions) {
        const parts = remembered.get(versionId);
        if (parts === undefined) unknown.set(versionId, id);
        else found.set(versionId, parts);
      }
      if (unknown.size === 0) return found;
      for (const row of await db.query(selectStatement, [[...unknown.values()], [...unknown.keys()]])) {
        const parts = toParts(row);
        const { written, entities, mentions } = parts;
        // Two bytes per character, for text outside of Latin-1.
        remembered.add(
          row.versionId,
          parts,
          2 * (written.length + entities.length) + bytesPerMention * mentions.length,
        );
        found.set(row.versionId, parts);
      }
      return found;
    },
  };
}
