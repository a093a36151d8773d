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

/**
 * Decodes a body that was read as latin1, one character per byte, so that invalid UTF-8 can be detected.
 * Returns undefined if it is not UTF-8.
 */
export function decodeUtf8(latin1: string, { keepByteOrderMark: ignoreBOM }: Utf8Options): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return undefined;
  }
}
