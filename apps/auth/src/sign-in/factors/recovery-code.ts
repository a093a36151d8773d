/**
 * Recovery codes have 80 random bits, so a fast hash without a key protects them, and they still work after SECRET_KEYS
 * are lost. The alphabet (Crockford's) leaves out letters that look like digits; typed ones are read as those digits.
 */
import { hash, randomBytes } from 'node:crypto';

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
