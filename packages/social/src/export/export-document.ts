import type { Queryable } from '@linnet/db/statement/transaction';

import type { ViewContext } from '../view-context.ts';
import { exportBatchSize, exportEnd, exportStart, nextExportCursor } from './export-cursor.ts';
import type { ExportCursor } from './export-cursor.ts';
import { findExport } from './export-store.ts';
import type { ExportRow } from './export-store.ts';
import { toExport } from './export-view.ts';

type Part = ReturnType<typeof toExport>;

/** The kinds of records in the order of the document, with the JSON around each. */
const kinds = [
  { kind: 'posts', start: ',\n"posts":[', read: (part: Part) => part.posts, end: ']' },
  { kind: 'history', start: ',\n"history":[', read: (part: Part) => part.history, end: ']' },
  { kind: 'reposts', start: ',\n"reposts":[', read: (part: Part) => part.reposts, end: ']' },
  { kind: 'comments', start: ',\n"comments":[', read: (part: Part) => part.comments, end: ']' },
  { kind: 'likes', start: ',\n"likes":[', read: (part: Part) => part.likes, end: ']' },
  { kind: 'bookmarks', start: ',\n"bookmarks":[', read: (part: Part) => part.bookmarks, end: ']' },
  { kind: 'following', start: ',\n"follows":{"following":[', read: (part: Part) => part.follows.following, end: ']' },
  { kind: 'followers', start: ',\n"followers":[', read: (part: Part) => part.follows.followers, end: ']}' },
  { kind: 'blocks', start: ',\n"blocks":[', read: (part: Part) => part.blocks, end: ']' },
  { kind: 'mutes', start: ',\n"mutes":[', read: (part: Part) => part.mutes, end: ']' },
  {
    kind: 'notifications',
    start: ',\n"notifications":[',
    read: (part: Part) => part.notifications,
    end: ']',
  },
  { kind: 'reports', start: ',\n"reports":[', read: (part: Part) => part.reports, end: ']' },
  { kind: 'media', start: ',\n"media":[', read: (part: Part) => part.media, end: ']' },
] as const;

/**
 * Streams the export of an account as one JSON document, which says when it was written and what its members are; `POST /account/export` returns the same data in parts. A small
 * account takes one statement, a large one a further statement per 500 records of a kind. Memory holds one part at a
 * time. `undefined`: the account does not exist.
 * @throws Error, while streaming, when the account is deleted in between
 */
export async function writeExport(
  db: Queryable,
  accountId: number,
  context: ViewContext,
): Promise<AsyncIterable<string> | undefined> {
  const first = await findExport(db, accountId, exportStart);
  return first === undefined ? undefined : streamDocument({ db, accountId, context }, first);
}

interface ExportSource {
  readonly db: Queryable;
  readonly accountId: number;
  readonly context: ViewContext;
}

/** Reads the records of one kind after the first part. */
async function* readFurtherParts(
  { db, accountId, context }: ExportSource,
  first: ExportRow,
  kind: keyof ExportCursor,
): AsyncIterable<Part> {
  let cursor = nextExportCursor(first, exportStart);
  while (cursor !== undefined) {
    const onlyThisKind: ExportCursor = { ...exportEnd, [kind]: cursor[kind] };
    const row = await findExport(db, accountId, onlyThisKind);
    if (row === undefined) throw new Error('the account was deleted while it was exported');
    yield toExport(row, { maySeeEmail: true }, context);
    cursor = nextExportCursor(row, onlyThisKind);
  }
}

async function* streamDocument(source: ExportSource, first: ExportRow): AsyncIterable<string> {
  const part = toExport(first, { maySeeEmail: true }, source.context);
  const { baseUrl } = source.context;
  const head = {
    version: '2.0',
    exported_at: new Date().toISOString(),
    schema: `${baseUrl}/api/v2.0/openapi.json#/paths/~1account~1export/post/responses/200/content/application~1json/schema`,
  };
  yield `${JSON.stringify(head).slice(0, -1)},\n"profile":${JSON.stringify(part.profile)},\n"word_filters":${JSON.stringify(part.word_filters)},\n"notification_preferences":${JSON.stringify(part.notification_preferences)}`;
  for (const { kind, start, read, end } of kinds) {
    const records = read(part);
    yield start + records.map(toLine).join(',');
    // A kind that does not fill the first part is complete.
    if (records.length === exportBatchSize) {
      for await (const further of readFurtherParts(source, first, kind)) {
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
