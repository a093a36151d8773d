/** JSON and untrusted text without characters that change the direction of the text around them. */
import { printableText } from '@linnet/ui/inert-text';

const confusing = /[\u007F-\u009F\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** The exact value as JSON, with such characters escaped. */
export function inertJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(
    confusing,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Replaces such characters, line by line. */
export function printableLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(printableText)
    .join('\n');
}
