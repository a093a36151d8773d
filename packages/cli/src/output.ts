import { createLogger } from '@linnet/service/logger';

import { describeFailure } from './failure.ts';

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

/** Prints why a command failed: as JSON on stdout, or as text on stderr. Logs unexpected errors with their stack. */
export function reportFailure(error: unknown, json: boolean): void {
  const { code, message, isUnexpected } = describeFailure(error);
  if (json) process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
  else process.stderr.write(`${message.replace(/^/gm, 'linnet: ')}\n`);
  if (isUnexpected) {
    createLogger({ level: 'error', pretty: process.stderr.isTTY, destination: 'stderr' }).error(
      { err: error },
      'command failed',
    );
  }
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
  return [headings, ...rows].map(toLine).join('\n');
}

/** `name: value` lines with aligned values. */
export function toList(entries: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${`${name}:`.padEnd(width + 1)} ${value}`).join('\n');
}
