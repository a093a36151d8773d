import type { Readiness } from '@linnet/service/http-server';

/** One answer for servers that share a process: a check of the same name has to hold for all of them. */
export function mergeReadiness(parts: readonly Readiness[]): Readiness {
  return async () => {
    const checks = (await Promise.all(parts.map((part) => part()))).flat();
    const names = [...new Set(checks.map(({ name }) => name))];
    return names.map((name) => ({ name, ok: checks.every((check) => check.name !== name || check.ok) }));
  };
}
