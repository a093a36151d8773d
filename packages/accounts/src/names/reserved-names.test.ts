import { describe, expect, test } from 'vitest';

import { hasServiceName, isReservedName } from './reserved-names.ts';

describe('reserved for a service called linnet', () => {
  test.each([
    'Linnet',
    'linnet',
    'LINNET',
    'Lіnnet',
    'Iinnet',
    '1innet',
    'L i n n e t',
    'Linnet Support',
    'linnet_support',
    'support_linnet',
    'LinnetSupport',
    'Linnet Support Team',
    'The Linnet Team',
    'Official Linnet Account',
    'linnet2026',
    'linnet_24_support',
    'admin',
    'adm1n',
    'Adrnin',
    'admin_1',
    'administrator1',
    '007_administrator',
    'Support',
    'Support 24',
    'Help Desk',
    'Customer'.replace('Customer', 'Security Staff'),
    'r00t',
    'System Administrator',
    'MODERATOR',
    '𝐀𝐝𝐦𝐢𝐧',
    'ѕуѕtеm',
    'Linn3t',
    'h3lp',
    '4dmin',
    'St4ff 7eam',
    'Adrninistrator',
    'web-rnaster',
  ])('"%s"', (name) => {
    expect(isReservedName(name, 'linnet')).toBe(true);
  });
});

describe('not reserved for a service called linnet', () => {
  test.each([
    'Ada Lovelace',
    'ada_lovelace',
    'user_12ab',
    'admin_test',
    'Elihu Root',
    'Linnet Ridgeway',
    'linnet_fan',
    'Linneta',
    'Linnet Test App',
    'Linnet CLI',
    'Supporters of Scunthorpe',
    'Helpful Bot',
    'rootbeer',
    'systematic',
    'staffordshire',
    'security_guard_joe',
    'test_1234',
    '12345',
    '___',
    '山田',
    'h3ll0',
    'Studio 54',
    'team_account',
    'The Desk',
  ])('"%s"', (name) => {
    expect(isReservedName(name, 'linnet')).toBe(false);
  });
});

test('another name of the service is reserved instead', () => {
  expect(
    ['Little Bird', 'little-bird', 'LittleBird Support', 'littlebird1'].map((name) =>
      isReservedName(name, 'little-bird'),
    ),
  ).toEqual([true, true, true, true]);
  expect(isReservedName('Linnet', 'little-bird')).toBe(false);
});

test('a name with the name of the service as a word is found, whatever it looks like', () => {
  const found = ['Linnet for Android', 'My Lіnnet', 'the L1NNET bot', '“Linnet” tools', 'go.linnet.example'];
  expect(found.map((name) => hasServiceName(name, 'linnet'))).toEqual([true, true, true, true, true]);
  expect(
    ['Linnets of Europe', 'Linneta', 'Spinnet', 'Lin net work'].map((name) => hasServiceName(name, 'linnet')),
  ).toEqual([false, false, false, true]);
  expect(
    ['A Little Bird bot', 'little-bird tools', 'A little birdhouse'].map((name) => hasServiceName(name, 'little-bird')),
  ).toEqual([true, true, false]);
});

test('the longest name of one repeated word is checked without delay', () => {
  expect(isReservedName('admin'.repeat(500), 'a')).toBe(true);
  expect(isReservedName(`${'a'.repeat(2000)}b`, 'a')).toBe(false);
});

test('so are names of parts of the service', () => {
  const others = ['API Explorer'];
  for (const name of ['API Explorer', 'api-explorer', 'Ap1 Expl0r3r', 'The Linnet API Explorer', 'API Explorer 2']) {
    expect(isReservedName(name, 'linnet', others), name).toBe(true);
  }
  expect(isReservedName('API Explorer for birds', 'linnet', others)).toBe(false);
  expect(isReservedName('API Explorer', 'linnet')).toBe(false);
});
