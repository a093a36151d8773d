import { expect, test } from 'vitest';

import { parseRecord } from './record.ts';

test.each([
  ['(17,ada,t)', ['17', 'ada', 't']],
  ['(,"",,)', [null, '', null, null]],
  ['("Ada ""A."" (Lovelace), Countess")', ['Ada "A." (Lovelace), Countess']],
  ['("C:\\\\x","two\nlines",b)', ['C:\\x', 'two\nlines', 'b']],
  ['("""","\\\\","""""")', ['"', '\\', '""']],
])('%j', (text, fields) => {
  expect(parseRecord(text)).toEqual(fields);
});
