/** Notices to an owner: that a second factor, an application or an endpoint of a webhook has changed. */
import { inertText } from '@linnet/ui/inert-text';

import type { Messages } from '../pages/i18n/en/en.ts';
import { pagePaths } from '../pages/views/page-paths.ts';
import type { ClaimedMail } from './mail-store.ts';
import type { Message } from './message-html.tsx';

/** Written by the triggers of `prisma/migrations/…_factor_notices`. */
const changes = [
  ...(['passkey_added', 'passkey_removed', 'identity_added', 'identity_removed'] as const),
  ...(['totp_added', 'totp_removed', 'recovery_codes_made'] as const),
] as const;

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

/** Written by `packages/applications/src/application/application-name-store.ts`. */
const accesses = ['act-as-owner', 'implicit', 'scopes', 'settings'] as const;

interface ApplicationNotice {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action: string;
}

/** To an owner whose application was created or gained access. */
export function composeApplicationNotice(options: NoticeInput): ApplicationNotice {
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

interface WebhookOffInput extends Omit<NoticeInput, 'detail'> {
  /** `detail` is written by `apps/auth/src/webhooks/endpoint-store.ts`. */
  readonly mail: Pick<ClaimedMail, 'detail'>;
  readonly baseUrl: string;
}

/** To an owner whose endpoint of a webhook was switched off. */
export function composeWebhookOff(input: WebhookOffInput): Omit<Message, 'footer'> {
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
