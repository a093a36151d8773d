/** Bytes `start` to `end` of a file, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Resolves a `Range` header against the length of a file (RFC 9110 §14.2). `undefined` for unknown units and
 * several ranges: a server may ignore Range and send the whole file.
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
