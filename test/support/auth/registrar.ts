/** Requests of clients that register themselves, in tests. */
import { expect } from 'vitest';

import type { Answer, RunningAuth } from './running-auth.ts';

interface Sent {
  readonly method?: string;
  readonly path?: string;
  /** The registration access token. */
  readonly token?: string;
  /** Media type of the body. */
  readonly type?: string;
}

export interface Registered {
  readonly clientId: string;
  /** The registration access token. */
  readonly token: string;
  /** Of its registration. */
  readonly path: string;
  readonly json: Answer['json'];
}

export interface Registrar {
  /** Sends a body as JSON, or a string as it is. By default POST /oauth/register. */
  readonly send: (body: unknown, sent?: Sent) => Promise<Answer>;
  /** Registers a client. */
  readonly register: (metadata: object) => Promise<Registered>;
}

export function createRegistrar(auth: Pick<RunningAuth, 'send'>): Registrar {
  const send: Registrar['send'] = async (body, { method = 'POST', path = '/oauth/register', token, type } = {}) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const content = body === undefined ? {} : { 'content-type': type ?? 'application/json' };
    return await auth.send({
      method,
      path,
      headers: { ...content, ...authorization },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  };
  return {
    send,
    register: async (metadata) => {
      const { status, json, text } = await send(metadata);
      expect([status, text]).toEqual([201, expect.any(String)]);
      const clientId = String(json['client_id']);
      return { clientId, token: String(json['registration_access_token']), path: `/oauth/register/${clientId}`, json };
    },
  };
}
