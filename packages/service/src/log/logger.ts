import { fstatSync } from 'node:fs';
import { hostname } from 'node:os';
import { Writable } from 'node:stream';

import { PinoPretty } from 'pino-pretty';
import { pino } from 'pino';

import type { LogLevel } from '../config/observation-variables.ts';
import { version } from '../config/version.ts';
import { cleanLine, cleanLineToShow, escapeControls, toLoggedError, withoutSecrets } from './log-safety.ts';
import { limitOutageLines } from './outage-lines.ts';

/** Where lines go, such as a destination of `pino`. */
interface LineSink {
  write(lines: string): unknown;
}

interface LineBufferOptions {
  readonly sink: LineSink;
  /** Writes before it returns. Receives what is left when the process exits. */
  readonly sinkAtExit: LineSink;
  /** Lines are handed over together as long as they fit. */
  readonly maxBytes: number;
}

/** What is left when the process exits. One listener for all: Node.js warns of more than ten. */
const flushAtExit = new Set<() => void>();
process.on('exit', () => {
  for (const flush of flushAtExit) flush();
});

/** How long a line waits for others, in milliseconds. */
const maxWaitMs = 20;

/**
 * Collects lines, so that a busy process writes many of them at a time: to hand a line to the thread that writes it costs
 * more than everything else about the line. A line waits 20 ms at most. If the process exits, none is lost.
 */
export function bufferLines({ sink, sinkAtExit, maxBytes }: LineBufferOptions): LineSink {
  let waiting = '';
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;

  const flushTo = (to: LineSink): void => {
    const lines = waiting;
    waiting = '';
    bytes = 0;
    clearTimeout(timer);
    timer = undefined;
    if (lines !== '') to.write(lines);
  };
  const flush = (): void => flushTo(sink);
  flushAtExit.add(() => flushTo(sinkAtExit));
  return {
    write: (line) => {
      const length = Buffer.byteLength(line);
      if (bytes + length > maxBytes) flush();
      waiting += line;
      bytes += length;
      timer ??= setTimeout(flush, maxWaitMs).unref();
    },
  };
}

export type Logger = pino.Logger;

interface LoggerOptions {
  readonly level: LogLevel;
  /** True for readable lines at a terminal, false for one JSON object per line. */
  readonly pretty: boolean;
  /** The member `service` of each line, such as `linnet-api`; `linnet` if absent. */
  readonly service?: string;
  /** Receives the lines; `stdout` if absent. */
  readonly destination?: 'stdout' | 'stderr' | LineSink;
}

/** In bytes (PIPE_BUF): Linux writes up to this much to a pipe atomically, so that lines of several processes do not mix. */
const maxPipeWrite = 4096;
/** In bytes: a file takes a write of any size as a whole. */
const maxFileWrite = 131_072;

/**
 * Creates a logger that keeps secrets and forged lines out of the log: it escapes control characters, redacts values
 * under names such as `password`, `code` or `authorization`, and logs only type, message, code, stack and causes of
 * errors. Of an outage it writes one line per cause and minute. Lines to stdout are written asynchronously, within 20 ms, and
 * flushed when the process exits.
 */
export function createLogger(options: LoggerOptions): Logger {
  const { level, pretty, service = 'linnet', destination = 'stdout' } = options;
  return pino(
    {
      level,
      base: { service, version, host: hostname(), pid: process.pid },
      timestamp: createTimestamps(),
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      serializers: { err: toLoggedError },
      hooks: { streamWrite: pretty ? cleanLineToShow : cleanLine, logMethod: limitOutageLines() },
    },
    pretty ? prettyStream(destination) : plainStream(destination),
  );
}

/** A member of a line. The text is the same for all lines of a millisecond. */
function createTimestamps(): () => string {
  let writtenFor = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== writtenFor) text = `,"time":"${new Date(now).toISOString()}"`;
    writtenFor = now;
    return text;
  };
}

function plainStream(destination: 'stdout' | 'stderr' | LineSink): pino.DestinationStream {
  if (typeof destination === 'object') return { write: (line) => void destination.write(line) };
  const dest = fileDescriptors[destination];
  const maxWrite = fstatSync(dest).isFile() ? maxFileWrite : maxPipeWrite;
  return bufferLines({
    sink: pino.destination({ dest, sync: false, maxWrite }),
    sinkAtExit: pino.destination({ dest, sync: true, maxWrite }),
    maxBytes: maxWrite,
  });
}

function prettyStream(destination: 'stdout' | 'stderr' | LineSink): pino.DestinationStream {
  return PinoPretty({
    colorize: typeof destination === 'string',
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,service,version,host',
    singleLine: true,
    messageFormat: ({ msg }) => (typeof msg === 'string' ? escapeControls(msg) : ''),
    ...(typeof destination === 'string'
      ? { sync: true, destination: fileDescriptors[destination] }
      : { destination: toWritable(destination) }),
  });
}

const fileDescriptors = { stdout: 1, stderr: 2 };

function toWritable(sink: LineSink): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      sink.write(String(chunk));
      done();
    },
  });
}
