/** Verifies what a webhook sends (https://www.standardwebhooks.com). Needs only Web Crypto, which Node and other runtimes have. */

/** What happened. It has ids only: read the objects with the token of the person. */
export interface WebhookMessage {
  /** The same in every attempt to deliver it. Remember it for a day and ignore what has arrived already. */
  readonly id: string;
  /** Such as `mention.created`. */
  readonly type: string;
  /** When it happened. */
  readonly timestamp: Date;
  readonly data: {
    /** The person who authorized the application, because of whom it was sent. */
    readonly user_id: number;
    /** Who did it. */
    readonly actor_id: number;
    readonly post_id?: number;
    readonly comment_id?: number;
    readonly draft_id?: number;
    /** The followed account, if it is about a follow. */
    readonly followed_id?: number;
    /** Only in a test event, which the owner of the application sends: its post and comment do not exist. */
    readonly test?: true;
  };
}

export interface ReceivedWebhook {
  /** Of the request: `request.headers` of Node and of fetch. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As received: a parsed and rewritten body has another signature. */
  readonly body: string;
  /** `whsec_…` */
  readonly secret: string;
  /** Seconds that the clocks may differ and the message may have travelled; 300 if absent. */
  readonly toleranceSeconds?: number;
}

/** The request is not from the service, is too old, or was changed. Respond with 400. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

const prefix = 'whsec_';

/**
 * Returns the message of a webhook.
 * @throws WebhookRefused if the signature is not by the secret, or the message is older than the tolerance
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookMessage> {
  const { headers, body, secret, toleranceSeconds = 300 } = received;
  const [id, timestamp, signatures] = [
    readHeader(headers, 'webhook-id'),
    readHeader(headers, 'webhook-timestamp'),
    readHeader(headers, 'webhook-signature'),
  ];
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const age = Math.abs(Date.now() / 1000 - seconds);
  if (!(age <= toleranceSeconds)) throw new WebhookRefused('the timestamp is missing or too far from now');
  const key = await importKey(secret);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const isValid = await Promise.all(
    signatures.split(' ').map(async (one) => {
      const bytes = one.startsWith('v1,') ? decodeBase64(one.slice(3)) : undefined;
      return bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed));
    }),
  );
  if (!isValid.includes(true)) throw new WebhookRefused('no signature is by the secret');
  const message = JSON.parse(body) as Omit<WebhookMessage, 'id' | 'timestamp'> & { readonly timestamp: string }; // it is signed by the service
  return { id, type: message.type, timestamp: new Date(message.timestamp), data: message.data };
}

function readHeader(headers: ReceivedWebhook['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string') throw new WebhookRefused(`the header ${name} is missing`);
  return value;
}

/** The key that signs and verifies. */
export async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(prefix) ? decodeBase64(secret.slice(prefix.length)) : undefined;
  if (bytes === undefined) throw new TypeError('the secret of a webhook begins with whsec_');
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  } catch {
    return undefined;
  }
}
