import type { Queryable } from '@linnet/db/database';

import type { Wire } from '../wire.ts';
import { exportBatch, findExport, nextPlace } from './export-store.ts';
import type { ExportPlace, ExportRow } from './export-store.ts';
import { toExport } from './export-view.ts';

/** Where an export begins. */
export const exportBeginning: ExportPlace = {
  posts: 0,
  reposts: 0,
  comments: 0,
  likes: 0,
  following: 0,
  followers: 0,
  media: 0,
};

type Part = ReturnType<typeof toExport>;

/** Each kind in the order of the document: how to read it, and whether it is an array of its own. */
const kinds = [
  { start: ',\n"posts":[', read: (part: Part) => part.posts, place: 'posts', end: ']' },
  { start: ',\n"reposts":[', read: (part: Part) => part.reposts, place: 'reposts', end: ']' },
  { start: ',\n"comments":[', read: (part: Part) => part.comments, place: 'comments', end: ']' },
  { start: ',\n"likes":[', read: (part: Part) => part.likes, place: 'likes', end: ']' },
  { start: ',\n"follows":{"following":[', read: (part: Part) => part.follows.following, place: 'following', end: ']' },
  { start: ',\n"followers":[', read: (part: Part) => part.follows.followers, place: 'followers', end: ']}' },
  { start: ',\n"media":[', read: (part: Part) => part.media, place: 'media', end: ']' },
] as const;

/** Greater than every id: nothing more of a kind. */
const beyondIds = Number.MAX_SAFE_INTEGER;
const nothingMore: ExportPlace = {
  posts: beyondIds,
  reposts: beyondIds,
  comments: beyondIds,
  likes: beyondIds,
  following: beyondIds,
  followers: beyondIds,
  media: beyondIds,
};

/**
 * All that is kept of an account as one JSON document, a piece at a time: what `POST /account/export` gives in
 * parts. One statement for a small account; a further one for each 500 records of a kind, which alone are held in
 * memory. `undefined`: there is no such account.
 */
export async function writeExport(
  db: Queryable,
  accountId: number,
  wire: Wire,
): Promise<AsyncIterable<string> | undefined> {
  const first = await findExport(db, accountId, exportBeginning);
  return first === undefined ? undefined : pieces({ db, accountId, wire }, first);
}

interface Exported {
  readonly db: Queryable;
  readonly accountId: number;
  readonly wire: Wire;
}

/** What comes of one kind after the first part. */
async function* furtherParts(
  { db, accountId, wire }: Exported,
  first: ExportRow,
  kind: keyof ExportPlace,
): AsyncIterable<Part> {
  let place = nextPlace(first, exportBeginning);
  while (place !== undefined) {
    const only: ExportPlace = { ...nothingMore, [kind]: place[kind] };
    const row = await findExport(db, accountId, only);
    if (row === undefined) throw new Error('the account was deleted while it was exported');
    yield toExport(row, { maySeeEmail: true }, wire);
    place = nextPlace(row, only);
  }
}

async function* pieces(exported: Exported, first: ExportRow): AsyncIterable<string> {
  const part = toExport(first, { maySeeEmail: true }, exported.wire);
  yield `{"profile":${JSON.stringify(part.profile)}`;
  for (const { start, read, place, end } of kinds) {
    const records = read(part);
    yield start + records.map(toLine).join(',');
    // A kind of which the first part holds less than it may has no more.
    if (records.length === exportBatch) {
      for await (const further of furtherParts(exported, first, place)) {
        yield read(further)
          .map((record) => `,${toLine(record)}`)
          .join('');
      }
    }
    yield end;
  }
  yield '}\n';
}

function toLine(record: unknown): string {
  return `\n${JSON.stringify(record)}`;
}
