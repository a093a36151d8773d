import { pruneAudit } from '@linnet/audit/prune';
import type { Command } from 'commander';

import { withDatabase } from '../operating-database.ts';
import { toList } from '../output.ts';
import { loadArchiveKeys, toArchiveError } from './audit-archive.ts';
import { addCommand } from './add-command.ts';
import { invoke } from './command.ts';

/** `linnet audit prune` */
export function addAuditPrune(audit: Command): void {
  addCommand(audit, {
    usage: 'prune',
    summary: 'delete the events that an archive file of "audit archive --keep" contains',
  })
    .requiredOption('--archive <file>', 'the archive file, or a copy of it; it is read and verified first')
    .action(prune);
}

async function prune({ archive: file, json }: { readonly archive: string; readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(json);
  const { number, events, firstSeal, seal, sealSha256, archiveSha256 } = await withDatabase(config, async (db) => {
    try {
      return await pruneAudit(db, { file, keys: await loadArchiveKeys(config) });
    } catch (error) {
      throw toArchiveError(error, file);
    }
  });
  output.result(
    { file, sha256: archiveSha256, checkpoint: number, events, seals: seal - firstSeal + 1, head: sealSha256 },
    toList([
      ['archive', file],
      ['SHA-256', archiveSha256 ?? ''],
      ['events deleted', String(events)],
      ['seals', `${String(firstSeal)} to ${String(seal)}`],
    ]),
  );
}
