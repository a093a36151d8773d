/** SQL condition: the grant is neither revoked nor expired. `grant` is the table name or alias in the statement. */
export function isActiveGrant(grant: string): string {
  return `${grant}.revoked_at IS NULL AND (${grant}.ends_at IS NULL OR ${grant}.ends_at > now())`;
}

/** How long a grant can last, in the order in which people choose. */
export const durations = ['hour', 'day', 'month', 'until_stopped'] as const;

export type Duration = (typeof durations)[number];

/** Undefined: the grant does not expire. */
export const durationSeconds: Readonly<Record<Duration, number | undefined>> = {
  hour: 3600,
  day: 86_400,
  month: 30 * 86_400,
  until_stopped: undefined,
};
