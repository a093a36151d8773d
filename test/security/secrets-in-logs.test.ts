import { startApi } from '../support/api/running-api.ts';
import { findLastAuditEvents } from '@linnet/audit/audit-store';
import { createBrowser } from '../support/auth/browser.ts';
import { connect } from '../support/auth/connected.ts';
import { linkIn, mailTo } from '../support/auth/mailbox.ts';
import { registerPerson, signIn } from '../support/auth/person.ts';
import { basic, startAuth } from '../support/auth/running-auth.ts';
import { createTestDatabase } from '../support/db/test-database.ts';
import { expect, inject, test, vi } from 'vitest';

// Uses every kind of secret, correctly and incorrectly, then searches all logs for them.
test('LG1 no log, audit event or rejected request contains a password, secret, code, token, state, cookie or e-mail address', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using auth = await startAuth(database.url);
  await using api = await startApi(database.url);
  const canaries = new Map<string, string>();
  const keep = (name: string, value: unknown): string => {
    const text = String(value);
    expect(text.length, name).toBeGreaterThan(8);
    canaries.set(name, text);
    return text;
  };

  const person = await registerPerson(auth.db, 'canary_person');
  keep('password', person.password);
  keep('e-mail address', person.email);
  const browser = createBrowser(auth);
  await signIn(browser, { ...person, password: keep('wrong password', 'canary-wrong-password') });
  await signIn(browser, { username: keep('password as a name', 'canary-typed-too-early'), password: 'x' });
  await signIn(browser, person);
  for (const name of browser.cookies.names) keep(`cookie ${name}`, browser.cookies.value(name));

  const app = await connect(auth, browser);
  keep('access token', app.accessToken);
  keep('refresh token', app.refreshToken);
  const callback = await app.send(browser, { state: keep('state', 'Y2FuYXJ5LXN0YXRl') });
  keep('code', callback.url.searchParams.get('code'));
  const exchanged = await app.exchange(callback);
  const { json: refreshed } = await app.refresh(keep('second refresh token', exchanged.json['refresh_token']));
  keep('third refresh token', refreshed['refresh_token'] ?? app.refreshToken);
  // Its refresh token was used, so this is a replay.
  await app.exchange(callback);
  await app.refresh(keep('no refresh token', 'canary-refresh-token'));
  await app.send(browser, {
    redirect_uri: `https://elsewhere.example/cb?state=${keep('other state', 'Y2FuYXJ5LW90aGVy')}`,
  });

  const forgotten = await browser.open('/password/forgot');
  await browser.submit(forgotten, forgotten.formOf('forgot-password'), { email: person.email });
  await auth.deliverMail();
  const links = (await mailTo(auth.mailDirectory, person.email))
    .filter(({ text }) => text.includes('token='))
    .map(linkIn);
  expect(links).toHaveLength(2);
  for (const link of links) keep(link.split('=')[0] ?? '', link.split('=')[1]);
  for (const link of links) await browser.open(link);
  await browser.open(`/verify-email?token=${keep('no token of mail', 'canary-token-of-mail-never-given')}`);
  const [, reset] = links;
  const shown = await browser.open(reset ?? '');
  const next = keep('next password', 'canary next password');
  await browser.submit(shown, shown.formOf('reset-password'), { new_password: next });
  await browser.submit(shown, shown.formOf('reset-password'), { new_password: next });

  const { clientId, clientSecret } = await auth.register();
  const secret = keep('client secret', clientSecret);
  await auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, secret));
  const wrong = keep('wrong client secret', 'canary-client-secret');
  await auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, wrong));
  await auth.requestToken({ grant_type: 'client_credentials', client_id: clientId, client_secret: wrong });
  await auth.requestToken(
    { grant_type: 'authorization_code', code: keep('no code', 'canary-code') },
    basic(clientId, secret),
  );

  const path = '/api/v2.0/users/show';
  await api.get(path, { authorization: `Bearer ${app.accessToken}`, cookie: `canary=${wrong}` });
  await api.get(`${path}?access_token=${keep('token in an address', 'canary-access-token')}`);
  await api.call('GET /users/show');

  const readLogs = async () => {
    const audit = await findLastAuditEvents(auth.db, 10_000);
    const failures = await auth.db.prisma.requestLog.findMany({ omit: { id: true } });
    return {
      audit: JSON.stringify(audit),
      failures: JSON.stringify(failures, (_name, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
      auth: auth.log.join(''),
      api: api.log.join(''),
    };
  };
  await vi.waitFor(async () => {
    const { audit, failures, ...logs } = await readLogs();
    expect(failures).toContain('https://elsewhere.example/cb');
    expect(failures).toContain('credentials');
    expect(audit).toContain('session.refused');
    expect(audit).toContain('code.replayed');
    expect(logs.auth).toContain('client refused');
    expect(logs.api).toContain(path);
  }, 50_000);
  const found = Object.entries(await readLogs()).flatMap(([where, text]) =>
    [...canaries].flatMap(([name, value]) => (text.includes(value) ? [`${name} in ${where}`] : [])),
  );
  expect(canaries.size).toBeGreaterThan(14);
  expect(found).toEqual([]);
});
