/** Codes of an authenticator app (RFC 6238): SHA-1, six digits, 30 seconds, which every app knows. */
import { Secret, TOTP } from 'otpauth';

export const stepSeconds = 30;

/** As apps take it: Base32. 160 bits (RFC 4226 §4). */
export function makeTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What the QR code says. */
export function totpAddress(secret: string, { issuer, username }: { issuer: string; username: string }): string {
  return totpOf(secret, { issuer, label: username }).toString();
}

/** The code that an app shows at a time. */
export function totpCode(secret: string, at: number): string {
  return totpOf(secret).generate({ timestamp: at });
}

/** The step that a code belongs to: the present one or one beside it, as clocks differ; undefined for a wrong one. */
export function findStep(secret: string, typed: string, now: number = Date.now()): number | undefined {
  const token = typed.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totpOf(secret).validate({ token, timestamp: now, window: 1 });
  return delta === null ? undefined : Math.floor(now / 1000 / stepSeconds) + delta;
}

function totpOf(secret: string, names: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: stepSeconds });
}
