/**
 * A thread that hashes passwords, and that the kernel runs after those that answer requests: on a machine that is
 * busy, whoever signs in waits, and tokens do not (checklist R16).
 */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

import { hashSync, verifySync } from '@node-rs/argon2';

import type { HashAnswer, HashJob } from './hash-job.ts';

/** A ninth of the weight of a usual thread: enough to go on when everything else is busy for good. */
const niceness = 10;

// Only Linux has priorities of threads; elsewhere it would be that of the whole process (setpriority(2)).
if (process.platform === 'linux') setPriority(0, niceness);

function run(job: HashJob): HashAnswer {
  try {
    return job.kind === 'hash'
      ? { hash: hashSync(job.password, job.cost) }
      : { isRight: verifySync(job.hash, job.password) };
  } catch (error) {
    return { problem: String(error) };
  }
}

parentPort?.on('message', (job: HashJob) => parentPort?.postMessage(run(job), []));
