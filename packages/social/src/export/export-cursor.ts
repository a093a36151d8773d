/** The maximum number of records of each kind in one part. */
export const exportBatchSize = 500;

/** The kinds of records that an export has, in the order of their positions in a cursor: new ones come last. */
export const exportKinds = [
  ...(['posts', 'reposts', 'comments', 'likes', 'following', 'followers', 'media'] as const),
  ...(['bookmarks', 'blocks', 'mutes', 'notifications', 'reports', 'history', 'drafts'] as const),
] as const;

type ExportKind = (typeof exportKinds)[number];

/** Where a part starts: after these ids, which are the last ones of each kind in the part before. */
export type ExportCursor = Readonly<Record<ExportKind, number>>;

/** The cursor of the first part. */
export const exportStart = createCursor(() => 0);

/** A cursor after all records: every id is smaller. */
export const exportEnd = createCursor(() => Number.MAX_SAFE_INTEGER);

/** The kinds that hold posts, or show which posts exist: an export needs the scope `posts:read` for them. */
export const postKinds = [
  'posts',
  'reposts',
  'comments',
  'likes',
  'bookmarks',
  'media',
  'notifications',
  'history',
  'drafts',
] as const satisfies ExportKind[];

const kindsOfPosts: ReadonlySet<ExportKind> = new Set(postKinds);

/** Returns `cursor` with the positions that `positions` has for `postKinds`. */
export function movePostKinds(cursor: ExportCursor, positions: ExportCursor): ExportCursor {
  return createCursor((kind) => (kindsOfPosts.has(kind) ? positions : cursor)[kind]);
}

/** Returns the cursor with these positions. `place`: of the kind in `exportKinds`. */
export function createCursor(positionOf: (kind: ExportKind, place: number) => number): ExportCursor {
  const entries = exportKinds.map((kind, place) => [kind, positionOf(kind, place)] as const);
  return Object.fromEntries(entries) as ExportCursor; // an entry for each kind
}

type Records = readonly { readonly id: number }[];

/** Returns the cursor of the part after `part`, which was read from `cursor`. `undefined`: `part` was the last one. */
export function nextExportCursor(
  part: Readonly<Record<ExportKind, Records>>,
  cursor: ExportCursor,
): ExportCursor | undefined {
  const isLast = exportKinds.every((kind) => part[kind].length < exportBatchSize);
  return isLast ? undefined : createCursor((kind) => part[kind].at(-1)?.id ?? cursor[kind]);
}
