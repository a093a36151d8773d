/** SQL that is true for a grant, by the name of its table in the statement, that nobody ended and no time did. */
export function isLiving(grant: string): string {
  return `${grant}.revoked_at IS NULL AND (${grant}.ends_at IS NULL OR ${grant}.ends_at > now())`;
}
