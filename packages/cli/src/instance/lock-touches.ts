/*
 * How processes of other hosts know that the owner of a file is alive: it keeps changing the file's time. They wait for
 * a change instead of comparing it with their clock, because clocks of hosts differ.
 */
import { open, readFile, utimes } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 100;

/** Touches the file until disposal. */
export function keepTouching(path: string, everyMs: number): Disposable {
  const timer = setInterval(() => {
    const now = new Date();
    // The file may have been removed, or the volume may be away for a moment.
    utimes(path, now, now).catch(() => undefined);
  }, everyMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Waits for a touch of the file with this content. Returns false after `patienceMs` without one, or when the file is
 * replaced or removed.
 */
export async function observeTouch(path: string, content: string, patienceMs: number): Promise<boolean> {
  const first = await readTime(path);
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
    await delay(pollMs);
    if ((await readFile(path, 'utf8').catch(() => '')) !== content) return false;
    if ((await readTime(path)) !== first) return true;
  }
  return false;
}

/** Opens the file, because network file systems ask the server for its time only then. */
async function readTime(path: string): Promise<number | undefined> {
  try {
    await using file = await open(path, 'r');
    return (await file.stat()).mtimeMs;
  } catch {
    return undefined;
  }
}
