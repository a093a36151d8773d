/**
 * Challenges for passkeys. Nothing is stored when one is made: it tells itself what it is for, in which browser
 * and until when, under a key of ours. Once it was answered it is good no longer (WebAuthn §13.4.3).
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Secret } from '@linnet/service/secret';

import { deriveKey } from '@linnet/keys/sealing';
import type { MarkOnce } from '../../protocol/storage/mark-once.ts';

/** Long enough to find the phone; the page may be open as long before. */
export const challengeSeconds = 900;

const timeBytes = 6;
const randomLength = 16;
const macLength = 32;

/** What a challenge is for: the act, and the token of the browser's forms. */
export interface ChallengeScope {
  readonly act: string;
  readonly browser: string;
}

export interface Challenges {
  make(scope: ChallengeScope): Uint8Array<ArrayBuffer>;
  /** Whether a challenge, as base64url, was made for this and has not expired. */
  isGood(challenge: string, scope: ChallengeScope): boolean;
  /** Uses it up; false when it was used before. */
  use(challenge: string): Promise<boolean>;
}

export function createChallenges(secretKeys: readonly [Secret, ...Secret[]], markOnce: MarkOnce): Challenges {
  const keys = secretKeys.map((secret) => deriveKey(secret, 'linnet passkey challenge', 32));
  return {
    make: (scope) => {
      const time = Buffer.alloc(timeBytes);
      time.writeUIntBE(Date.now() + challengeSeconds * 1000, 0, timeBytes);
      const head = Buffer.concat([time, randomBytes(randomLength)]);
      const [key = new Uint8Array()] = keys;
      return new Uint8Array(Buffer.concat([head, sign(key, head, scope)]));
    },
    isGood: (challenge, scope) => {
      const bytes = Buffer.from(challenge, 'base64url');
      if (bytes.length !== timeBytes + randomLength + macLength) return false;
      const head = bytes.subarray(0, timeBytes + randomLength);
      const mac = bytes.subarray(head.length);
      return (
        head.readUIntBE(0, timeBytes) > Date.now() && keys.some((key) => timingSafeEqual(sign(key, head, scope), mac))
      );
    },
    use: async (challenge) => {
      const bytes = Buffer.from(challenge, 'base64url');
      const expiresAt = Math.ceil(bytes.readUIntBE(0, timeBytes) / 1000);
      return await markOnce('passkey challenge', bytes.toString('base64url'), expiresAt);
    },
  };
}

function sign(key: Uint8Array, head: Uint8Array, { act, browser }: ChallengeScope): Buffer {
  const about = hash('sha256', `${act} ${browser}`, 'buffer');
  return createHmac('sha256', key).update(head).update(about).digest();
}
