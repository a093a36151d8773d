/** Notices to an owner: that a second factor, an application or an endpoint of a webhook has changed, or an import has ended. */
import type { ImportRow } from '@linnet/social/import/import-store';
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

interface ChangeInput {
  readonly messages: Messages;
  readonly mail: Pick<ClaimedMail, 'detail'>;
  readonly baseUrl: string;
  /** With a leading @. */
  readonly username: string;
  readonly serviceName: string;
  readonly time: string;
}

/** Undefined for an unknown change. */
export function composeFactorChanged(input: ChangeInput): Omit<Message, 'footer'> | undefined {
  const { messages, mail, baseUrl, username, serviceName, time } = input;
  const { detail } = mail;
  const change = changes.find((one) => one === detail['change']);
  if (change === undefined) return undefined;
  const { account, quote, after, action, ...texts } = messages.mail.factorChanged;
  const names: readonly unknown[] = Array.isArray(detail['names']) ? detail['names'] : [];
  const quoted = names.map((name) => quote(inertText(String(name)))).join(', ');
  const { subject, text } = texts[change];
  return {
    subject: subject(serviceName),
    paragraphs: [text(account(username, serviceName), time, quoted), after],
    action: { label: action, href: baseUrl + pagePaths.security },
    after: [],
  };
}

/** Written by `packages/applications/src/application/application-name-store.ts`. */
const accesses = ['act-as-owner', 'implicit', 'scopes', 'settings'] as const;

/** To an owner whose application was created or gained access. */
export function composeApplicationNotice(input: ChangeInput): Omit<Message, 'footer'> {
  const { messages, mail, baseUrl, username, serviceName, time } = input;
  const { detail } = mail;
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
    action: { label: texts.action, href: baseUrl + pagePaths.applications },
    after: [],
  };
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** To an owner whose endpoint of a webhook was switched off, as `apps/auth/src/webhooks/endpoint-store.ts` wrote. */
export function composeWebhookOff(input: ChangeInput): Omit<Message, 'footer'> {
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

interface ImportEndedInput extends Omit<ChangeInput, 'mail' | 'time'> {
  readonly row: ImportRow | undefined;
}

/** To a person whose import has ended. Undefined if it is undone, continues or is erased. */
export function composeImportEnded(input: ImportEndedInput): Omit<Message, 'footer'> | undefined {
  const { row, messages, baseUrl, username, serviceName } = input;
  if (row?.state !== 'finished' && row?.state !== 'failed') return undefined;
  const { [row.state]: texts, kept, action } = messages.mail.importEnded;
  const { stored, failures } = messages.imports;
  return {
    subject: texts.subject(serviceName),
    paragraphs: [
      texts.text(username, serviceName),
      ...(row.problem === null ? [] : [failures[row.problem], kept]),
      stored(row.posts, row.comments, row.pictures),
    ],
    action: { label: action, href: baseUrl + pagePaths.import },
    after: [],
  };
}
