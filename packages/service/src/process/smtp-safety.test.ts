import { expect, test } from 'vitest';

import { Secret } from '../config/secret.ts';
import { findSmtpRisk } from './smtp-safety.ts';

test.each([
  ['smtp://user:canary@mail.example.org', true],
  ['smtp://10.0.0.5:587', true],
  ['smtp://127.example.org', true],
  ['smtps://user:canary@mail.example.org', false],
  ['smtp://localhost:25', false],
  ['smtp://127.0.0.1:2525', false],
  ['smtp://[::1]:2525', false],
])('%s may send mail in clear text: %s', (url, isRisk) => {
  const smtpUrl = new Secret(url);
  const risk = findSmtpRisk({ smtpUrl, smtpRequireTls: false });
  expect(risk?.includes('SMTP_REQUIRE_TLS=on') ?? false).toBe(isRisk);
  expect(risk ?? '').not.toContain('canary');
  expect(findSmtpRisk({ smtpUrl, smtpRequireTls: true })).toBeUndefined();
});

test('there is no risk without a mail server', () => {
  expect(findSmtpRisk({ smtpUrl: undefined, smtpRequireTls: false })).toBeUndefined();
});
