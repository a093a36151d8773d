/** Per application, process and minute. Anyone can send requests in its name, and more would tell its owner nothing new. */
export const maxPerMinute = 100;

const minuteMs = 60_000;
/** More applications than fail in a minute. Beyond it, further ones are not recorded until the minute ends. */
const maxApplications = 10_000;

/** Returns whether a failure of the application may be recorded. Bounds what a flood costs, in memory and statements. */
export function createFailureLimit(now: () => number = Date.now): (clientId: string) => boolean {
  let minute = 0;
  const counts = new Map<string, number>();
  return (clientId) => {
    const current = Math.floor(now() / minuteMs);
    if (current !== minute) {
      minute = current;
      counts.clear();
    }
    const count = counts.get(clientId) ?? 0;
    if (count >= maxPerMinute || (count === 0 && counts.size >= maxApplications)) return false;
    counts.set(clientId, count + 1);
    return true;
  };
}
