/** JSON, and text of strangers, that turns no text around it on a page. */
import { printableText } from '@linnet/ui/inert-text';

const confusing = /[\u007F-\u009F\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** The value as JSON says it, exactly: what would turn text around is escaped. */
export function inertJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(
    confusing,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Lines of text without what would turn them around. */
export function printableLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(printableText)
    .join('\n');
}
