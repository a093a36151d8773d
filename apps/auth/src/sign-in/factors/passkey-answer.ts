/** Parses WebAuthn responses: JSON that the script of our pages writes into a form field. The input is untrusted. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';

const bytes = z.string().regex(/^[\w-]*$/);
const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

const credential = {
  id: bytes.min(1).max(1364),
  rawId: bytes,
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()).transform(() => ({})),
};

const attestationSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z
      .array(z.string())
      .transform((given) => transports.filter((transport) => given.includes(transport)))
      .default([]),
  }),
});

const assertionSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    /** Some authenticators omit it when `allowCredentials` was given. */
    userHandle: bytes.default(''),
  }),
});

/** Returns undefined if the text is malformed. */
export function readAttestation(text: string): RegistrationResponseJSON | undefined {
  return attestationSchema.safeParse(parse(text)).data;
}

export function readAssertion(text: string): AuthenticationResponseJSON | undefined {
  return assertionSchema.safeParse(parse(text)).data;
}

const clientDataSchema = z.object({ challenge: bytes });

/** The challenge of a verified response. */
export function readChallenge({ response }: { readonly response: { readonly clientDataJSON: string } }): string {
  return clientDataSchema.parse(parse(Buffer.from(response.clientDataJSON, 'base64url').toString())).challenge;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
