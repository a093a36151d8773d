/** The maximum number of records of each kind in one part. */
export const exportBatchSize = 500;

/** Where a part starts: after these ids, which are the last ones of each kind in the part before. */
export interface ExportCursor {
  readonly posts: number;
  readonly reposts: number;
  readonly comments: number;
  readonly likes: number;
  readonly following: number;
  readonly followers: number;
  readonly media: number;
  readonly bookmarks: number;
  readonly blocks: number;
  readonly mutes: number;
  readonly notifications: number;
  readonly reports: number;
}

/** The cursor of the first part. */
export const exportStart = createCursor(0);

/** A cursor after all records: every id is smaller. */
export const exportEnd = createCursor(Number.MAX_SAFE_INTEGER);

/** The kinds that hold posts, or show which posts exist: an export needs the scope `posts:read` for them. */
export const postKinds = [
  'posts',
  'reposts',
  'comments',
  'likes',
  'bookmarks',
  'media',
  'notifications',
] as const satisfies (keyof ExportCursor)[];

/** Returns `cursor` with the positions that `positions` has for `postKinds`. */
export function movePostKinds(cursor: ExportCursor, positions: ExportCursor): ExportCursor {
  const { posts, reposts, comments, likes, bookmarks, media, notifications } = positions;
  return { ...cursor, posts, reposts, comments, likes, bookmarks, media, notifications };
}

function createCursor(id: number): ExportCursor {
  const posts = { posts: id, reposts: id, comments: id, likes: id, media: id, bookmarks: id, notifications: id };
  return { ...posts, following: id, followers: id, blocks: id, mutes: id, reports: id };
}

type Records = readonly { readonly id: number }[];

/** Returns the cursor of the part after `part`, which was read from `cursor`. `undefined`: `part` was the last one. */
export function nextExportCursor(
  part: Readonly<Record<keyof ExportCursor, Records>>,
  cursor: ExportCursor,
): ExportCursor | undefined {
  const kinds = Object.keys(cursor) as (keyof ExportCursor)[]; // a cursor has no other members
  const isLast = kinds.every((kind) => part[kind].length < exportBatchSize);
  if (isLast) return undefined;
  return {
    posts: lastId(part.posts, cursor.posts),
    reposts: lastId(part.reposts, cursor.reposts),
    comments: lastId(part.comments, cursor.comments),
    likes: lastId(part.likes, cursor.likes),
    following: lastId(part.following, cursor.following),
    followers: lastId(part.followers, cursor.followers),
    media: lastId(part.media, cursor.media),
    bookmarks: lastId(part.bookmarks, cursor.bookmarks),
    blocks: lastId(part.blocks, cursor.blocks),
    mutes: lastId(part.mutes, cursor.mutes),
    notifications: lastId(part.notifications, cursor.notifications),
    reports: lastId(part.reports, cursor.reports),
  };
}

function lastId(records: Records, idBefore: number): number {
  return records.at(-1)?.id ?? idBefore;
}
