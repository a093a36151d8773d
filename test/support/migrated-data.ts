import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { environment, linnet } from './service.ts';

const run = promisify(execFile);

/** A DATA_DIR with a migrated, stopped database. Services of tests start on copies of it. */
export interface MigratedData extends AsyncDisposable {
  readonly directory: string;
}

/**
 * Creates one, as `linnet migrate run` does on an empty DATA_DIR. A copy saves each service initdb and every migration: five
 * seconds of CPU time.
 */
export async function createMigratedData(): Promise<MigratedData> {
  const directory = await mkdtemp(join(tmpdir(), 'linnet-migrated-'));
  const remove = async () => await rm(directory, { recursive: true, force: true });
  try {
    const [file, script] = linnet;
    await run(file, [script, 'migrate', 'run'], { env: { ...environment(), DATA_DIR: directory } });
  } catch (error) {
    await remove();
    throw error;
  }
  return { directory, [Symbol.asyncDispose]: remove };
}
