import { exportAccount } from '@linnet/contract/routes/account';
import { z } from 'zod';

import {
  createCursor,
  exportEnd,
  exportKinds,
  exportStart,
  movePostKinds,
  nextExportCursor,
  postKinds,
} from '@linnet/social/export/export-cursor';
import type { ExportCursor } from '@linnet/social/export/export-cursor';
import { findExport, recordExport } from '@linnet/social/export/export-store';
import { toExport } from '@linnet/social/export/export-archive';
import type { ViewContext } from '@linnet/social/view-context';
import { accountGone, invalidParameters } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/**
 * POST /account/export. Responds in parts, so that the size of a response is bounded. The part without `posts:read`
 * starts after the last record of `postKinds`; its `next` keeps their positions, for a token that has the scope.
 */
export function createExportAccount(context: ViewContext): Endpoint {
  return endpoint(exportAccount, async ({ cursor }, caller, db) => {
    const requested = cursor === undefined ? exportStart : readCursor(cursor);
    const maySeePosts = caller.scopes.has('posts:read');
    const position = maySeePosts ? requested : movePostKinds(requested, exportEnd);
    const row = await findExport(db, caller.accountId, position);
    if (row === undefined) throw accountGone();
    // Before the response: no part leaves without a record.
    await recordExport(db, caller.accountId, caller.clientId);
    const next = nextExportCursor(row, position);
    return {
      ...toExport(
        { ...row, media: caller.scopes.has('posts') ? row.media : row.media.filter(isAttached) },
        { maySeeEmail: caller.scopes.has('email') },
        context,
      ),
      ...(!maySeePosts && { omitted: { members: [...postKinds], scope: 'posts:read' as const } }),
      ...(next !== undefined && { next: writeCursor(movePostKinds(next, maySeePosts ? next : requested)) }),
    };
  });
}

/** The others belong to drafts and proposals, whose pictures no reader sees before they are published. */
const isAttached = ({ postId }: { readonly postId: number | null }) => postId !== null;

const positions = z.array(z.int().min(0)).length(exportKinds.length);

function writeCursor(cursor: ExportCursor): string {
  return Buffer.from(JSON.stringify(exportKinds.map((kind) => cursor[kind]))).toString('base64url');
}

function readCursor(cursor: string): ExportCursor {
  const { data } = positions.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (data === undefined) {
    throw invalidParameters([
      { parameter: 'cursor', code: 'invalid', detail: 'must be a cursor from an earlier response' },
    ]);
  }
  return createCursor((_kind, place) => data[place] ?? 0);
}

function parseJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return undefined;
  }
}
