/**
 * Recovery codes: 80 random bits each, so that a fast hash keeps them, whatever becomes of SECRET_KEYS.
 * Letters and digits that are mistaken for others are left out, and taken for those when typed (Crockford).
 */
import { hash, randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const codeCount = 10;
const codeLength = 16;

/** Fresh codes in groups of four. */
export function makeRecoveryCodes(): readonly string[] {
  return Array.from({ length: codeCount }, makeCode);
}

function makeCode(): string {
  const letters = [...randomBytes(codeLength)].map((byte) => alphabet.charAt(byte % alphabet.length));
  return (letters.join('').match(/.{4}/g) ?? []).join('-');
}

/** What is stored of a code, however it was typed; undefined for what cannot be one. */
export function hashRecoveryCode(typed: string): Buffer | undefined {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  const isCode = code.length === codeLength && [...code].every((letter) => alphabet.includes(letter));
  return isCode ? hash('sha256', `recovery code ${code}`, 'buffer') : undefined;
}
