import { readFileSync } from 'node:fs';

import { filterPositions } from './bloom-filter.ts';

/** Made by bin/write-common-passwords.mjs. Kept in memory (1 MB), because a look-up must cost no statement and no read. */
const filter = readFileSync(new URL('../data/common-passwords.bloom', import.meta.url));

/** True if a password, in lower case, is among the 200,000 most common ones of published leaks. Takes microseconds. */
export function isCommonPassword(password: string): boolean {
  return filterPositions(password).every(({ byte, mask }) => ((filter[byte] ?? 0) & mask) !== 0);
}
