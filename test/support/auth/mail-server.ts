import type { AddressInfo } from 'node:net';

import { SMTPServer } from 'smtp-server';

import { parseMail } from './mailbox.ts';
import type { ReceivedMail } from './mailbox.ts';

/** A message as the server received it. */
export interface DeliveredMail extends ReceivedMail {
  readonly sender: string;
  readonly recipients: readonly string[];
}

/** A mail server on loopback that accepts every message, or responds with `rejection`. */
export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly arrived: DeliveredMail[];
  rejection: { readonly at: 'recipient' | 'end'; readonly code: number } | undefined;
}

export async function startMailServer(port = 0): Promise<MailServer> {
  const arrived: DeliveredMail[] = [];
  const rejectionAt = (at: 'recipient' | 'end') =>
    state.rejection?.at === at
      ? Object.assign(new Error('no such user <canary-address@example.org>'), { responseCode: state.rejection.code })
      : null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onRcptTo: (_address, _session, callback) => {
      callback(rejectionAt('recipient'));
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        arrived.push({
          ...parseMail(Buffer.concat(chunks).toString()),
          sender: mailFrom === false ? '' : mailFrom.address,
          recipients: rcptTo.map(({ address }) => address),
        });
        callback(rejectionAt('end'));
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const state: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    arrived,
    rejection: undefined,
    [Symbol.asyncDispose]: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
  return state;
}
