/** Standard Webhooks (standardwebhooks.com): secrets, messages and their signatures. */
import { createHmac } from 'node:crypto';

import type { DeliveryEvent } from './delivery-store.ts';

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

/** Ids only: the application reads the objects with the token of the person, so it never gets what is hidden from that person. */
export function toMessage(event: Omit<DeliveryEvent, 'messageId'>) {
  const { kind, accountId, actorId, postId, commentId, draftId, concernedId, happenedAt, isTest } = event;
  return {
    type: kind,
    timestamp: happenedAt.toISOString(),
    data: {
      user_id: accountId,
      actor_id: actorId,
      ...(postId === null ? {} : { post_id: postId }),
      ...(commentId === null ? {} : { comment_id: commentId }),
      ...(draftId === null ? {} : { draft_id: draftId }),
      ...(kind.startsWith('follow') && concernedId !== null ? { followed_id: concernedId } : {}),
      ...(isTest ? { test: true } : {}),
    },
  };
}
