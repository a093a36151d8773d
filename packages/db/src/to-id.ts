/** An id of Prisma, which reads int8 as bigint. Ids stay below 2^53 (a CHECK constraint of each). */
export function toId(id: bigint): number {
  return Number(id);
}
