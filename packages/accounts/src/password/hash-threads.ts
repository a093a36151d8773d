import { Worker } from 'node:worker_threads';

import type { HashJob, HashResult } from './hash-job.ts';

const script = new URL('../hash-thread.ts', import.meta.url);

/** Threads without work. A process that hashes nothing starts none. */
const idle = new Set<Worker>();

/**
 * Hashes a password in another thread and returns the PHC string. Starts a thread if none is idle.
 * @throws Error if the thread fails.
 */
export async function hashInThread(job: Extract<HashJob, { kind: 'hash' }>): Promise<string> {
  const result = await runInThread(job);
  if (result.kind !== 'hash') throw unexpected(job, result);
  return result.hash;
}

/** As `hashInThread`; returns whether the password matches the hash. */
export async function verifyInThread(job: Extract<HashJob, { kind: 'verify' }>): Promise<boolean> {
  const result = await runInThread(job);
  if (result.kind !== 'verify') throw unexpected(job, result);
  return result.isCorrect;
}

function unexpected(job: HashJob, result: HashResult): Error {
  return new Error(
    result.kind === 'problem' ? result.problem : `The hashing thread sent "${result.kind}" for "${job.kind}".`,
  );
}

async function runInThread(job: HashJob): Promise<HashResult> {
  const [free] = idle;
  const thread = free ?? startThread();
  idle.delete(thread);
  thread.ref();
  try {
    const result = await request(thread, job);
    idle.add(thread);
    // An idle thread must not keep a command from exiting.
    thread.unref();
    return result;
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}

function startThread(): Worker {
  const thread = new Worker(script);
  // `request` reports the failure of a busy thread; an idle one is only removed.
  return thread.on('error', () => idle.delete(thread)).on('exit', () => idle.delete(thread));
}

async function request(thread: Worker, job: HashJob): Promise<HashResult> {
  const { promise, resolve, reject } = Promise.withResolvers<HashResult>();
  const onExit = (code: number) => reject(new Error(`A hashing thread exited with code ${String(code)}.`));
  thread.once('message', resolve).once('error', reject).once('exit', onExit);
  try {
    thread.postMessage(job, []);
    return await promise;
  } finally {
    thread.off('message', resolve).off('error', reject).off('exit', onExit);
  }
}
