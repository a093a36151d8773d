import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * A Bloom filter of 2^23 bits with eight bits per entry, taken from the words of the entry's SHA-256. With 200,000
 * entries it finds every entry, and mistakes one of a million other texts for one.
 */
export const filterBytes = 2 ** 20;

interface FilterPosition {
  readonly byte: number;
  readonly mask: number;
}

const wordBytes = 4;
const words = 8;

/** The bits that are set for an entry. */
export function filterPositions(entry: string): readonly FilterPosition[] {
  const digest = hash('sha256', entry, 'buffer');
  return Array.from({ length: words }, (_, word) => {
    const bit = digest.readUInt32BE(word * wordBytes) % (filterBytes * 8);
    return { byte: Math.floor(bit / 8), mask: 1 << (bit % 8) };
  });
}

/** Made by bin/write-common-passwords.mjs. Kept in memory (1 MB), because a look-up must cost no statement and no read. */
const filter = readFileSync(new URL('../../data/common-passwords.bloom', import.meta.url));

/** True if a password, in lower case, is among the 200,000 most common ones of published leaks. Takes microseconds. */
export function isCommonPassword(password: string): boolean {
  return filterPositions(password).every(({ byte, mask }) => ((filter[byte] ?? 0) & mask) !== 0);
}

/**
 * Passwords that are guessed first. The API accepts them, because the contract does; the pages and the `linnet` command
 * do not (checklist AC1, decision D42).
 */
type PasswordWeakness = 'common' | 'same-as-name';

/** The person who chooses the password. */
export interface PasswordOwner {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** Absent if it will be generated. */
  readonly username?: string | undefined;
}

/** Returns why a person should choose another password, or `undefined`. */
export function findPasswordWeakness(password: string, owner: PasswordOwner): PasswordWeakness | undefined {
  const plain = simplify(password);
  if (namesOf(owner).some((name) => simplify(name) === plain)) return 'same-as-name';
  return isCommonPassword(plain) ? 'common' : undefined;
}

function namesOf({ firstName, lastName, email, username }: PasswordOwner): readonly string[] {
  const mailbox = email.slice(0, email.lastIndexOf('@'));
  const names = [firstName, lastName, email, mailbox, ...(username === undefined ? [] : [username])];
  const joined = ['', ' ', '.', '_', '-'].flatMap((between) => [
    `${firstName}${between}${lastName}`,
    `${lastName}${between}${firstName}`,
  ]);
  return [...names, ...joined];
}

/** Upper case does not make a password harder to guess. */
function simplify(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
