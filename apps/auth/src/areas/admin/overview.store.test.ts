// What operators see first.
import { createTestDatabase } from '@linnet/test/db/test-database';
import { insertAccount } from '@linnet/test/db/insert-account';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { findElements } from '@linnet/test/auth/html';
import { registerOperator } from '@linnet/test/auth/operator';
import type { Page } from '@linnet/test/auth/browser';
import type { PersonWithApp } from '@linnet/test/auth/operator';
import { startAuth } from '@linnet/test/auth/running-auth';
import type { RunningAuth } from '@linnet/test/auth/running-auth';

const cleanup = new AsyncDisposableStack();
let auth: RunningAuth;
let olga: PersonWithApp;
beforeAll(async () => {
  const database = cleanup.use(await createTestDatabase(inject('databaseServer')));
  auth = cleanup.use(await startAuth(database.url));
  olga = await registerOperator(auth, 'operator_olga');
});
afterAll(() => cleanup.disposeAsync());

/** The facts of a list by its test id, as `label value`. */
function factsOf({ html }: Page, testId: string): readonly string[] {
  const [, list = ''] = new RegExp(`data-testid="${testId}">(.*?)</dl>`, 's').exec(html) ?? [];
  return list.split('</dd>').map((fact) =>
    fact
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

test('shows counts, keys, queues and events, each of this moment', async () => {
  const before = factsOf(await olga.browser.open('/admin'), 'counts');
  await auth.db.prisma.mail.deleteMany();
  const people = Number(/^People (\d+)$/.exec(before[0] ?? '')?.[1]);
  expect([people > 0, before[1]]).toEqual([true, 'Suspended 0']);
  const id = await insertAccount(auth.db, 'somebody_new');
  await auth.db.prisma.account.update({ where: { id }, data: { suspendedAt: new Date() } });
  await auth.db.prisma.$executeRaw`
    INSERT INTO rate_limit (key, points, expire) VALUES ('mail:x', 1, now() + interval '1 minute'), ('mail:y', 1, now() - interval '1 minute')`;
  const page = await olga.browser.open('/admin');
  expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(factsOf(page, 'counts').slice(0, 2)).toEqual([`People ${String(people + 1)}`, 'Suspended 1']);
  expect(factsOf(page, 'health')[0]).toMatch(/^Queued mail \d · on time$/);
  expect(factsOf(page, 'health')[3]).toMatch(/^Revocations read \d(?:\.\d)? s ago$/);
  expect(factsOf(page, 'limits')).toContain('mail 1');
  const keys = await auth.db.prisma.signingKey.findMany();
  for (const { kid } of keys) expect(page.text).toContain(kid);
  expect(page.text).toContain('account.suspended');
});

test('mail that is late is marked', async () => {
  await auth.db.prisma.mail.deleteMany();
  await auth.db.prisma.$executeRaw`
    INSERT INTO mail (account_id, kind, recipient, due_at)
    VALUES (${olga.id}, 'verify_email', 'olga@example.org', now() - interval '3 hours')`;
  const page = await olga.browser.open('/admin');
  expect(factsOf(page, 'health')[0]).toBe('Queued mail 1 · 3 hours late');
  expect(
    findElements(page.html, 'span').filter(({ attributes }) => attributes['class'] === 'tag warning'),
  ).toHaveLength(1);
});
