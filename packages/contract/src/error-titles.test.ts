import { expect, test } from 'vitest';

import { errorTitle } from './error-titles.ts';
import { errorCatalogue } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import { languages } from './languages.ts';

const codes = Object.keys(errorCatalogue) as ErrorCode[];

test('every code has its own title in every language', () => {
  for (const language of languages) {
    const titles = codes.map((code) => errorTitle(code, language));
    expect(titles.filter((title) => title.trim() === '' || title.endsWith('.'))).toEqual([]);
    expect(new Set(titles).size).toBe(codes.length);
  }
});

test.each(languages.filter((language) => language !== 'en'))('titles are translated (%s)', (language) => {
  expect(codes.filter((code) => errorTitle(code, language) === errorTitle(code, 'en'))).toEqual([]);
});
