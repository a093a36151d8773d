import { createApplication } from '@linnet/sdk';
import { createTestDatabase } from '../support/db/test-database.ts';
import { expect, inject, test } from 'vitest';

import { findProcesses, isWorker } from '../support/processes.ts';
import { eventually, runLinnet, startService, statusOf } from '../support/service.ts';
import type { Variables } from '../support/service.ts';

/** `linnet demo seed`: once, and only without real accounts. */

async function seed(env: Variables, ...args: readonly string[]) {
  const { exitCode, stdout } = await runLinnet(['demo', 'seed', '--json', ...args], env);
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return { exitCode, document: JSON.parse(stdout) };
}

test('seeds a demo once, and its bot works with the printed credentials', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using service = await startService({ env: { DATABASE_URL: database.url, WORKERS: '1' } });
  const { exitCode, document } = await seed(service.env);
  expect([exitCode, document.accounts[0], document.posts]).toEqual([0, 'mara_okafor', 16]);
  expect(await statusOf(`${service.baseUrl}/@mara_okafor`)).toBe(200);

  const bot = document.applications.find((one: { client_secret?: string }) => one.client_secret !== undefined);
  const credentials = { clientId: bot.client_id, clientSecret: bot.client_secret };
  const linnet = createApplication({ issuer: service.baseUrl, ...credentials }).asItself();
  const mara = await linnet.users.show({ username: 'mara_okafor' });
  expect(mara).toMatchObject({ verified: 1, action: { posts: 2, followers: 7, following: 4 } });
  expect((await linnet.posts.show(mara.post?.id ?? 0)).media.image).toContain('/media/');
  // A protected account: approved followers only; the others have requested.
  const tove = await linnet.users.show({ username: 'tove_lind' });
  expect(tove.action.followers).toBe(2);
  await expect(linnet.posts.list({ user_id: tove.id })).rejects.toMatchObject({ code: 'protected-account' });

  // Optional scopes were granted as well.
  const calendar = document.applications.find(({ name }: { name: string }) => name === 'Birthday calendar');
  const consents = await database.db.prisma.grant.findMany({
    where: { clientId: calendar.client_id, kind: 'consent' },
  });
  expect(consents.map(({ scopes }) => scopes.toSorted())).toEqual(
    Array.from({ length: 3 }, () => ['email', 'users:read']),
  );

  const again = await seed(service.env, '--force');
  expect([again.exitCode, again.document.error.code]).toEqual([1, 'demo-exists']);

  // As `pnpm dev` does after a change: new workers replace the old ones.
  const workers = async () => (await findProcesses(service.dataDir)).filter(isWorker).map(({ pid }) => pid);
  const before = await workers();
  process.kill(service.pid, 'SIGUSR2');
  await eventually('the worker is replaced', async () => {
    const now = await workers();
    return now.length === before.length && now.every((pid) => !before.includes(pid));
  });
  expect(await statusOf(`${service.baseUrl}/@mara_okafor`)).toBe(200);
});

test('seeds nothing beside real accounts or in production', async () => {
  const { env } = inject('service');
  const words = ['user', 'create', '--email', 'real@example.org', '--password', 'correct horse', '--json'];
  await runLinnet([...words, '--first-name', 'Real', '--last-name', 'Person'], env);
  expect((await seed(env)).document.error.code).toBe('accounts-exist');
  const production = {
    NODE_ENV: 'production',
    SECRET_KEYS: 'a secret of every process here',
    MEDIA_FETCH_ALLOW: undefined,
  };
  expect((await seed({ ...env, ...production })).document.error.code).toBe('production');
});
