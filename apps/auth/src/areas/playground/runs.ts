/** Reads and writes runs, which are stored encrypted. A step is recorded before it is carried out. */
import { timingSafeEqual } from 'node:crypto';

import type { Db } from '@linnet/db/database';
import type { Secret } from '@linnet/service/config/secret';

import { open, seal } from '@linnet/keys/sealing';
import { parseRun } from './run.ts';
import type { RunContent } from './run.ts';
import { findRun, findRuns } from './run-lookup-store.ts';
import { startRun, updateRun } from './run-store.ts';
import type { RunKey, StoredRun } from './run-store.ts';

export interface OpenRun extends Omit<StoredRun, 'sealed'> {
  readonly content: RunContent;
}

export interface Runs {
  readonly find: (key: RunKey) => Promise<OpenRun | undefined>;
  /** The run of the account that expects this `state`. */
  findByState(accountId: number, state: string): Promise<OpenRun | undefined>;
  /** Returns false if the account does not own the application. */
  start(run: RunKey & { readonly endsAt: Date; readonly content: RunContent }): Promise<boolean>;
  /**
   * Stores what `step` returns. Stores nothing and returns undefined if `step` returns undefined, or if the run has
   * been replaced or has expired. `step` may be called several times.
   */
  change(run: OpenRun, step: (content: RunContent) => RunContent | undefined): Promise<OpenRun | undefined>;
}

const maxTries = 10;

/** Binds the encrypted content to its run. */
function purposeOf({ accountId, clientId }: RunKey): string {
  return `linnet playground run ${String(accountId)} ${clientId}`;
}

export function createRuns(db: Pick<Db, 'prisma' | 'query'>, secretKeys: readonly Secret[]): Runs {
  const sealFor = (key: RunKey, content: RunContent) => seal(JSON.stringify(content), purposeOf(key), secretKeys);

  /** Returns undefined if its key was removed from SECRET_KEYS. */
  function openRun(stored: StoredRun | undefined): OpenRun | undefined {
    if (stored === undefined) return undefined;
    const { sealed, ...run } = stored;
    const text = open(sealed, purposeOf(stored), secretKeys);
    const content = text === undefined ? undefined : parseRun(text);
    return content === undefined ? undefined : { ...run, content };
  }

  const find: Runs['find'] = async (key) => openRun(await findRun(db, key));

  const change: Runs['change'] = async (run, step) => {
    let current: OpenRun | undefined = run;
    for (let tries = 0; tries < maxTries && current?.id === run.id; tries += 1) {
      const content = step(current.content);
      if (content === undefined) return undefined;
      const { id, version } = current;
      const sealed = sealFor(run, content);
      if (await updateRun(db, { id, version, sealed })) return { ...current, version: version + 1, content };
      current = await find(run);
    }
    return undefined;
  };

  return {
    find,
    findByState: async (accountId, state) => {
      const runs = (await findRuns(db, accountId)).map(openRun);
      return runs.find((run) => run?.content.state !== undefined && isEqual(run.content.state, state));
    },
    start: async ({ content, ...run }) => await startRun(db, { ...run, sealed: sealFor(run, content) }),
    change,
  };
}

/** Takes constant time; all states have the same length. */
function isEqual(expected: string, given: string): boolean {
  const [ours, theirs] = [Buffer.from(expected), Buffer.from(given)];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}
