/** The notices that an account was deleted or suspended, and that it is back; what else reaches the owner in between. */
import { erasedFrom } from '@linnet/accounts/deletion-period';
import { printableLines } from '@linnet/ui/inert-text';

import type { Messages } from '../pages/i18n/en/en.ts';
import { pagePaths } from '../pages/views/page-paths.ts';
import type { Addressee, ClaimedMail, MailKind } from './mail-store.ts';
import type { Message } from './message-html.tsx';

interface NoticeInput {
  readonly messages: Messages;
  readonly person: Pick<Addressee, 'deletedAt' | 'suspendedAt' | 'suspensionReason'>;
  readonly baseUrl: string;
  /** With a leading @. */
  readonly username: string;
  readonly serviceName: string;
  readonly time: string;
}

/** What the owner of a deleted account still gets. */
const kindsForDeleted: ReadonlySet<MailKind> = new Set(['account_deleted', 'reset_password', 'password_changed']);

/** What the owner of a suspended account still gets. */
const kindsForSuspended: ReadonlySet<MailKind> = new Set([...kindsForDeleted, 'account_suspended', 'content_deleted']);

/** Whether the message is for the account in its state. */
export function canReach({ deletedAt, suspendedAt }: Addressee, { kind }: ClaimedMail): boolean {
  if (suspendedAt !== null) return kindsForSuspended.has(kind);
  return deletedAt === null || kindsForDeleted.has(kind);
}

type Notice = Omit<Message, 'footer'>;

/** Undefined if the account was restored in the meantime. */
export function composeDeleted({ messages, person, baseUrl, username, serviceName }: NoticeInput): Notice | undefined {
  const { deletedAt } = person;
  if (deletedAt === null) return undefined;
  const { subject, text, undo, action, after } = messages.mail.accountDeleted;
  return {
    subject: subject(serviceName),
    paragraphs: [
      text(username, serviceName, messages.formatMinute(deletedAt)),
      undo(messages.formatMinute(erasedFrom(deletedAt))),
    ],
    action: { label: action, href: baseUrl + pagePaths.login },
    after,
  };
}

/** Undefined if the account was deleted again in the meantime. */
export function composeRestored(input: NoticeInput): Notice | undefined {
  const { messages, person, baseUrl, username, serviceName, time } = input;
  if (person.deletedAt !== null) return undefined;
  const { subject, text, action, after } = messages.mail.accountRestored;
  return {
    subject: subject(serviceName),
    paragraphs: [text(username, serviceName, time), ...after],
    action: { label: action, href: baseUrl + pagePaths.account },
    after: [],
  };
}

interface SuspensionInput extends NoticeInput {
  /** What operators decided about reports that led to it. */
  readonly decided: readonly string[];
}

/** Undefined if the suspension has ended, or the person has deleted the account. */
export function composeSuspended(input: SuspensionInput): Notice | undefined {
  const { messages, person, baseUrl, username, serviceName, time, decided } = input;
  const { suspendedAt, suspensionReason, deletedAt } = person;
  if (suspendedAt === null || deletedAt !== null) return undefined;
  const { subject, text, reason, action, after } = messages.mail.accountSuspended;
  return {
    subject: subject(serviceName),
    paragraphs: [
      text(username, serviceName, time),
      ...(suspensionReason === null ? [] : [reason(printableLines(suspensionReason))]),
      ...decided,
    ],
    action: { label: action, href: baseUrl + pagePaths.login },
    after,
  };
}

export function composeSuspensionEnded({ messages, baseUrl, username, serviceName, time }: NoticeInput): Notice {
  const { subject, text, action } = messages.mail.suspensionEnded;
  return {
    subject: subject(serviceName),
    paragraphs: [text(username, serviceName, time)],
    action: { label: action, href: baseUrl + pagePaths.login },
    after: [],
  };
}
