import { Worker } from 'node:worker_threads';

import type { HashAnswer, HashJob } from './hash-job.ts';

const script = new URL(`./hash-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** Threads without work; a process that hashes nothing starts none. */
const idle = new Set<Worker>();

/** Does the job in a thread of its own, of which there are as many as jobs were done at once. */
export async function runInThread(job: HashJob): Promise<HashAnswer> {
  const [free] = idle;
  const thread = free ?? startThread();
  idle.delete(thread);
  thread.ref();
  try {
    const answer = await ask(thread, job);
    idle.add(thread);
    // A command that has nothing else to do may end.
    thread.unref();
    return answer;
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}

function startThread(): Worker {
  const thread = new Worker(script);
  // One that ends without work is not asked again; `ask` tells of any other.
  return thread.on('error', () => idle.delete(thread)).on('exit', () => idle.delete(thread));
}

async function ask(thread: Worker, job: HashJob): Promise<HashAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HashAnswer>();
  const ended = (code: number) => reject(new Error(`a hashing thread ended: ${String(code)}`));
  thread.once('message', resolve).once('error', reject).once('exit', ended);
  try {
    thread.postMessage(job, []);
    const answer = await promise;
    if (answer.problem !== undefined) throw new Error(answer.problem);
    return answer;
  } finally {
    thread.off('message', resolve).off('error', reject).off('exit', ended);
  }
}
