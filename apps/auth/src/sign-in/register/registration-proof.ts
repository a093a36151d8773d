/**
 * Proofs of work on the registration page, so that many registrations cost much computing time. The challenge is authenticated with
 * keys derived from SECRET_KEYS, so issuing one stores nothing.
 */
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { deriveKey as deriveSecret } from '@linnet/keys/sealing';
import type { Secret } from '@linnet/service/config/secret';
import { z } from 'zod';

import type { ClaimOnce } from '../../protocol/storage/stored-payload.ts';

/** Counted from when the page is rendered. */
const challengeSeconds = 3600;

/** Iterations of PBKDF2 for each guess, of which the browser makes as many as the counter says. */
const cost = 1000;
const [minGuesses, maxGuesses] = [1000, 2000];

/** `missing`: the browser runs no scripts, or cannot compute. `refused`: it is wrong, has expired or was used before. */
type ProofState = 'given' | 'missing' | 'refused';

export interface RegistrationProofs {
  /** A challenge for one page, as JSON. */
  create(): Promise<string>;
  /** The answer of the page can be `given` once. */
  use(answer: string): Promise<ProofState>;
}

const hex = z.string().regex(/^(?:[\da-f]{2})+$/);
// Nothing nested: the library walks through all of it before it checks the signature.
const answerSchema = z.object({
  challenge: z.object({
    parameters: z.strictObject({
      algorithm: z.string(),
      cost: z.number(),
      expiresAt: z.number(),
      keyLength: z.number(),
      keyPrefix: hex,
      keySignature: hex,
      nonce: hex,
      salt: hex,
    }),
    signature: hex,
  }),
  solution: z.object({ counter: z.number(), derivedKey: hex }),
});

const derive = (secret: Secret, purpose: string) =>
  Buffer.from(deriveSecret(secret, purpose, 32)).toString('base64url');

/** A solution costs two HMACs to check: without the second secret, the library would accept any counter. */
const toSecrets = (secret: Secret) => ({
  hmacSignatureSecret: derive(secret, 'linnet registration challenge'),
  hmacKeySignatureSecret: derive(secret, 'linnet registration solution'),
});

export function createRegistrationProofs(
  secretKeys: readonly [Secret, ...Secret[]],
  claimOnce: ClaimOnce,
): RegistrationProofs {
  const current = toSecrets(secretKeys[0]);
  const all = secretKeys.map(toSecrets);
  return {
    create: async () =>
      JSON.stringify(
        await createChallenge({
          ...{ algorithm: 'PBKDF2/SHA-256', cost, counter: randomInt(minGuesses, maxGuesses), deriveKey },
          expiresAt: Math.floor(Date.now() / 1000) + challengeSeconds,
          ...current,
        }),
      ),
    use: async (answer) => {
      if (answer === '') return 'missing';
      const read = readAnswer(answer);
      if (read === undefined) return 'refused';
      const results = await Promise.all(
        all.map(async (secrets) => await verifySolution({ ...read, ...secrets, deriveKey })),
      );
      if (!results.some(({ verified }) => verified)) return 'refused';
      const { nonce, expiresAt } = read.challenge.parameters;
      return (await claimOnce('registration proof', nonce, expiresAt)) ? 'given' : 'refused';
    },
  };
}

function readAnswer(text: string): z.output<typeof answerSchema> | undefined {
  try {
    return answerSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
