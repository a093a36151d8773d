import { expect, test } from 'vitest';

import { toAccount } from './account-view.ts';

const row = {
  id: 2 ** 53 - 1,
  username: 'Ada_L',
  displayName: 'Countess',
  firstName: 'Ada',
  lastName: 'Lovelace',
  description: '',
  country: '',
  verified: true,
  followersCount: 1,
  followingCount: 2,
  postsCount: 3,
  avatar: null,
};
const context = {
  baseUrl: 'https://chirp.example',
  serviceName: 'chirp',
  mediaUrl: 'https://cdn.example',
  mediaSignatures: { sign: () => '', verify: () => undefined },
};

test('D3 D5 kind and link carry the name and origin of the service; D6 the avatar is an absolute URL of public media; D7 verified is 0 or 1', () => {
  const account = toAccount(row, context);
  expect(account).toMatchObject({ kind: 'chirp#account', link: 'https://chirp.example/@Ada_L', verified: 1 });
  expect(account.avatar).toMatch(/^https:\/\/cdn\.example\/media\/avatars\/[0-9a-f]{16}\.png$/);
  expect(toAccount({ ...row, verified: false, avatar: 'photo.png' }, context)).toMatchObject({
    verified: 0,
    avatar: 'https://cdn.example/media/thumb/photo.png',
  });
});

test('D9 leaves out e-mail address, language and dates, which only GET /users/show returns', () => {
  const keys = Object.keys(toAccount(row, context));
  expect(keys).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(email|language|created.*)$/)]));
});
