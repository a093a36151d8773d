import { readFileSync } from 'node:fs';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { verifyWebhook, WebhookRefused } from './webhook.ts';

interface Vector {
  readonly name: string;
  readonly valid: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secret: string;
}

interface Vectors {
  /** When they arrive, in seconds since 1970. */
  readonly now: number;
  readonly message: { readonly id: string; readonly type: string; readonly timestamp: string; readonly data: object };
  readonly vectors: readonly Vector[];
}

// Both SDKs are tested with them. The signature among several is from
// https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/index.test.ts
const file = new URL('../../../test/support/sdk/webhook-vectors.json', import.meta.url);
const { now, message, vectors } = JSON.parse(readFileSync(file, 'utf8')) as Vectors; // ours
const [valid, invalid] = [vectors.filter((one) => one.valid), vectors.filter((one) => !one.valid)];

beforeEach(() => void vi.setSystemTime(now * 1000));
afterEach(() => void vi.useRealTimers());

test.each(valid)('returns the message of $name, with headers of Node and of fetch', async (vector) => {
  for (const headers of [vector.headers, new Headers(vector.headers)]) {
    const received = { headers, body: vector.body, secret: vector.secret };
    expect(await verifyWebhook(received)).toEqual({ ...message, timestamp: new Date(message.timestamp) });
  }
});

test.each(invalid)('refuses $name', async ({ headers, body, secret }) => {
  await expect(verifyWebhook({ headers, body, secret })).rejects.toThrow(WebhookRefused);
});

test('names a secret that is none', async () => {
  const [{ headers, body } = { headers: {}, body: '' }] = valid;
  await expect(verifyWebhook({ headers, body, secret: 'x' })).rejects.toThrow('whsec_');
});
