/** The notice to an owner that an endpoint of a webhook was switched off. */
import { inertText } from '@linnet/ui/inert-text';

import type { Messages } from '../pages/i18n/en/en.ts';
import { pagePaths } from '../pages/views/page-paths.ts';
import type { ClaimedMail } from './mail-store.ts';
import type { Message } from './message.ts';

interface NoticeInput {
  /** `detail` is written by `apps/auth/src/webhooks/endpoint-store.ts`. */
  readonly mail: Pick<ClaimedMail, 'detail'>;
  readonly messages: Messages;
  readonly baseUrl: string;
  /** With a leading @. */
  readonly username: string;
  readonly serviceName: string;
  readonly time: string;
}

export function composeWebhookOff(input: NoticeInput): Omit<Message, 'footer'> {
  const { mail, messages, baseUrl, username, serviceName, time } = input;
  const { subject, reasons, after, action } = messages.mail.webhookOff;
  const text = reasons[mail.detail['reason'] as keyof typeof reasons]; // one of those that the statement writes
  const account = messages.mail.factorChanged.account(username, serviceName);
  const [application, url] = [inertText(String(mail.detail['application'])), inertText(String(mail.detail['url']))];
  return {
    subject: subject(serviceName),
    paragraphs: [text(application, account, time), url, after],
    action: { label: action, href: baseUrl + pagePaths.applicationWebhooks(String(mail.detail['client_id'])) },
    after: [],
  };
}
