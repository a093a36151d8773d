import { hash } from 'node:crypto';

import { toEmailAddress } from '@linnet/contract/email-address';

/**
 * The mailbox that receives mail for an address: sub-addresses (`ada+list@…`, RFC 5233) are folded into one, in lower
 * case. Dots are kept, because only some providers ignore them: folding them would let a stranger use up the limits of
 * somebody else's mailbox.
 */
export function toMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const plus = local.indexOf('+');
  // A local part that begins with the sign would leave nothing.
  const name = plus > 0 ? local.slice(0, plus) : local;
  return `${name}${email.slice(at)}`.trim().toLowerCase();
}

/** Key of counters per mailbox. A hash, so that counters contain no addresses. */
export function mailboxKey(email: string): string {
  return hash('sha256', toMailbox(email), 'base64url');
}

/** The domain of an e-mail address as it is stored. `undefined`: it is none. */
export function toMailDomain(text: string): string | undefined {
  return toEmailAddress(`a@${text}`)?.slice(2).toLowerCase();
}
