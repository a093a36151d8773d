const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/**
 * Formats the specification's `created`: `Fri, Nov 20, 2026 3:04 PM`, in UTC (decisions D2). It uses tables instead of
 * `Intl`, which is ten times slower and puts U+202F before `PM`.
 * @throws RangeError for an invalid date
 */
export function toCreated(time: Date): string {
  const hour = time.getUTCHours();
  const weekday = weekdays[time.getUTCDay()];
  const month = months[time.getUTCMonth()];
  if (weekday === undefined || month === undefined) throw new RangeError('invalid date');
  const minute = String(time.getUTCMinutes()).padStart(2, '0');
  const day = `${weekday}, ${month} ${String(time.getUTCDate())}, ${String(time.getUTCFullYear())}`;
  return `${day} ${String(hour % 12 || 12)}:${minute} ${hour < 12 ? 'AM' : 'PM'}`;
}
