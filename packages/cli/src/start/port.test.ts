import { once } from 'node:events';
import { createServer } from 'node:net';

import { expect, test } from 'vitest';

import { checkPort } from './port.ts';

test('accepts a free port and releases it; picks a number for port 0', async () => {
  const port = await checkPort({ host: '127.0.0.1', port: 0 });
  expect(port).toBeGreaterThan(0);
  expect(await checkPort({ host: '127.0.0.1', port })).toBe(port);
});

test('reports a port that another program uses', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const port = Number(Reflect.get(Object(other.address()), 'port'));
  await expect(checkPort({ host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'port-taken',
    message: `Port ${String(port)} is in use by another program. Choose another port with PORT.`,
  });
  other.close();
});

test('reports a HOST that is not an address of this machine', async () => {
  await expect(checkPort({ host: '192.0.2.1', port: 0 })).rejects.toMatchObject({
    code: 'address',
    message: 'HOST 192.0.2.1 is not an address of this machine.',
  });
});
