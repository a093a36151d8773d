import { exportAccount } from '@linnet/contract/routes/account';
import { z } from 'zod';

import { exportStart, nextExportCursor } from '@linnet/social/export/export-cursor';
import type { ExportCursor } from '@linnet/social/export/export-cursor';
import { findExport } from '@linnet/social/export/export-store';
import { toExport } from '@linnet/social/export/export-view';
import type { ViewContext } from '@linnet/social/view-context';
import { accountGone, invalidParameters } from '../../http/api-error.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../http/endpoint.ts';

/** POST /account/export. Responds in parts, so that the size of a response is bounded. */
export function createExportAccount(context: ViewContext): Endpoint {
  return endpoint(exportAccount, async ({ cursor }, caller, db) => {
    const position = cursor === undefined ? exportStart : readCursor(cursor);
    const row = await findExport(db, caller.accountId, position);
    if (row === undefined) throw accountGone();
    const next = nextExportCursor(row, position);
    const part = toExport(row, { maySeeEmail: caller.scopes.has('email') }, context);
    return next === undefined ? part : { ...part, next: writeCursor(next) };
  });
}

const id = z.int().min(0);
const positions = z.tuple([id, id, id, id, id, id, id]);

function writeCursor({ posts, reposts, comments, likes, following, followers, media }: ExportCursor): string {
  return Buffer.from(JSON.stringify([posts, reposts, comments, likes, following, followers, media])).toString(
    'base64url',
  );
}

function readCursor(cursor: string): ExportCursor {
  const parsed = positions.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!parsed.success) {
    throw invalidParameters([
      { parameter: 'cursor', code: 'invalid', detail: 'must be a cursor from an earlier response' },
    ]);
  }
  const [posts, reposts, comments, likes, following, followers, media] = parsed.data;
  return { posts, reposts, comments, likes, following, followers, media };
}

function parseJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return undefined;
  }
}
