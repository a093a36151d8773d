import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';

interface Host {
  /** The same for all processes that see each other by their ids, without spaces. */
  readonly id: string;
  /** For people, without spaces. */
  readonly name: string;
}

/**
 * Describes where the ids of processes are valid: on Linux until the next boot, within one namespace of process ids (see
 * pid_namespaces(7)), so every container is a host of its own.
 */
export async function describeHost(): Promise<Host> {
  const name = hostname().replaceAll(/\s+/g, '-') || 'unknown';
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const namespace = /\d+/.exec(await readlink('/proc/self/ns/pid'))?.[0] ?? '';
    return { id: `${boot}/${namespace}`, name };
  } catch {
    return { id: name, name };
  }
}
