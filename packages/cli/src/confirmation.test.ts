import { PassThrough } from 'node:stream';

import { expect, test } from 'vitest';

import { requireConfirmation, toSubject } from './confirmation.ts';

const plan = { verb: 'suspend', subjects: [toSubject({ id: 7, username: 'ada' })], isConfirmed: false };

async function answer(typed: string, changes: Partial<typeof plan> = {}, isTTY = true) {
  const shown: string[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY });
  stdin.end(typed);
  const terminal = { stdin, stderr: { write: (text: string) => shown.push(text) } };
  const outcome = await requireConfirmation({ ...plan, ...changes }, terminal).then(
    () => 'confirmed',
    (error: unknown) => Reflect.get(Object(error), 'code'),
  );
  return { outcome, shown: shown.join('') };
}

test.each([
  ['y\n', 'confirmed'],
  ['YES\n', 'confirmed'],
  ['n\n', 'not-confirmed'],
  ['\n', 'not-confirmed'],
  ['', 'not-confirmed'],
  ['yesterday\n', 'not-confirmed'],
])('%j: %s', async (typed, outcome) => {
  expect(await answer(typed)).toEqual({
    outcome,
    shown: 'This would suspend 1 account: ada (id 7).\nContinue? [y/N] ',
  });
});

test('asks nobody who cannot answer, and not when it is confirmed or nothing', async () => {
  expect(await answer('y\n', {}, false)).toEqual({ outcome: 'not-confirmed', shown: '' });
  expect(await answer('', { isConfirmed: true })).toEqual({ outcome: 'confirmed', shown: '' });
  expect(await answer('', { subjects: [] }, false)).toEqual({ outcome: 'confirmed', shown: '' });
});
