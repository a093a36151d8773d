import { expect, test } from 'vitest';

import { decodeForm, decodeUtf8 } from './form-decoder.ts';

test('decodes names and values in order and keeps repeated names', () => {
  expect(decodeForm('name=%C3%84pfel+%26&x%3Dy=1=2&&empty=&flag&name=b')).toEqual([
    { name: 'name', value: 'Äpfel &' },
    { name: 'x=y', value: '1=2' },
    { name: 'empty', value: '' },
    { name: 'flag', value: '' },
    { name: 'name', value: 'b' },
  ]);
  expect(decodeForm('')).toEqual([]);
});

test.each([
  ['a=%FF', 'a'],
  ['a=%ED%A0%80', 'a'],
  ['a=%E0%A4%A', 'a'],
  ['%=a', '%'],
])('marks %j as invalid', (text, name) => {
  expect(decodeForm(text)).toEqual([{ name, value: undefined }]);
});

test('decodes UTF-8 strictly', () => {
  const latin1 = Buffer.from('\u{FEFF}ü').toString('latin1');
  expect(decodeUtf8(latin1, { keepByteOrderMark: true })).toBe('\u{FEFF}ü');
  expect(decodeUtf8(latin1, { keepByteOrderMark: false })).toBe('ü');
  expect(decodeUtf8('a\u{FF}', { keepByteOrderMark: false })).toBeUndefined();
});
