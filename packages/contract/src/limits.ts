/** How many calls are let through in a time that begins with the first of them. */
export interface RateLimit {
  readonly quota: number;
  readonly windowSeconds: number;
}

const minute = 60;

/**
 * Flood control for every call (decisions D53; docs/rate-limits.md). The service as a whole lets about so
 * many through: each of its processes counts its own share. What a token stands for is counted together:
 * the application with its user, and the application with all its users. Calls without a valid token
 * are counted by their address.
 */
export const callLimits = {
  'user-reads': { quota: 12_000, windowSeconds: minute },
  'user-writes': { quota: 3000, windowSeconds: minute },
  'application-reads': { quota: 48_000, windowSeconds: minute },
  'application-writes': { quota: 12_000, windowSeconds: minute },
  address: { quota: 6000, windowSeconds: minute },
} as const satisfies Record<string, RateLimit>;

/** Limits of single endpoints, for each application; counted exactly, whichever process answers. */
export const sharedLimits = {
  'is-email': { quota: 60, windowSeconds: minute },
  'check-username': { quota: 600, windowSeconds: minute },
  register: { quota: 1000, windowSeconds: minute },
} as const satisfies Record<string, RateLimit>;

export type CallLimitName = keyof typeof callLimits;
export type SharedLimitName = keyof typeof sharedLimits;
