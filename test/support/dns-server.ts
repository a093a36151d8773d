/** A name server on this machine, in tests. */
import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import { once } from 'node:events';

/** What it says about a domain: hosts that take its mail, the response code (RFC 1035 §4.1.1), or nothing at all. */
export type DnsAnswer = readonly string[] | number | 'silence';

export interface DnsServer extends AsyncDisposable {
  /** For `setServers` of node:dns. */
  readonly address: string;
  /** The domains that it was asked about. */
  readonly asked: readonly string[];
}

const headerBytes = 12;
const mxType = 15;
const [answersAt, codeAt] = [6, 3];

/** Knows the mail servers of some domains. The others do not exist. */
export async function startDnsServer(answers: Readonly<Record<string, DnsAnswer>>): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port }) => {
    const { domain, end } = readName(query);
    asked.push(domain);
    const answer = answers[domain] ?? 3;
    if (answer !== 'silence') socket.send(toResponse(query.subarray(0, end), answer), port, '127.0.0.1');
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${String(socket.address().port)}`,
    asked,
    [Symbol.asyncDispose]: async () => await close(socket),
  };
}

async function close(socket: Socket): Promise<void> {
  const closed = once(socket, 'close');
  socket.close();
  await closed;
}

/** The domain of the question, and where the question ends. */
function readName(query: Buffer): { readonly domain: string; readonly end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  // A zero, a type and a class follow.
  return { domain: labels.join('.').toLowerCase(), end: at + 5 };
}

function toResponse(question: Buffer, answer: readonly string[] | number): Buffer {
  const hosts = typeof answer === 'number' ? [] : answer;
  const header = Buffer.from(question);
  header.writeUInt16BE(0x8180, 2);
  header[codeAt] = 0x80 | (typeof answer === 'number' ? answer : 0);
  header.writeUInt16BE(hosts.length, answersAt);
  // There are no further sections, such as EDNS.
  header.writeUInt32BE(0, answersAt + 2);
  return Buffer.concat([header, ...hosts.map(toRecord)]);
}

function toRecord(host: string): Buffer {
  const labels = host.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  const data = Buffer.concat([Buffer.from([0, 10]), ...labels, Buffer.from([0])]);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc0_00 | headerBytes, 0); // the name of the question
  head.writeUInt16BE(mxType, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
