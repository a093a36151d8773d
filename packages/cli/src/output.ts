import { styleText } from 'node:util';

/** Prints the result of a command, once: as a JSON document or as text. */
export interface Output {
  result(document: unknown, text: string): void;
}

export function createOutput(json: boolean): Output {
  return {
    result: (document, text) => {
      process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${text}\n`);
    },
  };
}

type Style = 'bold' | 'red' | 'green' | 'yellow';

/** A terminal; files and pipes have no such function. It respects NO_COLOR, FORCE_COLOR and TERM. */
interface Colored {
  hasColors?: () => boolean;
}

/** The text in colour, if it is written to a terminal that shows colours. */
export function paint(stream: Colored, style: Style, text: string): string {
  return stream.hasColors?.() === true ? styleText(style, text, { validateStream: false }) : text;
}

/** Text of people on one line, without characters that control the terminal; of at most `most` characters (code points). */
export function toOneLine(text: string, most = Infinity): string {
  const characters = [...text.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+/gu, ' ')];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`;
}

/** Aligned columns under headings. */
export function toTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const toLine = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [paint(process.stdout, 'bold', toLine(headings)), ...rows.map(toLine)].join('\n');
}

/** `name: value` lines with aligned values. */
export function toList(entries: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${`${name}:`.padEnd(width + 1)} ${value}`).join('\n');
}
