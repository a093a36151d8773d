const maxLength = 120;

/** Text of strangers without the characters that turn the text around them and without control characters. */
export function printableText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '');
}

/** The same for places that take no elements and no endless text, such as titles and messages. */
export function inertText(text: string): string {
  const characters = [...printableText(text)];
  return characters.length <= maxLength ? characters.join('') : `${characters.slice(0, maxLength - 1).join('')}…`;
}
