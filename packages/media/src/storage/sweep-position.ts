import type { Position } from './media-storage.ts';

/** A line with both numbers. */
export function printPosition({ startedAt, next }: Position): string {
  return `${String(startedAt)} ${String(next)}\n`;
}

/** The inverse of `printPosition`; undefined for other text. */
export function parsePosition(text: string): Position | undefined {
  const [, startedAt, next] = /^(\d{1,15}) (\d{1,3})\n$/.exec(text) ?? [];
  return startedAt === undefined ? undefined : { startedAt: Number(startedAt), next: Number(next) };
}
