/** How long a grant can last, in the order in which people choose. */
export const durations = ['hour', 'month', 'until_stopped'] as const;

export type Duration = (typeof durations)[number];

/** Undefined: the grant does not expire. */
export const durationSeconds: Readonly<Record<Duration, number | undefined>> = {
  hour: 3600,
  month: 30 * 86_400,
  until_stopped: undefined,
};
