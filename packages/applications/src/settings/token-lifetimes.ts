/** How long tokens last: the setting of the application, the default, and the operator's bounds. In seconds. */
import type { ProtocolSettings } from './protocol-settings.ts';

const day = 86_400;

/** The longest lifetimes that the operator allows, in seconds. */
export interface TokenBounds {
  readonly accessToken: number;
  /** Of a refresh token that is not used. */
  readonly refreshToken: number;
  /** From the first refresh token of an authorization to the end of the last. */
  readonly refreshTokenTotal: number;
  /** In which a rotated refresh token whose successor was not used may be repeated. */
  readonly refreshTokenRepeat: number;
}

/** Nothing can be longer: the table `application` has the same limits. */
export const longestTokenBounds: TokenBounds = {
  accessToken: 3600,
  refreshToken: 365 * day,
  refreshTokenTotal: 365 * day,
  refreshTokenRepeat: 365 * day,
};

/** Of an application that has chosen none. */
const defaultLifetimes = { accessToken: longestTokenBounds.accessToken, refreshToken: 30 * day };

type LifetimeSettings = Pick<ProtocolSettings, 'accessTokenLifetime' | 'refreshTokenLifetime'>;

/** The lifetimes that tokens of an application get, under the names of its settings. */
export function limitLifetimes(
  { accessTokenLifetime, refreshTokenLifetime }: LifetimeSettings,
  bounds: TokenBounds,
): { readonly [Key in keyof LifetimeSettings]: number } {
  const limits = limitsOf(bounds);
  return {
    accessTokenLifetime: Math.min(accessTokenLifetime ?? defaultLifetimes.accessToken, limits.accessTokenLifetime),
    refreshTokenLifetime: Math.min(refreshTokenLifetime ?? defaultLifetimes.refreshToken, limits.refreshTokenLifetime),
  };
}

function limitsOf({ accessToken, refreshToken, refreshTokenTotal }: TokenBounds) {
  return { accessTokenLifetime: accessToken, refreshTokenLifetime: Math.min(refreshToken, refreshTokenTotal) };
}

/** The largest value that has an effect, of each setting whose range goes beyond it. */
export function findLoweredLimits(bounds: TokenBounds): Partial<Record<keyof LifetimeSettings, number>> {
  const { accessTokenLifetime, refreshTokenLifetime } = limitsOf(bounds);
  const longest = limitsOf(longestTokenBounds);
  return {
    ...(accessTokenLifetime < longest.accessTokenLifetime ? { accessTokenLifetime } : {}),
    ...(refreshTokenLifetime < longest.refreshTokenLifetime ? { refreshTokenLifetime } : {}),
  };
}
