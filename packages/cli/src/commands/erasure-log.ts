/** Whom the audit log says were erased: from `linnet audit tail --json`, or from an archive. */
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

import type { Erasure } from '@linnet/accounts/account-search-store';
import { z } from 'zod';

import { CommandError } from '../failure.ts';

const id = z.int().positive();
/** As `linnet audit` prints it. */
const printedEvent = z.object({ event: z.string(), at: z.iso.datetime(), account_id: id.nullable() });
/** As an archive contains it; its times are in UTC. */
const archivedEvent = z
  .tuple([id, z.iso.datetime({ local: true }), z.string(), z.string(), id.nullable()], z.unknown())
  .transform(([, at, event, , accountId]) => ({ event, at: `${at}Z`, account_id: accountId }));
/** Of an archive: header, seals and trailer. */
const frame = z.union([
  z.object({ linnet_audit_archive: z.number() }),
  z.object({ seal: z.number() }),
  z.object({ seals: z.number() }),
]);
const line = z.union([
  printedEvent.transform((one) => [one]),
  archivedEvent.transform((one) => [one]),
  z.array(printedEvent),
  frame.transform(() => []),
]);

/**
 * `-`: standard input, not compressed.
 * @throws CommandError if it cannot be read, or if a line is not of an audit log.
 */
export async function readErasures(path: string): Promise<readonly Erasure[]> {
  const erasures: Erasure[] = [];
  let number = 0;
  try {
    for await (const text of createInterface({ input: await openLog(path), crlfDelay: Infinity })) {
      number += 1;
      if (text.trim() === '') continue;
      erasures.push(...toErasures(text));
    }
  } catch (error) {
    const isSystem = error instanceof Error && 'code' in error;
    const why = isSystem ? error.message : `line ${String(number)} is not of an audit log`;
    throw new CommandError('unreadable-file', `${path}: ${why}. Nothing was changed.`, { cause: error });
  }
  return erasures;
}

/** @throws if it is not a line of an audit log. */
function toErasures(text: string): readonly Erasure[] {
  return line
    .parse(JSON.parse(text))
    .flatMap(({ event, at, account_id: accountId }) =>
      event === 'account.erased' && accountId !== null ? [{ accountId, at: new Date(at) }] : [],
    );
}

async function openLog(path: string): Promise<NodeJS.ReadableStream> {
  if (path === '-') return process.stdin;
  const file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  const content = file.createReadStream({ start: 0 });
  if (buffer.readUInt16BE() !== 0x1f_8b) return content;
  const plain = createGunzip();
  content.on('error', (error) => plain.destroy(error));
  return content.pipe(plain);
}
