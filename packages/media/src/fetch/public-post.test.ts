// What the owner of an address learns about a request that failed. The address was found to be public before.
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { FetchFailed, publicFailure } from './fetch-target.ts';
import { postToAddress } from './public-post.ts';

async function failureOf(address: string, allow: readonly string[]): Promise<string> {
  const limits = { maxBytes: 0, connectMs: 1000, headersMs: 1000, totalMs: 100 };
  const given = { address, headers: {}, body: '', userAgent: 'test', limits, rules: { allow, ports: [80, 443] } };
  const error: unknown = await postToAddress(given).catch((failed: unknown) => failed);
  return error instanceof FetchFailed ? publicFailure(error) : 'none';
}

test('a server that never responds, one that is not public, and one that refuses connections', async () => {
  const server = createServer((socket) => void socket.on('error', () => socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const authority = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  expect(await failureOf(`http://${authority}/`, [authority])).toBe('timeout');
  expect(await failureOf(`http://${authority}/`, [])).toBe('not-public');
  server.close();
  expect(await failureOf(`http://${authority}/`, [authority])).toBe('no-connection');
});

test.each([
  ['CERT_HAS_EXPIRED', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['EPROTO', 'tls'],
  ['ETIMEDOUT', 'timeout'],
  ['ECONNRESET', 'no-connection'],
  ['EHOSTUNREACH', 'no-connection'],
  ['UND_ERR_SOCKET', 'no-connection'],
])('%s is reported as %s', (code, failure) => {
  expect(publicFailure(new FetchFailed('failed', { cause: Object.assign(new Error(code), { code }) }))).toBe(failure);
});
