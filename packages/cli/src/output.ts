import { createLogger } from '@linnet/service/logger';

import { describeFailure } from './failure.ts';

/** How a command answers: one JSON document, or text for people. Exactly one of the two, once. */
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

/** Tells why a command failed: for scripts on stdout, for people on stderr; a fault of ours with its stack. */
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

/** Rows under headings, in columns as wide as they need to be. */
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

/** `name: value` lines, the values one below the other. */
export function toList(entries: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${`${name}:`.padEnd(width + 1)} ${value}`).join('\n');
}
