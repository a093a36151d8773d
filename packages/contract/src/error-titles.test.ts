import { expect, test } from 'vitest';

import { errorTitle, titleLanguages } from './error-titles.ts';
import { errorCatalogue } from './errors.ts';
import type { ErrorCode } from './errors.ts';

const codes = Object.keys(errorCatalogue) as ErrorCode[];

test('every code has a title of its own in every language', () => {
  for (const language of titleLanguages) {
    const titles = codes.map((code) => errorTitle(code, language));
    expect(titles.filter((title) => title.trim() === '' || title.endsWith('.'))).toEqual([]);
    expect(new Set(titles).size).toBe(codes.length);
  }
});

test.each(titleLanguages.filter((language) => language !== 'en'))('titles are translated (%s)', (language) => {
  expect(codes.filter((code) => errorTitle(code, language) === errorTitle(code, 'en'))).toEqual([]);
});
