import { expect, test } from 'vitest';

import { toEmailAddress } from './email-address.ts';

test.each([
  ['a@b.example', 'a@b.example'],
  ['Ada.L+list@Mail.Example.ORG', 'Ada.L+list@Mail.Example.ORG'],
  ['a@bücher.example', 'a@xn--bcher-kva.example'],
  ['a@BÜCHER.example', 'a@xn--bcher-kva.example'],
  ['a@bu\u0308cher.example', 'a@xn--bcher-kva.example'],
  ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
  ['a@правда.example', 'a@xn--80aafi6cg.example'],
  ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
  ['a@1-2.3com', 'a@1-2.3com'],
])('%s is an address', (text, address) => {
  expect(toEmailAddress(text)).toBe(address);
});

test.each([
  ...[
    '',
    '@',
    'a',
    'a@',
    '@b.example',
    'a@b',
    'a@localhost',
    'a@bücher',
    'a@b.',
    'a@.b',
    'a@b..example',
    'a@b.example.',
  ],
  ...['a@1.2.3.4', 'a@[1.2.3.4]', 'a@b.1', 'a@-b.example', 'a@b-.example', `a@${'b'.repeat(64)}.example`],
  ...[
    'a b@c.example',
    'a@b@c.example',
    'ä@b.example',
    'a@b_c.example',
    'a@b.example\n',
    'a@bü/x.example',
    'a@bü?.example',
  ],
  ...[
    'a@bü#.example',
    'a@bü:80.example',
    'a@b%C3%BC.example',
    'a@bü%2F.example',
    'a@ü\u202E.example\u0000',
    'a@b\u200B',
    ' a@b.example',
  ],
  `${'a'.repeat(250)}@b.example`,
])('%j is none', (text) => {
  expect(toEmailAddress(text)).toBeUndefined();
});
