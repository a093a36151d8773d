import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

import { decodeJwt } from 'jose';
import type { JWTPayload } from 'jose';

interface ReceivedSignal {
  readonly headers: IncomingHttpHeaders;
  readonly token: string;
  /** The last part of the type of the event. */
  readonly type: string;
  readonly event: Readonly<Record<string, unknown>>;
  readonly subject: Readonly<Record<string, unknown>>;
  readonly jti: string;
}

/** The server of a registered API to which security events are pushed (RFC 8935). */
export interface SignalReceiver extends AsyncDisposable {
  readonly url: string;
  /** `host:port` */
  readonly authority: string;
  readonly received: ReceivedSignal[];
  /** Of responses. */
  status: number;
}

/** Reads what a security event token says, without verifying it. */
export function readSignal(token: string): Omit<ReceivedSignal, 'headers'> {
  const { jti = '', events, sub_id: subject } = decodeJwt(token);
  const [[type, event] = ['', {}]] = Object.entries(events as Record<string, Record<string, unknown>>);
  return { token, jti, type: type.split('/').at(-1) ?? '', event, subject: subject as ReceivedSignal['subject'] };
}

/** Whether one of the events says that the token with these claims is revoked. */
export function isRevokedBy(signals: readonly Pick<ReceivedSignal, 'event'>[], claims: JWTPayload): boolean {
  return signals.some(({ event: { tokens } }) => {
    if (tokens === undefined) return false;
    const { claim, value, epoch, below } = tokens as { claim: string; value: unknown; epoch?: string; below?: number }; // D207
    return claims[claim] === value && (epoch === undefined || Number(claims[epoch]) < Number(below));
  });
}

export async function startSignalReceiver(): Promise<SignalReceiver> {
  const received: ReceivedSignal[] = [];
  const server = createServer((request, response) => {
    void text(request).then((token) => {
      received.push({ headers: request.headers, ...readSignal(token) });
      response.writeHead(receiver.status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const authority = `127.0.0.1:${String(typeof address === 'object' ? address?.port : undefined)}`;
  const receiver: SignalReceiver = {
    authority,
    url: `http://${authority}/events`,
    received,
    status: 202,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
