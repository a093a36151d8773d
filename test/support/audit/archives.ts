/** Archives in a temporary directory, by name. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import { archiveAudit } from '@linnet/audit/archive';
import type { ArchiveResult } from '@linnet/audit/archive';
import type { ArchiveKey } from '@linnet/audit/archive-format';
import { verifyAudit } from '@linnet/audit/verification';
import type { AuditVerification } from '@linnet/audit/verification';

export const key: ArchiveKey = { id: 'key-one', bytes: Buffer.alloc(32, 1) };
export const otherKey: ArchiveKey = { id: 'key-two', bytes: Buffer.alloc(32, 2) };

interface ArchiveOptions {
  /** Archives events older than this. */
  readonly minutes: number;
  readonly keep?: boolean;
  readonly keys?: readonly ArchiveKey[];
}

interface VerifyOptions {
  readonly expected?: string;
  readonly keys?: readonly ArchiveKey[];
}

export interface TestArchives extends AsyncDisposable {
  path(name: string): string;
  archive(db: Transactional, name: string, options: ArchiveOptions): Promise<ArchiveResult>;
  verify(db: Queryable, names?: readonly string[], options?: VerifyOptions): Promise<AuditVerification>;
  /** Copies an archive with other lines. */
  edit(name: string, to: string, change: (lines: readonly string[]) => readonly string[]): Promise<void>;
}

export async function createTestArchives(): Promise<TestArchives> {
  const directory = await mkdtemp(join(tmpdir(), 'linnet-archives-'));
  const path = (name: string) => join(directory, name);
  return {
    path,
    archive: async (db, name, { minutes, keep = false, keys = [key] }) => {
      const before = new Date(Date.now() - minutes * 60_000);
      const request = { file: path(name), before, service: 'https://linnet.example', keys, keepEvents: keep };
      return await archiveAudit(db, request);
    },
    verify: async (db, names, { expected, keys = [key] } = {}) =>
      await verifyAudit(db, { archives: names?.map(path), expected, loadKeys: () => Promise.resolve(keys) }),
    edit: async (name, to, change) => {
      const lines = gunzipSync(await readFile(path(name)))
        .toString()
        .split('\n');
      await writeFile(path(to), gzipSync(change(lines).join('\n')));
    },
    [Symbol.asyncDispose]: async () => await rm(directory, { recursive: true }),
  };
}
