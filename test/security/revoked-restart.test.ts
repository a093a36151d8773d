import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { findProcesses, isPostgres } from '../support/processes.ts';
import { eventually, startService } from '../support/service.ts';
import { createClient, requestToken } from '../support/walk-through.ts';

test('RT7 PostgreSQL is killed just after a token was revoked: 503 meanwhile, then 401 for it and 200 for others', async () => {
  await using service = await startService({ env: { RATE_LIMITS: 'off' } });
  const client = await createClient({ ...service.env, DATA_DIR: service.dataDir }, 'restart_owner');
  const tokenOf = async (): Promise<string> => (await requestToken(service.baseUrl, client)).body.access_token;
  const [revoked, living] = [await tokenOf(), await tokenOf()];
  const call = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const answer = await fetch(`${service.baseUrl}/api/v2.0/users/show`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  expect([await call(revoked), await call(living)]).toEqual([200, 200]);
  const answer = await fetch(`${service.baseUrl}/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: revoked, client_id: client.id, client_secret: client.secret }),
  });
  expect(answer.status).toBe(200);
  const postgres = (await findProcesses(service.dataDir)).find(isPostgres);
  process.kill(postgres?.pid ?? Number.NaN, 'SIGKILL');
  await delay(1000);
  const seen = new Set<number>();
  await eventually('the service is back', async () => {
    seen.add(await call(revoked));
    return (await call(living)) === 200;
  });
  for (let request = 0; request < 20; request += 1) seen.add(await call(revoked));
  expect([...seen].filter((status) => status !== 401 && status !== 503)).toEqual([]);
  expect(await call(revoked)).toBe(401);
});
