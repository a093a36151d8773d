import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Client } from '../support/api-client.ts';
import type { Answer, Answers } from './answers.ts';

/** A keyed request and the response that acknowledged it. */
export interface KeyedWrite {
  readonly path: string;
  readonly body: string;
  readonly key: string;
  readonly response: string;
}

/** Calls of an application that are repeated until the service acknowledges them. */
export interface Calls {
  /** A new access token. */
  requestToken(): Promise<string>;
  /** Returns false if the token could not be revoked, which is reported. */
  revoke(token: string): Promise<boolean>;
  /** Sends a write with a new idempotency key. Undefined if it was refused, which is reported. */
  write(path: string, content: object): Promise<KeyedWrite | undefined>;
  /** Sends a keyed request again, with the current token. */
  repeat(write: Omit<KeyedWrite, 'response'>): Promise<Answer | undefined>;
  /** The status of a read with this token. */
  tryToken(token: string): Promise<number>;
}

export interface CallOptions {
  readonly answers: Answers;
  readonly client: Client;
  /** True if a token may be refused as expired, because the clock is changed. A new one is then requested. */
  readonly mayExpire?: boolean;
}

const retryMs = 50;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
/** No response, a conflict with a request that was lost, too many requests, an outage. */
const retried = new Set([0, 409, 429, 503]);

export async function openCalls({ answers, client, mayExpire = false }: CallOptions): Promise<Calls> {
  const secrets = `client_id=${client.id}&client_secret=${client.secret}`;
  let current = '';
  let renewAt = Infinity;

  const insist = async (path: string, request: () => RequestInit): Promise<Answer | undefined> => {
    for (;;) {
      const answer = await answers.send(path, request());
      if (answer.status === 200) return answer;
      if (answer.status === 401 && mayExpire) current = await requestToken();
      else if (!retried.has(answer.status)) {
        answers.report(`${path}: ${String(answer.status)} ${answer.text.slice(0, 300)}`);
        return undefined;
      }
      await delay(retryMs);
    }
  };
  const post = async (path: string, body: string) =>
    await insist(path, () => ({ method: 'POST', headers: form, body }));
  const issue = async () => {
    const answer = await post('/oauth/token', `grant_type=client_credentials&${secrets}`);
    const content: { access_token: string; expires_in: number } = JSON.parse(answer?.text ?? '{}');
    return { token: content.access_token, seconds: content.expires_in };
  };
  const requestToken = async (): Promise<string> => (await issue()).token;
  /** Before it expires: a soak lasts longer than a token. */
  const renew = async () => {
    renewAt = Infinity;
    const { token, seconds } = await issue();
    current = token;
    renewAt = performance.now() + (seconds * 1000) / 2;
  };
  const authorized = (token: string) => ({ authorization: `Bearer ${token}`, accept: 'application/json' });
  const repeat: Calls['repeat'] = async ({ path, body, key }) => {
    if (performance.now() > renewAt) await renew();
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    return await insist(path, () => ({ method: 'POST', headers: { ...authorized(current), ...headers }, body }));
  };

  await renew();
  return {
    requestToken,
    repeat,
    revoke: async (token) => (await post('/oauth/revoke', `token=${token}&${secrets}`)) !== undefined,
    write: async (path, content) => {
      const request = { path, body: JSON.stringify(content), key: randomUUID() };
      const answer = await repeat(request);
      return answer === undefined ? undefined : { ...request, response: answer.text };
    },
    tryToken: async (token) => (await answers.send('/api/v2.0/users/show', { headers: authorized(token) })).status,
  };
}
