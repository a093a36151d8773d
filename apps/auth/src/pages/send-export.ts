import { openExport } from '@linnet/social/export/export-archive';
import type { ExportSource } from '@linnet/social/export/export-archive';
import type Koa from 'koa';

/** Sends everything that is stored about the account as a file. False: the account was deleted in the meantime. */
export async function sendExport(ctx: Koa.Context, source: ExportSource, accountId: number): Promise<boolean> {
  const archive = await openExport(source, accountId);
  if (archive === undefined) return false;
  ctx.type = 'application/zip';
  ctx.attachment(archive.fileName);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = archive.content;
  return true;
}
