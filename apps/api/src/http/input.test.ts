import { expect, test } from 'vitest';
import { z } from 'zod';

import { routesByName } from '@linnet/contract/routes';
import { measureGrowth, adversarialInputs, maxLinearGrowth } from '@linnet/social/testing/linear-time';
import { ApiError } from './api-error.ts';
import { parseInput } from './input.ts';
import { checkValues, parseFormEncoded } from './parameters.ts';

const routes = Object.entries(routesByName).filter(([, { input }]) => input instanceof z.ZodObject);

test.each(routes)('R18 64 KB in any parameter of %s are read in linear time', (_name, { input }) => {
  const names = z.instanceof(z.ZodObject).parse(input).keyof().options.map(String);
  const given = (text: string) => checkValues(Object.fromEntries(names.map((name) => [name, text])));
  for (const piece of adversarialInputs) {
    expect(() => parseInput(input, given(piece.repeat(70_000 / piece.length)))).toThrow(ApiError);
    const growth = measureGrowth(piece, (text) => input.safeParse(given(text).values));
    expect([piece, growth < maxLinearGrowth]).toEqual([piece, true]);
  }
});

test.each(['&', 'a=1&', '%', '%41', '+', 'a=b=', '[', '%00', '%ff'])(
  '64 KB of "%s" as a form are read in linear time',
  (piece) => {
    expect(measureGrowth(piece, parseFormEncoded)).toBeLessThan(maxLinearGrowth);
  },
);
