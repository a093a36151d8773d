import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ReadinessCheck } from '@linnet/service/http/readiness';

/** One result serves all probes of this time. */
const freshMs = 5000;
const probeBytes = 65_536;
/** The largest upload with its renditions. */
const leastBytes = 16 * 2 ** 20;

/** Returns a readiness check that writes a file to the directory, at most every five seconds. */
export function watchDisk(directory: string): () => Promise<readonly ReadinessCheck[]> {
  let latest: { readonly at: number; readonly problem: Promise<DiskProblem | undefined> } | undefined;
  return async () => {
    if (latest === undefined || performance.now() - latest.at >= freshMs) {
      latest = { at: performance.now(), problem: findProblem(directory) };
    }
    const reason = await latest.problem;
    return [{ name: 'media', ok: reason === undefined, isOptional: true, ...(reason === undefined ? {} : { reason }) }];
  };
}

/** `disk`: files cannot be written for another reason. */
type DiskProblem = 'disk-full' | 'disk';

async function findProblem(directory: string): Promise<DiskProblem | undefined> {
  const probe = join(directory, `probe-${randomUUID()}`);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(probe, Buffer.alloc(probeBytes), { flag: 'wx', mode: 0o600 });
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize < leastBytes ? 'disk-full' : undefined;
  } catch (error) {
    return ['ENOSPC', 'EDQUOT'].includes(String(Reflect.get(Object(error), 'code'))) ? 'disk-full' : 'disk';
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}
