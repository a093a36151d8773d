/**
 * Challenges for passkeys, authenticated with a key derived from SECRET_KEYS: purpose, browser and expiry are part of the
 * MAC, so issuing one stores nothing. Each can be used once (WebAuthn §13.4.3).
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Secret } from '@linnet/service/config/secret';

import { deriveKey } from '@linnet/keys/sealing';
import type { ClaimOnce } from '../../protocol/storage/stored-payload.ts';

/** Counted from when the page is rendered: long enough to leave it open and then find the phone. */
export const challengeSeconds = 900;

const timeBytes = 6;
const randomLength = 16;
const macLength = 32;

/** `act` is the purpose, `browser` the CSRF token of the browser. */
export interface ChallengeScope {
  readonly act: string;
  readonly browser: string;
}

export interface Challenges {
  create(scope: ChallengeScope): Uint8Array<ArrayBuffer>;
  /** Whether the challenge, as base64url, was created for this scope and has not expired. */
  isValid(challenge: string, scope: ChallengeScope): boolean;
  /** Returns false if it was used before. */
  use(challenge: string): Promise<boolean>;
}

const derive = (secret: Secret) => deriveKey(secret, 'linnet passkey challenge', 32);

export function createChallenges(secretKeys: readonly [Secret, ...Secret[]], claimOnce: ClaimOnce): Challenges {
  const currentKey = derive(secretKeys[0]);
  const keys = secretKeys.map(derive);
  return {
    create: (scope) => {
      const time = Buffer.alloc(timeBytes);
      time.writeUIntBE(Date.now() + challengeSeconds * 1000, 0, timeBytes);
      const head = Buffer.concat([time, randomBytes(randomLength)]);
      return new Uint8Array(Buffer.concat([head, sign(currentKey, head, scope)]));
    },
    isValid: (challenge, scope) => {
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
      return await claimOnce('passkey challenge', bytes.toString('base64url'), expiresAt);
    },
  };
}

function sign(key: Uint8Array, head: Uint8Array, { act, browser }: ChallengeScope): Buffer {
  const about = hash('sha256', `${act} ${browser}`, 'buffer');
  return createHmac('sha256', key).update(head).update(about).digest();
}
