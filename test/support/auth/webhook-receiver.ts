import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Of the event, such as `post.created`. */
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An application's server that receives webhooks. It responds to challenges as long as `status` is 200. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  /** `host:port` */
  readonly authority: string;
  /** Without challenges. */
  readonly received: ReceivedWebhook[];
  /** The status of responses; undefined: the connection is closed without one; `none`: there never is one. */
  status: number | 'none' | undefined;
  /** The text that it returns rather than the challenge. */
  text: string | undefined;
  /** Of responses. */
  retryAfter: string | undefined;
  /** Ends requests that wait for a response. */
  closeConnections(): void;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const message = JSON.parse(body) as Pick<ReceivedWebhook, 'type'> & { readonly data: { challenge?: string } };
      const isChallenge = message.type === 'webhook.challenge';
      if (!isChallenge) received.push({ headers: request.headers, body, ...message });
      if (receiver.status === 'none') return;
      if (receiver.status === undefined) {
        request.socket.destroy();
        return;
      }
      const { challenge } = message.data;
      if (receiver.retryAfter !== undefined) response.setHeader('retry-after', receiver.retryAfter);
      response
        .writeHead(receiver.status, { location: '/elsewhere' })
        .end(receiver.text ?? (isChallenge ? challenge : 'ok'));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const authority = `127.0.0.1:${String(typeof address === 'object' ? address?.port : undefined)}`;
  const receiver: WebhookReceiver = {
    authority,
    url: `http://${authority}/webhook`,
    received,
    status: 200,
    text: undefined,
    retryAfter: undefined,
    closeConnections: () => server.closeAllConnections(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Whether one of the signatures is by the secret, as the specification of Standard Webhooks says it. */
export function isSignedBy(message: Pick<ReceivedWebhook, 'headers' | 'body'> | undefined, secret: string): boolean {
  const { headers = {}, body = '' } = message ?? {};
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(signed)
    .digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`);
}
