import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A decoded message. */
export interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  /** The plain text part. */
  readonly text: string;
  readonly html: string;
  /** The message source. */
  readonly raw: string;
}

/** By file, since files do not change: a test that waits for a message reads the folder many times. */
const received = new Map<string, Promise<ReceivedMail>>();

/** The messages in a folder, oldest first. */
async function readMailbox(directory: string): Promise<readonly ReceivedMail[]> {
  const names = await readdir(directory).catch(() => []);
  const files = names.filter((name) => name.endsWith('.eml')).toSorted();
  return await Promise.all(files.map(async (name) => await readMail(join(directory, name))));
}

async function readMail(file: string): Promise<ReceivedMail> {
  const known = received.get(file) ?? readFile(file, 'utf8').then(parseMail);
  received.set(file, known);
  return await known;
}

/** The messages to an address. */
export async function mailTo(directory: string, address: string): Promise<readonly ReceivedMail[]> {
  return (await readMailbox(directory)).filter(({ to }) => to === address);
}

/** Decodes what the composer writes: two parts, in quoted-printable, base64 or neither. */
export function parseMail(raw: string): ReceivedMail {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1] ?? '';
  const partOf = (type: string) => {
    const part = raw.split(/\r\n--[^\r\n]*\r\n/).find((one) => one.startsWith(`Content-Type: ${type}`)) ?? '';
    const [partHead = '', ...body] = part.split('\r\n\r\n');
    return decodeBody(body.join('\r\n\r\n'), /^Content-Transfer-Encoding: (.*)$/im.exec(partHead)?.[1] ?? '');
  };
  return {
    raw,
    to: header('To'),
    subject: decodeWords(header('Subject')),
    text: partOf('text/plain'),
    html: partOf('text/html'),
  };
}

/** Path and query of the link in a message. @throws Error if there is none. */
export function linkIn({ text }: ReceivedMail): string {
  const link = /https?:\/\/[^/\s]+(\/\S+\?token=\S+)/.exec(text)?.[1];
  if (link === undefined) throw new Error(`the message has no link: ${text}`);
  return link;
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  return encoding === 'quoted-printable' ? decodeQuoted(body.replaceAll('=\r\n', '')) : body;
}

function decodeQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** RFC 2047, as far as the composer uses it. */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString() : decodeQuoted(word.replaceAll('_', ' ')),
    );
}
