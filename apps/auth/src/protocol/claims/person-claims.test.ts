import { expect, test } from 'vitest';

import { toGrantedClaims } from './claims.ts';

const person = {
  ...{ id: 7, username: 'ada', displayName: 'Ada', firstName: 'Ada', lastName: 'Lovelace', language: 'en' },
  ...{ updatedAt: 1_760_000_000, email: 'ada@example.org', emailVerified: true },
} as const;

test.each([
  [`${'ab'.repeat(16)}.png`, `https://cdn.example/media/thumb/${'ab'.repeat(16)}.png`],
  [null, expect.stringMatching(/^https:\/\/cdn\.example\/media\/avatars\/[0-9a-f]{16}\.png$/)],
])('the picture has the origin of public media, the profile that of the service (%s)', (avatar, picture) => {
  const origins = { baseUrl: 'https://linnet.example', mediaUrl: 'https://cdn.example' };
  const claims = toGrantedClaims({ ...person, avatar }, origins, new Set(['profile']));
  expect(claims).toMatchObject({ picture, profile: 'https://linnet.example/@ada' });
});
