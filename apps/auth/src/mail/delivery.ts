/** The job that sends the rows of the table `mail`. Every process runs it; each message is claimed by one of them. */
import { durationOf, retention } from '@linnet/db/keep/retention';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { Secret } from '@linnet/service/config/secret';
import type { SiteLinks } from '@linnet/service/http/site-links';
import type { Job } from '@linnet/service/jobs/job';
import type { Logger } from '@linnet/service/log/logger';
import type { Metrics } from '@linnet/service/metrics/metrics';
import { formatServiceName } from '@linnet/ui/service-name';

import { composeMail } from './compose.ts';
import type { ComposeOptions } from './compose.ts';
import { refuseEmailChange } from './email-change-store.ts';
import { refuseVerification } from './link-store.ts';
import type { MailConfig } from './mail-config.ts';
import { createMailEvents } from './mail-events.ts';
import type { MailEvents } from './mail-events.ts';
import { claimMail, holdProposals, isMailDue, postponeMail, removeMail } from './mail-store.ts';
import type { ClaimedMail } from './mail-store.ts';
import { renderHtml, renderText } from './message-html.tsx';
import { createMailTransport } from './transport.ts';
import type { MailTransport } from './transport.ts';

interface DeliveryOptions extends ComposeOptions {
  readonly db: Queryable;
  readonly transport: MailTransport;
  /** The sender's address. */
  readonly from: string;
  readonly events: MailEvents;
}

const everyMs = 1000;
/** Also the number of parallel connections to the mail server. */
const batch = 5;
/** Longer than a batch takes to send. After a crash, claimed mail retryDelays this long. */
const leaseSeconds = 300;
const minute = 60;
/** Delays in seconds before the second attempt, the third and so on; the last one repeats. */
const retryDelays = [minute, 5 * minute, 15 * minute, 60 * minute, 180 * minute] as const;

/** Delivers at least once: a message that is sent again has the same Message-ID and the same link. */
function createDelivery(options: DeliveryOptions): Job {
  return {
    name: 'mail',
    everyMs,
    due: isMailDue,
    run: async (stopping) => {
      let claimed: readonly ClaimedMail[];
      do {
        claimed = await claimMail(options.db, batch, leaseSeconds);
        await Promise.all(claimed.map((mail) => deliver(options, mail, stopping)));
      } while (claimed.length === batch && !stopping.aborted);
    },
  };
}

async function deliver(options: DeliveryOptions, mail: ClaimedMail, stopping: AbortSignal): Promise<void> {
  const { db, events } = options;
  const event = { mailId: mail.id, kind: mail.kind, accountId: mail.accountId ?? undefined, attempts: mail.attempts };
  try {
    const isSent = await send(options, mail, stopping);
    await (isSent ? endMail(db, mail) : removeMail(db, mail.id));
    if (isSent) await events.sent({ ...event, session: sessionOf(mail) });
  } catch (error) {
    if (stopping.aborted) await postponeMail(db, mail.id, 0);
    else if (isFinal(error) || isTooOld(mail)) {
      await endMail(db, mail);
      await recordRefusal(db, mail);
      await events.givenUp({ ...event, reason: reasonOf(error) });
    } else {
      await postponeMail(db, mail.id, retryDelays[Math.min(mail.attempts, retryDelays.length) - 1] ?? minute);
      events.delayed({ ...event, reason: reasonOf(error) });
    }
  }
}

async function endMail(db: Queryable, mail: ClaimedMail): Promise<void> {
  await (mail.kind === 'proposals' ? holdProposals(db, mail) : removeMail(db, mail.id));
}

/** The person sees it on the page of the address. */
async function recordRefusal(db: Queryable, { kind, accountId, recipient, detail }: ClaimedMail): Promise<void> {
  if (kind === 'verify_email' && accountId !== null) await refuseVerification(db, accountId, recipient);
  if (kind === 'change_email') await refuseEmailChange(db, Number(detail['change']));
}

/** The sign-in from a new place that the message reports. */
function sessionOf({ kind, detail }: ClaimedMail): string | undefined {
  return kind === 'new_sign_in' ? String(detail['session']) : undefined;
}

/** Returns false if the message is no longer needed. */
async function send(options: DeliveryOptions, mail: ClaimedMail, stopping: AbortSignal): Promise<boolean> {
  const composed = await composeMail(options, mail);
  if (composed === undefined) return false;
  const { to, language, message } = composed;
  const { serviceName, from, transport } = options;
  await transport.send(
    {
      id: mail.id,
      from: { name: serviceName, address: from },
      to,
      language,
      subject: message.subject,
      text: renderText(message),
      html: renderHtml({ language, serviceName, message }),
    },
    stopping,
  );
  return true;
}

function isTooOld({ kind, createdAt }: ClaimedMail): boolean {
  return (
    Date.now() - createdAt.getTime() > durationOf(retention.mail[kind === 'reset_password' ? 'unsentReset' : 'unsent'])
  );
}

interface SmtpError {
  readonly code?: unknown;
  readonly responseCode?: unknown;
}

/** The mail server permanently rejects this address or message (RFC 5321 §4.2.1). */
function isFinal(error: unknown): boolean {
  const { code, responseCode } = toSmtpError(error);
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500;
}

/** Error codes only: responses of mail servers contain addresses. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = toSmtpError(error);
  const name = typeof code === 'string' && /^[A-Z0-9_]{1,32}$/.test(code) ? code : 'unknown';
  return typeof responseCode === 'number' ? `${name} ${String(responseCode)}` : name;
}

function toSmtpError(error: unknown): SmtpError {
  return typeof error === 'object' && error !== null ? error : {};
}

interface MailJobOptions {
  readonly config: {
    readonly baseUrl: string;
    readonly serviceName: string;
    readonly siteLinks: SiteLinks;
    readonly mail: MailConfig;
  };
  readonly db: Queryable;
  readonly logger: Logger;
  /** The first of SECRET_KEYS. */
  readonly secret: Secret;
  readonly metrics: Metrics | undefined;
}

/** The job that sends queued mail. */
export function createMailJob({ config, db, logger, secret, metrics }: MailJobOptions): Job {
  const { baseUrl, serviceName, siteLinks, mail } = config;
  return createDelivery({
    db,
    baseUrl,
    serviceName: formatServiceName(serviceName),
    contact: siteLinks.contact,
    secret,
    from: mail.from,
    transport: createMailTransport(mail),
    events: createMailEvents({ db, logger, metrics }),
  });
}
