/** The mail to an owner whose application was created or gained access. */
import { inertText } from '@linnet/ui/inert-text';

import type { Messages } from '../pages/i18n/en/en.ts';

/** Written by `packages/applications/src/application/application-name-store.ts`. */
const accesses = ['act-as-owner', 'implicit', 'scopes', 'settings'] as const;

interface NoticeOptions {
  readonly messages: Messages;
  readonly detail: Readonly<Record<string, unknown>>;
  /** With @. */
  readonly username: string;
  readonly serviceName: string;
  readonly time: string;
}

interface ApplicationNotice {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action: string;
}

export function composeApplicationNotice(options: NoticeOptions): ApplicationNotice {
  const { messages, detail, username, serviceName, time } = options;
  const { applicationNotice: texts, factorChanged } = messages.mail;
  const account = factorChanged.account(username, serviceName);
  const { subject, text } = detail['change'] === 'created' ? texts.created : texts.changed;
  const gained = listOf(detail['gained']);
  const namesBehind = (access: (typeof accesses)[number]) => listOf(detail[access]).join(', ');
  return {
    subject: subject(serviceName),
    paragraphs: [
      text(inertText(String(detail['name'])), account, time),
      ...accesses
        .filter((access) => gained.includes(access))
        .map((access) => texts.gained[access](namesBehind(access))),
      texts.after,
    ],
    action: texts.action,
  };
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
