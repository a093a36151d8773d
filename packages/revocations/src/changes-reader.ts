import type { Queryable } from '@linnet/db/statement/transaction';
import { DatabaseBusy } from '@linnet/db/connection/database-error';

import { blocksAtOnce, isReplaced, readBlocks, readChanges, startLoad } from './revocation-store.ts';
import type { Change, LoadStart, Position } from './revocation-store.ts';

/** Returns a function that reads the changes since its last call, or everything, and passes each to `apply`. */
export function createPoll(db: Queryable, apply: (change: Change) => void): () => Promise<void> {
  let position: Position | undefined;
  const load = createLoad(db, apply);
  return async () => {
    position ??= await load();
    const { changes, next } = await readChanges(db, position).catch((error: unknown) => {
      // After a long outage there may be too many changes for one statement.
      if (error instanceof DatabaseBusy) position = undefined;
      throw error;
    });
    if (isReplaced(position, next)) {
      position = undefined;
      position = await load();
      return;
    }
    for (const change of changes) apply(change);
    position = next;
  };
}

/**
 * Returns a function that reads the whole table block by block, and returns a position from which changes follow. After
 * an error, the next call continues where it failed.
 */
function createLoad(db: Queryable, apply: (change: Change) => void): () => Promise<Position> {
  let start: LoadStart | undefined;
  let block = 0;
  return async () => {
    for (;;) {
      if (start === undefined) {
        start = await startLoad(db);
        block = 0;
      }
      if (block >= start.blocks) break;
      const changes = await readBlocks(db, start, block);
      if (changes === undefined) {
        start = undefined;
        continue;
      }
      for (const change of changes) apply(change);
      block += blocksAtOnce;
    }
    const { position } = start;
    start = undefined;
    return position;
  };
}
