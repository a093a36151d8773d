/**
 * A thread that hashes passwords. It runs at a lower priority than the threads that serve requests, so that on a
 * busy machine sign-ins wait and tokens do not (checklist R16).
 */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

import { hashSync, verifySync } from '@node-rs/argon2';

import type { HashJob, HashResult } from './password/hash-job.ts';

/** About a ninth of the CPU share of a normal thread: enough to make progress on a machine that stays busy. */
const niceness = 10;

// Threads have priorities of their own on Linux only; elsewhere this would change the whole process (setpriority(2)).
if (process.platform === 'linux') setPriority(0, niceness);

function run(job: HashJob): HashResult {
  try {
    return job.kind === 'hash'
      ? { kind: 'hash', hash: hashSync(job.password, job.cost) }
      : { kind: 'verify', isCorrect: verifySync(job.hash, job.password) };
  } catch (error) {
    return { kind: 'problem', problem: String(error) };
  }
}

const port = parentPort;
if (port === null) throw new Error('hash-thread must be started as a worker thread.');
port.on('message', (job: HashJob) => port.postMessage(run(job), []));
