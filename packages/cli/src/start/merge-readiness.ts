import type { Readiness, ReadinessCheck } from '@linnet/service/http/readiness';

/** Merges the readiness of servers in one process: a check passes only if it passes for every server that has it. */
export function mergeReadiness(parts: readonly Readiness[]): Readiness {
  return async () => {
    const checks = (await Promise.all(parts.map((part) => part()))).flat();
    const merged = new Map<string, ReadinessCheck>();
    for (const check of checks) if (merged.get(check.name)?.ok !== false) merged.set(check.name, check);
    return [...merged.values()];
  };
}
