/** Codes of authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds, which every app supports. */
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
