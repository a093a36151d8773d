const maxLength = 120;

/** Removes control characters, line separators and bidirectional controls, which could reorder the text around it. */
export function printableText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '');
}

/** U+061C, U+200E and U+200F, which order only the punctuation next to them. */
const mark = /([\u061C\u200E\u200F])/;

/** Like `printableText`, but keeps line breaks, a space for each tab, and marks of direction. For elements that are isolated. */
export function printableLines(text: string): string {
  return text
    .replaceAll('\t', ' ')
    .split('\n')
    .map((line) =>
      line
        .split(mark)
        .map((part) => (mark.test(part) ? part : printableText(part)))
        .join(''),
    )
    .join('\n');
}

/** The blocks of scripts that are written from right to left (UAX 9). */
const fromRight = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * Does the same as `printableText` and truncates to 120 code points, for places without markup such as titles, subjects and messages.
 * Text from right to left is between U+2068 and U+2069, so that it does not reorder the text around it.
 */
export function inertText(text: string): string {
  const characters = [...printableText(text)];
  const shown =
    characters.length <= maxLength ? characters.join('') : `${characters.slice(0, maxLength - 1).join('')}…`;
  return fromRight.test(shown) ? `\u2068${shown}\u2069` : shown;
}
