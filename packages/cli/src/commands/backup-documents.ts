import type { BackupSummary } from '@linnet/backup/backup';
import type { BackupContents } from '@linnet/backup/restore';

import { toList } from '../output.ts';

/** For `--json` of `backup --to`. */
export function toDocument({ sha256, bytes, created, rows, media, secretKeys }: BackupSummary) {
  return { sha256, bytes, created, rows: totalOf(rows), media, secret_keys: secretKeys };
}

/** The same for people. */
export function toText(file: string, { sha256, bytes, rows, media }: BackupSummary): string {
  return toList([
    ['backup', file],
    ['SHA-256', sha256],
    ['size', `${String(bytes)} bytes`],
    ['rows', String(totalOf(rows))],
    ['media', toMediaText(media)],
  ]);
}

function totalOf(rows: Readonly<Record<string, number>>): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}

function toMediaText({ files, bytes, missing }: BackupSummary['media']): string {
  const text = `${String(files)} files, ${String(bytes)} bytes`;
  return missing === 0 ? text : `${text}; files of ${String(missing)} records were missing`;
}

/** For `--json` of `backup --verify` and `restore`. */
export function toContentsDocument(file: string, { header, trailer }: BackupContents) {
  const { created, service, secretKeys, database } = header;
  return {
    ...{ ok: true, file, created, service },
    postgres: database.version,
    migrations: database.migrations.length,
    rows: totalOf(trailer.rows),
    media: trailer.media,
    secret_keys: secretKeys,
  };
}

/** The same for people. */
export function toContentsText({ header, trailer }: BackupContents): string {
  return toList([
    ['created', header.created],
    ['service', header.service],
    ['rows', String(totalOf(trailer.rows))],
    ['media', toMediaText(trailer.media)],
    ['SECRET_KEYS', header.secretKeys.join(', ')],
  ]);
}
