/** Ids, and the time in them. `next_id()` of the database makes ids of the milliseconds since 2026 and twelve more bits. */
const start = Date.UTC(2026, 0, 1);
export const idsPerMillisecond = 2 ** 12;

/** When an id was made. */
export function timeOfId(id: number): Date {
  return new Date(start + Math.floor(id / idsPerMillisecond));
}

/** The least id that can be made at a time; 0 for times before 2026. */
export function firstIdAt(time: Date): number {
  return Math.max(0, time.getTime() - start) * idsPerMillisecond;
}

/** SQL: `firstIdAt` of a timestamp. It is negative for times before 2026. */
export function firstIdSql(timestamp: string): string {
  return `(((EXTRACT(EPOCH FROM ${timestamp}) * 1000)::bigint - ${String(start)}) * ${String(idsPerMillisecond)})`;
}

/** An id of Prisma, which reads int8 as bigint. Ids stay below 2^53 (a CHECK constraint of each). */
export function toId(id: bigint): number {
  return Number(id);
}
