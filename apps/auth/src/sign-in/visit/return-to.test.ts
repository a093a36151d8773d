import { describe, expect, test } from 'vitest';

import { parseReturnTo } from './return-to.ts';

const baseUrl = 'https://linnet.example';

describe('UI9: only a path of our own is accepted', () => {
  test.each([
    ['/developer', '/developer'],
    ['/', '/'],
    ['/developer/applications/abc?a=b&c=d%20e', '/developer/applications/abc?a=b&c=d%20e'],
    ['/account/sessions#first', '/account/sessions'],
    ['/a/../account', '/account'],
    ['/@ada', '/@ada'],
    ['/login?return_to=%2F%2Fevil.example', '/login?return_to=%2F%2Fevil.example'],
  ])('%s leads to %s', (text, expected) => {
    expect(parseReturnTo(text, baseUrl)).toBe(expected);
  });

  test.each([...hostileAddresses()])('%j is ignored', (text) => {
    expect(parseReturnTo(text, baseUrl)).toBeUndefined();
  });

  test('an accepted path stays on our origin for a browser', () => {
    const accepted = ['/;//evil.example', '/a//evil.example', '/?//evil.example'].map((text) =>
      parseReturnTo(text, baseUrl),
    );
    expect(accepted.map((text) => new URL(text ?? '', baseUrl).origin)).toEqual([baseUrl, baseUrl, baseUrl]);
  });

  test.each([undefined, null, ['/a', '/b'], 1, '', `/${'x'.repeat(2048)}`])('%j is not a path', (value) => {
    expect(parseReturnTo(value, baseUrl)).toBeUndefined();
  });
});

/** Spellings that browsers or servers have resolved to another origin. */
function* hostileAddresses(): Generator<string> {
  const host = 'evil.example';
  yield* [`//${host}`, `///${host}`, `////${host}/%2e%2e`, `//${host}/`, `//user@${host}`, `//linnet.example@${host}`];
  yield* [`/\\${host}`, `\\/${host}`, `\\\\${host}`, `/\\/${host}`, `/\\\\${host}`, `/${host}\\..`];
  yield* [
    `https:${host}`,
    `https:/${host}`,
    `https://${host}`,
    `http://${host}`,
    `HTTPS://${host}`,
    `https:///${host}`,
  ];
  yield* [`javascript:alert(1)`, `JaVaScRiPt:alert(1)`, `data:text/html,x`, `vbscript:x`, `blob:https://${host}/x`];
  yield* [`/\t/${host}`, `\t//${host}`, `/\n/${host}`, `/\r/${host}`, `/\r\n/${host}`, `/a\r\nLocation: //${host}`];
  yield* [` //${host}`, `/ /${host}`, `\u0000//${host}`, `/\u0000/${host}`, `/\u200b/${host}`, `\u00a0//${host}`];
  yield* [`/.//${host}`, `/..//${host}`, `/a/..//${host}`, `/a/%2e%2e//${host}`, `/%2e//${host}`, `/./\\${host}`];
  yield* [`／／${host}`, `/／${host}`, `//${host}%00`, `//%5c${host}`, `/\u2028/${host}`, `//evil。example`];
  yield* [
    `/%09/${host}`,
    `/%0d%0a/${host}`,
    `/%2F/${host}`,
    `/%5cevil.example`,
    `/%00/${host}`,
    `/a/%2e%2e/%2f${host}`,
  ];
  yield* [host, `@${host}`, `.${host}`, `?//${host}`, `#//${host}`, `https://linnet.example.${host}`];
  yield* [
    `https://linnet.example`,
    `//linnet.example`,
    `https://linnet.example/account`,
    `mailto:a@b.c`,
    `ftp://${host}`,
  ];
}
