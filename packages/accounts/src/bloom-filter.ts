import { hash } from 'node:crypto';

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
