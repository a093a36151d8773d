/** SQL condition: the grant is neither revoked nor expired. `grant` is the table name or alias in the statement. */
export function isActiveGrant(grant: string): string {
  return `${grant}.revoked_at IS NULL AND (${grant}.ends_at IS NULL OR ${grant}.ends_at > now())`;
}
