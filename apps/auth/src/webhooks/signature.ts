/** Standard Webhooks (standardwebhooks.com): secrets, and the signatures of messages. */
import { createHmac } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;

/** A new secret: `whsec_` and 32 random bytes in Base64. */
export function generateSecret(randomBytes: (size: number) => Buffer): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

interface SignedMessage {
  readonly id: string;
  readonly sentAt: Date;
  readonly body: string;
}

/** The headers of a message, with a signature by each of the secrets. */
export function signMessage({ id, sentAt, body }: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
