/** Messages of Web Push: what they say, their encryption (RFC 8291) and the signature of the service (VAPID, RFC 8292). */
import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes } from 'node:crypto';
import type { ECDH } from 'node:crypto';

import type { Notification } from '@linnet/contract/notifications';
import type { Secret } from '@linnet/service/config/secret';
import { SignJWT } from 'jose';

import type { PushTarget } from './push-store.ts';

const curve = 'prime256v1';
const maxTextLength = 200;

/** What a message says: the item of the list of notifications, in short. */
export function toPushContent({ users, post, comment, draft, ...item }: Notification): string {
  const { id, type, count, created_at } = item;
  const [user] = users.map(({ username, displayName, avatar }) => ({ username, displayName, avatar }));
  const about = { application: draft?.application?.name, post_id: post?.id, comment_id: comment?.id };
  const text = draft === undefined ? textOf(comment ?? post) : (draft.parameters.message ?? draft.parameters.text);
  return JSON.stringify({ id, type, count, created_at, user, ...about, text: text === undefined ? text : cut(text) });
}

/** Not within an emoji of several code points. */
function cut(text: string): string {
  const end = [...text].slice(0, maxTextLength).join('').length;
  return text.slice(0, new Intl.Segmenter().segment(text).containing(end)?.index);
}

/** Undefined if a word filter of the person matches it. */
function textOf(item: Notification['comment'] | Notification['post']): string | undefined {
  return item?.viewer?.filtered === undefined ? item?.text : undefined;
}

/** Later messages with the same topic replace those that the browser has not fetched (RFC 8030 §5.4). At most 32 characters. */
export function toTopic({ type, id, post }: Notification): string {
  return `${type}-${String(post?.id ?? id)}`;
}

const recordBytes = 4096;
const lastRecord = Buffer.from([2]);
const info = (text: string, ...keys: readonly Buffer[]) => Buffer.concat([Buffer.from(`${text}\0`), ...keys]);

/** Encrypts at most 3993 bytes for a browser (RFC 8291 §3.4). `salt` and `sender`, a new key pair, are random except in tests. */
export function encryptPush(
  content: Buffer,
  { p256dh, auth }: Pick<PushTarget, 'p256dh' | 'auth'>,
  { salt = randomBytes(16), sender = createSender() } = {},
): Buffer {
  const from = sender.getPublicKey();
  const shared = hkdfSync('sha256', sender.computeSecret(p256dh), auth, info('WebPush: info', p256dh, from), 32);
  const derive = (label: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(shared), salt, info(`Content-Encoding: ${label}`), bytes));
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  const header = Buffer.alloc(5);
  header.writeUInt32BE(recordBytes);
  header.writeUInt8(from.length, 4);
  const body = [cipher.update(content), cipher.update(lastRecord), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, header, from, ...body]);
}

function createSender(): ECDH {
  const sender = createECDH(curve);
  sender.generateKeys();
  return sender;
}

/** Whether something can be encrypted for a browser with this key: whether it is a point of the curve. */
export function isPushKey(p256dh: Buffer): boolean {
  try {
    createSender().computeSecret(p256dh);
    return true;
  } catch {
    return false;
  }
}

export interface PushSettings {
  /** Of each of SECRET_KEYS; browsers subscribe with the first. */
  readonly keys: readonly [PushKey, ...PushKey[]];
  /** Each is a `host:port` that may be contacted although it is not public (MEDIA_FETCH_ALLOW). */
  readonly allow: readonly string[];
}

/** A key with which push services recognize the service. */
export interface PushKey {
  /** In base64url; browsers need it to subscribe. */
  readonly publicKey: string;
  /** The value of `Authorization` for an endpoint. */
  authorize(endpoint: string): Promise<string>;
}

interface PushConfig {
  readonly secretKeys: readonly Secret[];
  readonly baseUrl: string;
  readonly mediaFetchAllow: readonly string[];
}

/** Each of SECRET_KEYS gives a key, so that subscriptions outlive a change of the first. @throws Error without SECRET_KEYS */
export function createPushSettings({ secretKeys, baseUrl, mediaFetchAllow }: PushConfig): PushSettings {
  const [first, ...others] = secretKeys.map((secret) => derivePushKey(secret, baseUrl));
  if (first === undefined) throw new Error('at least one secret key is required');
  return { keys: [first, ...others], allow: mediaFetchAllow };
}

function derivePushKey(secret: Secret, contact: string): PushKey {
  const pair = createECDH(curve);
  pair.setPrivateKey(Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'linnet web push', 32)));
  const point = pair.getPublicKey();
  const coordinates = { x: point.toString('base64url', 1, 33), y: point.toString('base64url', 33) };
  const jwk = { kty: 'EC', crv: 'P-256', ...coordinates, d: pair.getPrivateKey('base64url') };
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  const publicKey = point.toString('base64url');
  return {
    publicKey,
    authorize: async (endpoint) => {
      const token = new SignJWT({ aud: new URL(endpoint).origin, sub: contact }).setExpirationTime('12 hours');
      return `vapid t=${await token.setProtectedHeader({ typ: 'JWT', alg: 'ES256' }).sign(privateKey)}, k=${publicKey}`;
    },
  };
}
