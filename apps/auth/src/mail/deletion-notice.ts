/** The notices that an account was deleted, and that it was restored; what else reaches the owner in between. */
import { erasedFrom } from '@linnet/accounts/deletion-period';

import type { Messages } from '../pages/i18n/en/en.ts';
import { pagePaths } from '../pages/views/page-paths.ts';
import type { Addressee, ClaimedMail, MailKind } from './mail-store.ts';
import type { Message } from './message.ts';

interface NoticeInput {
  readonly messages: Messages;
  readonly person: Pick<Addressee, 'deletedAt'>;
  readonly baseUrl: string;
  /** With a leading @. */
  readonly username: string;
  readonly serviceName: string;
  readonly time: string;
}

/** What the owner of a deleted account still gets. */
const kindsForDeleted: ReadonlySet<MailKind> = new Set(['account_deleted', 'reset_password', 'password_changed']);

/** Whether the message is for the account in its state. */
export function canReach({ deletedAt }: Addressee, { kind }: ClaimedMail): boolean {
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
