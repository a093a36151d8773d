import { totalmem } from 'node:os';

/**
 * MiB of one half of the young generation. A smaller one is collected so often that much of it is still in use and moves to the old
 * generation; a larger one only costs memory ([reasons](../../../../docs/evidence/performance.md#memory)).
 */
const semiSpaceMiB = 8;
/**
 * MiB of the old generation at most. It holds 40 when idle. V8 lets it grow to four times what was in use before it collects
 * garbage if the limit is that of a large machine, and to 1.6 times with this one.
 */
const oldSpaceMiB = 1024;
/**
 * Threads that collect garbage and compile beside the thread that serves. V8 would start four: where each worker has one core, they
 * leave the serving thread a fifth of it while the old generation is marked, and requests wait for 60 to 110 ms
 * ([reasons](../../../../docs/evidence/performance.md#latency)).
 */
const helperThreads = 1;
/**
 * With this much memory for each worker, the code of Node.js moves to pages of 2 MiB, which saves a tenth of the CPU time. The workers then
 * do not share it ([cost](../../../../docs/evidence/performance.md#memory)).
 */
const bytesForLargePages = 2 ** 30;

interface Host {
  /** Workers. */
  readonly count: number;
  readonly memoryBytes: number;
}

/** Returns the options of Node.js and V8 that workers start with. */
export function workerFlags({ count, memoryBytes }: Host): readonly string[] {
  return [
    `--max-semi-space-size=${String(semiSpaceMiB)}`,
    `--max-old-space-size=${String(oldSpaceMiB)}`,
    `--v8-pool-size=${String(helperThreads)}`,
    // Hosts without large pages do without them.
    ...(memoryBytes / count >= bytesForLargePages ? ['--use-largepages=silent'] : []),
  ];
}

/** Returns how many bytes of memory this process and its workers may use: those of the host, or of the container if it has a limit. */
export function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit === 0 ? totalmem() : Math.min(limit, totalmem());
}
