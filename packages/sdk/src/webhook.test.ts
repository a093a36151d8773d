import { createHmac } from 'node:crypto';

import { expect, test } from 'vitest';

import { verifyWebhook, WebhookRefused } from './webhook.ts';

const key = Buffer.from('a key of the tests');
const secret = `whsec_${key.toString('base64')}`;
const data = { user_id: 1, actor_id: 2, post_id: 3 };
const happened = '2026-11-23T19:00:00.000Z';
const body = JSON.stringify({ type: 'post.created', timestamp: happened, data });
const now = () => String(Math.floor(Date.now() / 1000));

function sign(timestamp = now(), id = 'msg_1'): Record<string, string> {
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

test('returns the message, from headers of Node and of fetch', async () => {
  const message = { id: 'msg_1', type: 'post.created', timestamp: new Date(happened), data };
  for (const headers of [sign(), new Headers(sign())]) {
    expect(await verifyWebhook({ headers, body, secret })).toEqual(message);
  }
});

// https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/index.test.ts
test('accepts one signature of several', async () => {
  const headers = sign();
  const others = [
    'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=',
    'v2,Ceo5',
    'v1a,x',
    headers['webhook-signature'] ?? '',
  ];
  const all = { ...headers, 'webhook-signature': others.join(' ') };
  expect(await verifyWebhook({ headers: all, body, secret })).toMatchObject({ id: 'msg_1' });
});

const old = String(Number(now()) - 301);
test.each([
  ['another body', sign(), `${body} `, secret],
  ['another id', { ...sign(), 'webhook-id': 'msg_2' }, body, secret],
  ['another secret', sign(), body, 'whsec_b3RoZXI='],
  ['an old message', sign(old), body, secret],
  ['an old message with a new time', { ...sign(old), 'webhook-timestamp': now() }, body, secret],
  ['a message of tomorrow', sign(String(Number(now()) + 400)), body, secret],
  ['no time', { ...sign(), 'webhook-timestamp': 'x' }, body, secret],
  ['no signature', { ...sign(), 'webhook-signature': '' }, body, secret],
  ['a signature that is no Base64', { ...sign(), 'webhook-signature': 'v1,%' }, body, secret],
  ['no headers', {}, body, secret],
])('refuses %s', async (_, headers, received, by) => {
  await expect(verifyWebhook({ headers, body: received, secret: by })).rejects.toThrow(WebhookRefused);
});

test('names a secret that is none', async () => {
  await expect(verifyWebhook({ headers: sign(), body, secret: 'x' })).rejects.toThrow('whsec_');
});
