/** Sends mail to a server (SMTP_URL), or writes it to files in DATA_DIR/mail if none is configured. */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { durationOf, retention } from '@linnet/db/keep/retention';
import type { Secret } from '@linnet/service/config/secret';
import type { SmtpSettings } from '@linnet/service/process/smtp-safety';

/** A composed message; text from other people in it is encoded or escaped. */
interface OutgoingMail {
  /** The same when the message is sent again: the name of the file and part of the Message-ID. */
  readonly id: number;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailTransport {
  /** Resolves when the mail server accepted the message or the file is written. @throws their errors */
  send(mail: OutgoingMail, stopping: AbortSignal): Promise<void>;
}

/** A mail server that does not respond must not delay other mail or the end of the process for long. */
const smtpTimeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 } as const;

interface TransportOptions extends SmtpSettings {
  /** For files. */
  readonly directory: string;
}

export function createMailTransport({ smtpUrl, smtpRequireTls, directory }: TransportOptions): MailTransport {
  return smtpUrl === undefined ? createFileTransport(directory) : createSmtpTransport(smtpUrl, smtpRequireTls);
}

/** Connects to the server of SMTP_URL and signs in. @throws if either fails, or if required TLS is not available */
export async function checkMailServer(smtpUrl: Secret, requireTls: boolean): Promise<void> {
  const server = await connect(smtpUrl, requireTls);
  try {
    await server.verify();
  } finally {
    server.close();
  }
}

/** One connection per message: pooled connections would delay the end of the process. */
async function connect(smtpUrl: Secret, requireTLS: boolean) {
  const { createTransport } = await nodemailer();
  return createTransport({ url: smtpUrl.reveal(), requireTLS, ...smtpTimeouts });
}

/** Loaded with the first message, because it would make every process larger. */
async function nodemailer() {
  return await import('nodemailer');
}

function createSmtpTransport(smtpUrl: Secret, requireTls: boolean): MailTransport {
  return {
    send: async (mail, signal) => {
      const server = await connect(smtpUrl, requireTls);
      await server.sendMail({ ...toMessage(mail), signal });
    },
  };
}

function createFileTransport(directory: string): MailTransport {
  return {
    send: async (mail) => {
      const { createTransport } = await nodemailer();
      const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message } = await composer.sendMail(toMessage(mail));
      if (!Buffer.isBuffer(message)) throw new TypeError('the message was not composed');
      await writeWhole(directory, `${String(mail.id)}.eml`, message);
    },
  };
}

/** Writes atomically, readable by this user only: mail contains links that sign people in. */
async function writeWhole(directory: string, name: string, content: Buffer): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = join(directory, `${name}.draft`);
  await using file = await open(draft, 'w', 0o600);
  await file.writeFile(content);
  await file.sync();
  await rename(draft, join(directory, name));
}

function toMessage({ id, from, to, language, subject, text, html }: OutgoingMail) {
  const [, domain = 'localhost'] = from.address.split('@');
  return {
    messageId: `<${String(id)}@${domain}>`,
    from: { ...from },
    // An object, because a string would be parsed for several addresses.
    to: { name: '', address: to },
    subject,
    text,
    html,
    // Composing must not read files or URLs named in a message.
    disableFileAccess: true,
    disableUrlAccess: true,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
  };
}

const keptMs = durationOf(retention.file.mail);
/** Drafts remain when a process crashes. */
const mailFile = /^\d+\.eml(?:\.draft)?$/;

/**
 * Deletes messages older than 30 days that were written to files, and no other file. They contain links and addresses.
 */
export async function sweepMailFiles(directory: string, now = Date.now()): Promise<void> {
  for (const name of await namesIn(directory)) {
    if (!mailFile.test(name)) continue;
    const path = join(directory, name);
    const file = await stat(path).catch(unlessMissing);
    if (file !== undefined && file.mtimeMs < now - keptMs) await rm(path, { force: true });
  }
}

/** The folder does not exist before the first message. */
async function namesIn(directory: string): Promise<readonly string[]> {
  return (await readdir(directory).catch(unlessMissing)) ?? [];
}

/** Ignores files that another process has deleted. @throws any other error */
function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
