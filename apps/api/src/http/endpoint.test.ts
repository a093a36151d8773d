import { expect, test } from 'vitest';
import { z } from 'zod';

import { routesByName } from '@linnet/contract/routes';
import { measureGrowth, adversarialInputs, maxLinearGrowth } from '@linnet/test/social/linear-time';
import { ApiError } from './api-error.ts';
import { parseInput } from './endpoint.ts';
import { checkValues, parseFormEncoded } from './parameters.ts';

const routes = Object.entries(routesByName).filter(([, { input }]) => input instanceof z.ZodObject);

const withParameters = routes.filter(
  ([, { input }]) => z.instanceof(z.ZodObject).parse(input).keyof().options.length > 0,
);

test.each(withParameters)('R18 64 KB in any parameter of %s are read in linear time', (_name, { input }) => {
  const names = z.instanceof(z.ZodObject).parse(input).keyof().options.map(String);
  const given = (text: string) => checkValues(Object.fromEntries(names.map((name) => [name, text])));
  // White space is no value, which optional parameters need not have.
  for (const piece of adversarialInputs.filter((text) => text.trim() !== '')) {
    expect(() => parseInput({ input }, given(piece.repeat(70_000 / piece.length)))).toThrow(ApiError);
  }
  for (const piece of adversarialInputs) {
    const growth = measureGrowth(piece, (text) => input.safeParse(given(text).values));
    expect([piece, growth < maxLinearGrowth]).toEqual([piece, true]);
  }
});

const optionals = routes.flatMap(([name, { input }]) =>
  Object.entries(z.instanceof(z.ZodObject).parse(input).shape)
    .filter(([, schema]) => parse(schema, undefined) && !parse(schema, ''))
    .map(([parameter, schema]) => [name, parameter, input, parse(schema, [1])] as const),
);

function parse(schema: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(schema, value).success;
}

test('there are optional parameters, of lists and of others', () => {
  expect(optionals.length).toBeGreaterThan(20);
});

test.each(optionals)('%s: an empty %s counts as absent', (_name, parameter, input, isList) => {
  const outcome = (values: Readonly<Record<string, unknown>>) => {
    try {
      return parseInput({ input }, checkValues(values));
    } catch (error) {
      return error;
    }
  };
  // Java clients by openapi-generator send empty lists.
  for (const blank of isList ? ['', []] : ['']) expect(outcome({ [parameter]: blank })).toEqual(outcome({}));
  for (const wrong of isList ? ['\0', ' '] : ['\0', ' ', []]) {
    const error = outcome({ [parameter]: wrong });
    if (!(error instanceof ApiError)) throw new TypeError(`${JSON.stringify(wrong)} is accepted`);
    expect(error.details.errors).toContainEqual(expect.objectContaining({ parameter, code: 'invalid' }));
  }
});

const wrongValues = [null, {}, [1, {}], true, 1.5, -1, '\u0001x', 'x'.repeat(70_000)];

test.each(routes)('%s: what is wrong with a parameter is said in our words', (_name, { input }) => {
  for (const [parameter, schema] of Object.entries(z.instanceof(z.ZodObject).parse(input).shape)) {
    const issues = wrongValues.flatMap((value) => z.safeParse(schema, value).error?.issues ?? []);
    const foreign = issues.filter(({ message }) => !/^(?:must|is) /.test(message));
    expect([parameter, foreign]).toEqual([parameter, []]);
  }
});

test.each(['&', 'a=1&', '%', '%41', '+', 'a=b=', '[', '%00', '%ff'])(
  '64 KB of "%s" as a form are read in linear time',
  (piece) => {
    expect(measureGrowth(piece, parseFormEncoded)).toBeLessThan(maxLinearGrowth);
  },
);
