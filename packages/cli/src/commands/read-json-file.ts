import { readFile } from 'node:fs/promises';

import { CommandError } from '../failure.ts';

/** @throws CommandError if the file cannot be read or is not JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError('unreadable-file', `${path}: ${reason}`);
  }
}
