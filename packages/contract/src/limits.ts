/** `quota` requests in a window that begins with the first of them. */
export interface RateLimit {
  readonly quota: number;
  readonly windowSeconds: number;
}

const minute = 60;

/**
 * Flood control for every request (decisions D53; docs/api/rate-limits.md). The quotas are approximate totals of
 * the service: each process allows its share. Requests count per application and user, and per application
 * over all its users. Requests without a valid token count per address.
 */
export const callLimits = {
  'user-reads': { quota: 12_000, windowSeconds: minute },
  'user-writes': { quota: 3000, windowSeconds: minute },
  'application-reads': { quota: 48_000, windowSeconds: minute },
  'application-writes': { quota: 12_000, windowSeconds: minute },
  address: { quota: 6000, windowSeconds: minute },
} as const satisfies Record<string, RateLimit>;

/**
 * Limits of single endpoints per application, counted exactly over all processes. An operator can give an application another quota of
 * `register`.
 */
export const sharedLimits = {
  'is-email': { quota: 60, windowSeconds: minute },
  'check-username': { quota: 600, windowSeconds: minute },
  register: { quota: 40, windowSeconds: 60 * minute },
} as const satisfies Record<string, RateLimit>;

/**
 * Limits of registration over several applications: those of one owner, except applications with a quota of their own; per network of
 * the caller; and per mailbox that gets mail.
 */
export const registrationLimits = {
  'register-owner': { quota: 40, windowSeconds: 60 * minute },
  'register-network': { quota: 1000, windowSeconds: minute },
  'register-mailbox': { quota: 10, windowSeconds: 60 * minute },
} as const satisfies Record<string, RateLimit>;

/**
 * Limits of the OAuth endpoints (docs/api/rate-limits.md). Requests without valid client authentication or token count by
 * address, all others by application. `oauth-failures` is counted exactly over all processes.
 */
export const oauthLimits = {
  'oauth-address': { quota: 6000, windowSeconds: minute },
  'oauth-application': { quota: 60_000, windowSeconds: minute },
  'oauth-user': { quota: 3000, windowSeconds: minute },
  'admin-api': { quota: 1200, windowSeconds: minute },
  'oauth-failures': { quota: 30, windowSeconds: minute },
  'oauth-pending-address': { quota: 2000, windowSeconds: 60 * minute },
  'oauth-pending-application': { quota: 1200, windowSeconds: minute },
  'oauth-register-address': { quota: 60, windowSeconds: 60 * minute },
  'oauth-document-address': { quota: 60, windowSeconds: 60 * minute },
} as const satisfies Record<string, RateLimit>;

export type OauthLimitName = keyof typeof oauthLimits;
export type CallLimitName = keyof typeof callLimits;
export type SharedLimitName = keyof typeof sharedLimits;
