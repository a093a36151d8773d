/** How mail leaves: to a mail server (SMTP_URL), or to files of DATA_DIR/mail where there is none. */
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';

import type { Secret } from '@linnet/service/secret';
import { createTransport } from 'nodemailer';

/** A message as it is put together; whatever strangers wrote in it is encoded or escaped. */
interface OutgoingMail {
  /** Stays the same when it is sent again: names the file, and is a part of Message-ID. */
  readonly id: number;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailTransport {
  /** Resolves when somebody else is responsible for the message. @throws whatever the mail server or the disk says. */
  send(mail: OutgoingMail, stopping: AbortSignal): Promise<void>;
}

/** A mail server that does not answer must hold back neither other mail nor the end of the process for long. */
const smtpTimeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 } as const;

interface TransportOptions {
  readonly smtpUrl: Secret | undefined;
  /** For files. */
  readonly directory: string;
}

export function createMailTransport({ smtpUrl, directory }: TransportOptions): MailTransport {
  return smtpUrl === undefined ? createFileTransport(directory) : createSmtpTransport(smtpUrl);
}

/** Asks the server of SMTP_URL whether it would take mail. @throws when it would not. */
export async function checkMailServer(smtpUrl: Secret): Promise<void> {
  const server = createTransport({ url: smtpUrl.reveal(), ...smtpTimeouts });
  try {
    await server.verify();
  } finally {
    server.close();
  }
}

function createSmtpTransport(smtpUrl: Secret): MailTransport {
  // A connection for each message: kept ones would hold up the end of the process.
  const server = createTransport({ url: smtpUrl.reveal(), ...smtpTimeouts });
  return {
    send: async (mail, signal) => {
      await server.sendMail({ ...toMessage(mail), signal });
    },
  };
}

function createFileTransport(directory: string): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    send: async (mail) => {
      const { message } = await composer.sendMail(toMessage(mail));
      if (!Buffer.isBuffer(message)) throw new TypeError('the message was not composed');
      await writeWhole(directory, `${String(mail.id)}.eml`, message);
    },
  };
}

/** Links in mail are for its reader alone; nobody sees half a file. */
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
    // No text, which would be searched for several addresses.
    to: { name: '', address: to },
    subject,
    text,
    html,
    // Nothing in a message may be fetched by composing it.
    disableFileAccess: true,
    disableUrlAccess: true,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
  };
}
