import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { expect } from 'vitest';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A push service, of which browsers are the other side. */
export interface PushService extends AsyncDisposable {
  /** `host:port`, as in MEDIA_FETCH_ALLOW. */
  readonly authority: string;
  /** Of messages, oldest first. */
  readonly received: Received[];
  /** By the path of an endpoint; 201 by default. 0: it never responds. */
  readonly statuses: Map<string, number>;
}

export async function startPushService(port = 0): Promise<PushService> {
  const received: Received[] = [];
  const statuses = new Map<string, number>();
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { url: path = '', headers } = request;
      received.push({ path, headers, body });
      const status = statuses.get(path) ?? 201;
      if (status !== 0) response.writeHead(status, { 'retry-after': '120' }).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    authority: `127.0.0.1:${String((server.address() as AddressInfo).port)}`, // it listens on TCP
    received,
    statuses,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await Promise.resolve();
    },
  };
}

/** What a browser has: a key pair, a secret and an address. */
export function createBrowser({ authority, received }: PushService) {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const auth = randomBytes(16);
  const path = `/push/${randomBytes(6).toString('hex')}`;
  const parameters = {
    endpoint: `http://${authority}${path}`,
    p256dh: pair.getPublicKey('base64url'),
    auth: auth.toString('base64url'),
  };
  /** RFC 8188 and 8291, from the side of the browser. */
  const decrypt = (message: Buffer) => {
    const [salt, sender] = [message.subarray(0, 16), message.subarray(21, 86)];
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
    const key = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32));
    const derive = (label: string, bytes: number) =>
      Buffer.from(hkdfSync('sha256', key, salt, `Content-Encoding: ${label}\0`, bytes));
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    decipher.setAuthTag(message.subarray(-16));
    const content = Buffer.concat([decipher.update(message.subarray(86, -16)), decipher.final()]);
    expect(content.at(-1)).toBe(2);
    return JSON.parse(content.subarray(0, -1).toString());
  };
  const messages = () => received.filter((one) => one.path === path).map(({ body }) => decrypt(body));
  return { path, parameters, messages };
}
