/** Strict decoding of `application/x-www-form-urlencoded` (WHATWG URL §5.1), for bodies and query strings. */

/** One field, in the order sent. If its percent-encoding is not UTF-8, `value` is undefined. */
export interface DecodedPair {
  readonly name: string;
  readonly value: string | undefined;
}

/** Repeated names are kept; the caller decides about them. An invalid name is returned as it was sent. */
export function decodeForm(text: string): readonly DecodedPair[] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map(decodePair);
}

function decodePair(pair: string): DecodedPair {
  const separator = pair.indexOf('=');
  const [rawName, rawValue] = separator === -1 ? [pair, ''] : [pair.slice(0, separator), pair.slice(separator + 1)];
  const name = decodePart(rawName);
  return name === undefined ? { name: rawName, value: undefined } : { name, value: decodePart(rawValue) };
}

function decodePart(encoded: string): string | undefined {
  if (!/[%+]/.test(encoded)) return encoded;
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

interface Utf8Options {
  /** Whether a byte order mark at the start is part of the text. */
  readonly keepByteOrderMark: boolean;
}

/** Fatal decoders: they throw if the bytes are not UTF-8. */
const decoders = {
  keepingMark: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }),
  removingMark: new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }),
};

/**
 * Decodes a body strictly. Text is a body that was read as latin1, one character per byte, so that invalid UTF-8 can be
 * detected. Returns undefined if it is not UTF-8.
 */
export function decodeUtf8(octets: string | Buffer, { keepByteOrderMark }: Utf8Options): string | undefined {
  try {
    const decoder = keepByteOrderMark ? decoders.keepingMark : decoders.removingMark;
    return decoder.decode(typeof octets === 'string' ? Buffer.from(octets, 'latin1') : octets);
  } catch {
    return undefined;
  }
}
