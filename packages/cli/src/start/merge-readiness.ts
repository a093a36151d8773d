import type { Readiness } from '@linnet/service/http-server';

/** Merges the readiness of servers in one process: a check passes only if it passes for every server that has it. */
export function mergeReadiness(parts: readonly Readiness[]): Readiness {
  return async () => {
    const checks = (await Promise.all(parts.map((part) => part()))).flat();
    const names = [...new Set(checks.map(({ name }) => name))];
    return names.map((name) => ({ name, ok: checks.every((check) => check.name !== name || check.ok) }));
  };
}
