import { createHmac } from 'node:crypto';

import type { Answer } from './guide-project.ts';

/** Sends a challenge and a signed message to a receiver once it listens, as the service does, and stops it when it has printed the message. */
export function sendWebhook(address: string, secret: string): Answer {
  let isSent = false;
  return async (output) => {
    if (isSent) return output.includes('mention.created') ? 'stop' : undefined;
    isSent = true;
    await send(address, secret);
    return undefined;
  };
}

async function send(address: string, secret: string): Promise<void> {
  const post = async (body: string, headers = {}) => await fetch(address, { method: 'POST', body, headers });
  const answered = await post(JSON.stringify({ type: 'webhook.challenge', data: { challenge: 'n3st' } }));
  if ((await answered.text()) !== 'n3st') throw new Error('the challenge was not answered');

  const data = { user_id: 114582774874115, actor_id: 114582775078916, post_id: 115418729238541 };
  const body = JSON.stringify({ type: 'mention.created', timestamp: '2026-11-23T19:00:00.000Z', data });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const sign = (text: string) => createHmac('sha256', key).update(`msg_1.${timestamp}.${text}`).digest('base64');
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp };
  const refused = await post(body, { ...headers, 'webhook-signature': `v1,${sign('other')}` });
  if (refused.status !== 400) throw new Error(`a wrong signature got ${String(refused.status)}`);
  await post(body, { ...headers, 'webhook-signature': `v1,${sign(body)}` });
}
