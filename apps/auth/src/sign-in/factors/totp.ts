/** Codes of authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds, which every app supports. And recovery codes. */
import { hash, randomBytes } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';

export const stepSeconds = 30;

/** 160 bits (RFC 4226 §4), in Base32. */
export function generateTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The `otpauth:` URI of the QR code. */
export function totpUri(secret: string, { issuer, username }: { issuer: string; username: string }): string {
  return totpOf(secret, { issuer, label: username }).toString();
}

/** The code that an app shows at the given time (milliseconds). */
export function totpCode(secret: string, at: number): string {
  return totpOf(secret).generate({ timestamp: at });
}

/** The time step of a code: the current one or an adjacent one, because clocks differ. Returns undefined for a wrong code. */
export function findStep(secret: string, typed: string, now: number = Date.now()): number | undefined {
  const token = typed.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totpOf(secret).validate({ token, timestamp: now, window: 1 });
  return delta === null ? undefined : Math.floor(now / 1000 / stepSeconds) + delta;
}

function totpOf(secret: string, names: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: stepSeconds });
}

/**
 * Recovery codes have 80 random bits, so a fast hash without a key protects them, and they still work after SECRET_KEYS
 * are lost. The alphabet (Crockford's) leaves out letters that look like digits; typed ones are read as those digits.
 */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const codeCount = 10;
const codeLength = 16;

/** Formatted in groups of four. */
export function generateRecoveryCodes(): readonly string[] {
  return Array.from({ length: codeCount }, generateCode);
}

function generateCode(): string {
  const letters = [...randomBytes(codeLength)].map((byte) => alphabet.charAt(byte % alphabet.length));
  return letters.join('').replaceAll(/.{4}(?=.)/g, '$&-');
}

/** The stored form of a code, however it was typed. Returns undefined for text that cannot be a code. */
export function hashRecoveryCode(typed: string): Buffer | undefined {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  const isCode = code.length === codeLength && [...code].every((letter) => alphabet.includes(letter));
  return isCode ? hash('sha256', `recovery code ${code}`, 'buffer') : undefined;
}
