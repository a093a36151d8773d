/** The notice that a second factor was added or removed. */
import { inertText } from '@linnet/ui/inert-text';

import type { Messages } from '../pages/i18n/en/en.ts';

/** Written by the triggers of `prisma/migrations/…_factor_notices`. */
const changes = ['passkey_added', 'passkey_removed', 'totp_added', 'totp_removed', 'recovery_codes_made'] as const;

interface FactorNotice {
  readonly subject: string;
  readonly text: string;
  readonly after: string;
  readonly action: string;
}

interface NoticeInput {
  readonly messages: Messages;
  readonly detail: Readonly<Record<string, unknown>>;
  /** With a leading @. */
  readonly username: string;
  readonly serviceName: string;
  readonly time: string;
}

/** Undefined for an unknown change. */
export function findFactorNotice(input: NoticeInput): FactorNotice | undefined {
  const { messages, detail, username, serviceName, time } = input;
  const change = changes.find((one) => one === detail['change']);
  if (change === undefined) return undefined;
  const { account, quote, after, action, ...texts } = messages.mail.factorChanged;
  const names: readonly unknown[] = Array.isArray(detail['names']) ? detail['names'] : [];
  const quoted = names.map((name) => quote(inertText(String(name)))).join(', ');
  const { subject, text } = texts[change];
  return { subject: subject(serviceName), text: text(account(username, serviceName), time, quoted), after, action };
}
