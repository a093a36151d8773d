/** The notices of what operators decided about reports: to the reporters, and to the author of what was deleted. */
import { printableLines } from '@linnet/ui/inert-text';

import type { Messages } from '../pages/i18n/en/en.ts';
import type { Message } from './message-html.tsx';
import type { Decision } from './notice-store.ts';

interface NoticeInput {
  readonly messages: Messages;
  readonly decision: Decision;
  readonly username: string;
  readonly serviceName: string;
  /** For appeals: `mailto:` and the address of the operator. */
  readonly contact?: string | undefined;
}

type Notice = Omit<Message, 'footer'>;

/** Says whether operators acted, and not what they did: that is about somebody else. */
export function composeReportDecided({ messages, decision, serviceName }: NoticeInput): Notice {
  const { subject, reported, acted, dismissed, after } = messages.mail.reportDecided;
  return {
    subject: subject(serviceName),
    paragraphs: [
      reported(messages.mail.reportedSubjects[decision.type](`@${decision.username}`), serviceName),
      (decision.hasActed ? acted : dismissed)(ruleOf(messages, decision)),
    ],
    after,
  };
}

/** Never says who reported it, or how many did. */
export function composeContentDeleted(input: NoticeInput): Notice {
  const { messages, decision, username, serviceName, contact } = input;
  const { subject, subjectOfAll, quoted, deleted, allDeleted, appeal, appealTo } = messages.mail.contentDeleted;
  const { type, arePostsDeleted, caseId } = decision;
  const areAll = arePostsDeleted || type === 'account';
  const text = areAll ? allDeleted : deleted[type];
  const email = contact === undefined ? undefined : decodeURI(contact.replace(/^mailto:/, ''));
  return {
    subject: (areAll ? subjectOfAll : subject)(serviceName),
    paragraphs: [
      text(username, serviceName),
      ...(type === 'account' ? [] : [quoted(printableLines(decision.content))]),
      brokenRule(messages, decision),
    ],
    after: [email === undefined ? appeal(String(caseId)) : appealTo(email, String(caseId))],
  };
}

/** What the notice of a suspension says about the reports that led to it. */
export function describeSuspending(messages: Messages, decision: Decision | undefined): readonly string[] {
  if (decision === undefined) return [];
  const posts = decision.arePostsDeleted ? [messages.mail.contentDeleted.withSuspension] : [];
  return [brokenRule(messages, decision), ...posts];
}

function brokenRule(messages: Messages, decision: Decision): string {
  return messages.mail.contentDeleted.rule(ruleOf(messages, decision));
}

function ruleOf({ reports }: Messages, { rule }: Decision): string {
  return reports.reasons[rule].label;
}
