import { expect, test } from 'vitest';

import { protocolSettings } from './protocol-settings.ts';
import { findLoweredLimits, limitLifetimes, longestTokenBounds } from './token-lifetimes.ts';

const day = 86_400;

test.each([
  ['the defaults', {}, [null, null], [3600, 30 * day]],
  ['what the application has chosen', {}, [60, 300], [60, 300]],
  ['a bound below the default', { accessToken: 900, refreshToken: day }, [null, null], [900, day]],
  ['a bound below the setting', { accessToken: 900, refreshToken: day }, [1800, 30 * day], [900, day]],
  ['a setting below the bound', { accessToken: 900, refreshToken: day }, [600, 3600], [600, 3600]],
  ['a total below the bound', { refreshTokenTotal: 7200 }, [null, 30 * day], [3600, 7200]],
])('%s', (_title, bounds, [access = null, refresh = null], [effectiveAccess, effectiveRefresh]) => {
  const settings = { accessTokenLifetime: access, refreshTokenLifetime: refresh };
  expect(limitLifetimes(settings, { ...longestTokenBounds, ...bounds })).toEqual({
    accessTokenLifetime: effectiveAccess,
    refreshTokenLifetime: effectiveRefresh,
  });
});

test('limits are shown only if the operator has lowered them', () => {
  expect(findLoweredLimits(longestTokenBounds)).toEqual({});
  expect(findLoweredLimits({ ...longestTokenBounds, accessToken: 900 })).toEqual({ accessTokenLifetime: 900 });
  expect(findLoweredLimits({ ...longestTokenBounds, refreshTokenTotal: day })).toEqual({ refreshTokenLifetime: day });
});

test.each([
  ['accessTokenLifetime', longestTokenBounds.accessToken],
  ['refreshTokenLifetime', longestTokenBounds.refreshToken],
] as const)('%s ranges up to the longest bound', (key, longest) => {
  const { parse } = protocolSettings[key];
  expect(parse([String(longest)], 'public')).toEqual({ value: longest });
  expect(parse([String(longest + 1)], 'public')).toHaveProperty('refusals');
});
