const maxLength = 120;

/** Removes control characters, line separators and bidirectional controls, which could reorder the text around it. */
export function printableText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '');
}

/** Like `printableText`, but keeps line breaks, and a space for each tab. */
export function printableLines(text: string): string {
  return text.replaceAll('\t', ' ').split('\n').map(printableText).join('\n');
}

/** Does the same as `printableText` and truncates to 120 code points, for places without markup such as titles, subjects and messages. */
export function inertText(text: string): string {
  const characters = [...printableText(text)];
  return characters.length <= maxLength ? characters.join('') : `${characters.slice(0, maxLength - 1).join('')}…`;
}
