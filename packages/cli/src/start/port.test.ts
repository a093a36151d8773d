import { once } from 'node:events';
import { createServer } from 'node:net';

import { expect, test } from 'vitest';

import { checkPort } from './port.ts';

test('a free port passes and stays free; port 0 gets a number', async () => {
  const port = await checkPort({ host: '127.0.0.1', port: 0 });
  expect(port).toBeGreaterThan(0);
  expect(await checkPort({ host: '127.0.0.1', port })).toBe(port);
});

test('a port that another program has is said to be taken by another program', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const port = Number(Reflect.get(Object(other.address()), 'port'));
  await expect(checkPort({ host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'port-taken',
    message: `Port ${String(port)} is taken by another program. Choose another one with PORT.`,
  });
  other.close();
});

test('a HOST that is not ours is named', async () => {
  await expect(checkPort({ host: '192.0.2.1', port: 0 })).rejects.toMatchObject({
    code: 'address',
    message: 'HOST 192.0.2.1 is no address of this machine.',
  });
});
