import { isLoopbackHost } from '../config/environment.ts';
import type { Secret } from '../config/secret.ts';

export interface SmtpSettings {
  readonly smtpUrl: Secret | undefined;
  readonly smtpRequireTls: boolean;
}

/**
 * Returns a warning for operators if mail can cross a network in clear text, or `undefined`. With smtp://, TLS is used
 * only if the server offers it, and an attacker on the path can remove the offer (RFC 3207 §6).
 */
export function findSmtpRisk({ smtpUrl, smtpRequireTls }: SmtpSettings): string | undefined {
  if (smtpUrl === undefined || smtpRequireTls) return undefined;
  const { protocol, hostname } = new URL(smtpUrl.reveal());
  if (protocol === 'smtps:' || isLoopbackHost(hostname)) return undefined;
  return 'SMTP_URL does not enforce TLS: mail, with its links and the password of the mail server, may be sent in clear text; use smtps:// or set SMTP_REQUIRE_TLS=on';
}
