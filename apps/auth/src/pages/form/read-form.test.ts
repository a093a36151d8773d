import { describe, expect, test } from 'vitest';

import { FormRefused } from './form.ts';
import { readForm } from './read-form.ts';
import type { Form } from './form.ts';
import { createContext } from '@linnet/test/auth/koa-context';

const formType = 'application/x-www-form-urlencoded';

async function read(body: string | Uint8Array, type = formType): Promise<Form> {
  return await readForm(createContext({ method: 'POST', headers: { 'content-type': type }, body }));
}

async function statusOf(reading: Promise<Form>): Promise<number> {
  const error: unknown = await reading.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (error instanceof FormRefused) return error.status;
  throw new Error('the form was not refused', { cause: error });
}

describe('fields', () => {
  test('are read unchanged', async () => {
    const form = await read('name=%C3%84pfel+%26+Birnen&empty=&text=a%0D%0Ab&x%3Dy=1=2&%20=+');
    expect(form.text('name')).toBe('Äpfel & Birnen');
    expect(form.text('empty')).toBe('');
    expect(form.text('text')).toBe('a\r\nb');
    expect(form.text('x=y')).toBe('1=2');
    expect(form.text(' ')).toBe(' ');
    expect(form.text('missing')).toBe('');
  });

  test('may have names of Object.prototype members', async () => {
    const form = await read('__proto__=a&constructor=b');
    expect([form.text('__proto__'), form.text('constructor'), form.text('toString')]).toEqual(['a', 'b', '']);
  });

  test('with several values are read in order', async () => {
    const form = await read('scope=users&scope=posts&scope=email');
    expect(form.all('scope')).toEqual(['users', 'posts', 'email']);
    expect(form.all('missing')).toEqual([]);
  });

  test('with a single value must not be repeated, even with the same value', async () => {
    const form = await read('login=ada&login=ada');
    expect(() => form.text('login')).toThrow(FormRefused);
  });

  test('are present if they have a value', async () => {
    const form = await read('implicit=yes&act_as_owner=');
    expect([form.has('implicit'), form.has('act_as_owner'), form.has('missing')]).toEqual([true, false, false]);
  });

  test('are split into lines at any line ending', async () => {
    const form = await read('uris=a%0D%0A+b+%0A%0Ac%0Dd&uris=e&uris=');
    expect(form.lines('uris')).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(form.lines('missing')).toEqual([]);
  });

  test('may be absent', async () => {
    expect((await readForm(createContext({ method: 'POST' }))).has('csrf')).toBe(false);
    expect((await read('')).has('csrf')).toBe(false);
    expect((await read('&&')).all('')).toEqual([]);
  });

  test('are UTF-8 whatever the charset parameter says; a byte order mark is a character', async () => {
    expect((await read('name=\u{FEFF}ü', `${formType}; charset=iso-8859-1`)).text('name')).toBe('\u{FEFF}ü');
    expect((await read('\u{FEFF}=a')).text('\u{FEFF}')).toBe('a');
  });
});

describe('rejects', () => {
  test.each([
    ['octets that are not UTF-8', new Uint8Array([0x61, 0x3d, 0xff])],
    ['percent-encoded octets that are not UTF-8', 'a=%FF'],
    ['a lone surrogate', 'a=%ED%A0%80'],
    ['a broken percent-encoding', 'a=%E0%A4%A'],
    ['a broken percent-encoding in a name', '%=a'],
    ['NUL', 'a=b%00c'],
    ['NUL in a name', 'a%00=b'],
    ['NUL as an octet', 'a=\0'],
  ])('%s', async (_case, body) => {
    expect(await statusOf(read(body))).toBe(400);
  });

  test.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain', ''])('the type %j', async (type) => {
    expect(await statusOf(read('csrf=x', type))).toBe(415);
  });

  test('more than 64 KB, with or without Content-Length', async () => {
    const name = 'text=';
    expect((await read(name + 'a'.repeat(64 * 1024 - name.length))).text('text')).toHaveLength(64 * 1024 - name.length);
    expect(await statusOf(read(name + 'a'.repeat(64 * 1024 - name.length + 1)))).toBe(413);
    const chunked = createContext({
      method: 'POST',
      headers: { 'content-type': formType, 'transfer-encoding': 'chunked' },
      body: 'a'.repeat(70_000),
    });
    delete chunked.req.headers['content-length'];
    expect(await statusOf(readForm(chunked))).toBe(413);
  });

  test('an unknown content encoding', async () => {
    const headers = { 'content-type': formType, 'content-encoding': 'snail' };
    expect(await statusOf(readForm(createContext({ method: 'POST', headers, body: 'a=b' })))).toBe(415);
  });
});
