/** Octets `start` to `end` of a file, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a `Range` header against a file's length (RFC 9110 §14.2). What it does not understand, and
 * more than one range, is ignored: the whole file is always a right answer.
 */
export function readRange(header: string, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (first !== '') return from(Number(first), last === '' ? bytes : Number(last), bytes);
  return last === '' ? undefined : suffix(Number(last), bytes);
}

function from(start: number, last: number, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  if (start >= bytes) return 'unsatisfiable';
  return last < start ? undefined : { start, end: Math.min(last, bytes - 1) };
}

function suffix(length: number, bytes: number): ByteRange | 'unsatisfiable' {
  return length === 0 || bytes === 0 ? 'unsatisfiable' : { start: Math.max(0, bytes - length), end: bytes - 1 };
}
