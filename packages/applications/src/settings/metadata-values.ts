/**
 * Values of client metadata (RFC 7591 §2), which are JSON, as settings are submitted. Each function accepts one JSON type and
 * returns undefined for every other.
 */
const maxText = 4096;
const maxTexts = 100;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxText;
}

export function readFlag(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'boolean') return undefined;
  return value ? ['yes'] : [];
}

export function readText(value: unknown): readonly string[] | undefined {
  return isText(value) ? [value] : undefined;
}

export function readTexts(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > maxTexts) return undefined;
  return value.every(isText) ? value : undefined;
}

/** Texts that are one line each, because a form gives one per line. */
export function readLines(value: unknown): readonly string[] | undefined {
  const texts = readTexts(value);
  return texts?.some((text) => /[\r\n]/.test(text)) === true ? undefined : texts;
}

export function readInteger(value: unknown): readonly string[] | undefined {
  return Number.isSafeInteger(value) ? [String(value)] : undefined;
}
