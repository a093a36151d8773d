import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { startAuth } from './running-auth.ts';
import type { AuthSettings, RunningAuth } from './running-auth.ts';

/** Handles requests below `/api`. */
type AnswerApi = (request: IncomingMessage, body: string, response: ServerResponse) => void;

/** The authorization server behind a proxy, at an address that it can reach itself. */
export interface FrontedAuth extends RunningAuth {
  /** Requests that passed the proxy, for example `POST /oauth/token`, oldest first. */
  readonly requests: string[];
  /** For all later requests. */
  answerApi(answer: AnswerApi): void;
  /** Stops the proxy. */
  closeFront(): void;
}

export async function startFrontedAuth(databaseUrl: string, settings: AuthSettings = {}): Promise<FrontedAuth> {
  const requests: string[] = [];
  let toApi: AnswerApi = (_request, _body, response) => response.writeHead(404).end();
  const behind: { auth?: RunningAuth } = {};
  const front = createServer((request, response) => void forward(request, response));
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request;
    const body = await text(request);
    requests.push(`${method} ${path}`);
    if (path.startsWith('/api/')) {
      toApi(request, body, response);
      return;
    }
    const kept = ['authorization', 'content-type', 'accept'].flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const answer = await behind.auth?.send({ method, path, headers: Object.fromEntries(kept), body });
    response.writeHead(answer?.status ?? 502, { 'content-type': answer?.headers['content-type'] ?? 'text/plain' });
    response.end(answer?.text);
  }
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const address = front.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const auth = await startAuth(databaseUrl, { ...settings, baseUrl: `http://127.0.0.1:${String(port)}` });
  behind.auth = auth;
  const closeFront = () => {
    front.close();
    front.closeAllConnections();
  };
  return {
    ...auth,
    requests,
    answerApi: (answer) => (toApi = answer),
    closeFront,
    [Symbol.asyncDispose]: async () => {
      closeFront();
      await auth[Symbol.asyncDispose]();
    },
  };
}
