import { expect, test, vi } from 'vitest';

import { run } from '@linnet/test/cli/run';

test('config check reports every problem of a server, and shows no secret', async () => {
  vi.stubEnv('BASE_URL', '');
  vi.stubEnv('DATABASE_URL', 'postgresql://canary@db.example/linnet');
  vi.stubEnv('TRUST_PROXY', 'yes');
  const { status, stdout } = await run('config', 'check', '--server', 'auth', '--json');
  vi.unstubAllEnvs();
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    server: 'auth',
    problems: [expect.stringMatching(/^BASE_URL: is required/), expect.stringMatching(/^TRUST_PROXY: must be/)],
  });
  expect(JSON.parse(stdout)['variables']).toContainEqual({
    name: 'DATABASE_URL',
    value: '[secret]',
    source: 'environment',
  });
  expect(stdout).not.toContain('canary');
});
