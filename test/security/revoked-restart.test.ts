import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { findProcesses, isPostgres } from '../support/processes.ts';
import { eventually, startService } from '../support/service.ts';
import { createClient, requestToken } from '../support/api-client.ts';

test('RT7 PostgreSQL is killed right after a revocation: 503, then 401 for the revoked token and 200 for others', async () => {
  await using service = await startService({ env: { RATE_LIMITS: 'off' } });
  const client = await createClient({ ...service.env, DATA_DIR: service.dataDir }, 'restart_owner');
  const issueToken = async (): Promise<string> => (await requestToken(service.baseUrl, client)).body.access_token;
  const [revoked, active] = [await issueToken(), await issueToken()];
  const call = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const response = await fetch(`${service.baseUrl}/api/v2.0/users/show`, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  for (const token of [revoked, active]) {
    await eventually('the token is accepted', async () => (await call(token)) === 200);
  }
  const response = await fetch(`${service.baseUrl}/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: revoked, client_id: client.id, client_secret: client.secret }),
  });
  expect(response.status).toBe(200);
  const postgres = (await findProcesses(service.dataDir)).find(isPostgres);
  process.kill(postgres?.pid ?? Number.NaN, 'SIGKILL');
  await delay(1000);
  const statuses = new Set<number>();
  await eventually('the service is back', async () => {
    statuses.add(await call(revoked));
    return (await call(active)) === 200;
  });
  for (let request = 0; request < 20; request += 1) statuses.add(await call(revoked));
  expect([...statuses].filter((status) => status !== 401 && status !== 503)).toEqual([]);
  await eventually('the revoked token is rejected', async () => (await call(revoked)) === 401);
});
