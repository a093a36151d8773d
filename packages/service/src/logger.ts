import { Writable } from 'node:stream';

import { pino } from 'pino';
import { PinoPretty } from 'pino-pretty';

import type { LogLevel } from './environment.ts';
import { cleanLine, cleanLineToShow, escapeControls, toLoggedError, withoutSecrets } from './log-safety.ts';

export type Logger = pino.Logger;

export interface LoggerOptions {
  readonly level: LogLevel;
  /** For people at a terminal; otherwise one JSON object a line. */
  readonly pretty: boolean;
  /** Where lines go; stdout when left out. */
  readonly destination?: 'stdout' | 'stderr' | LineSink;
}

interface LineSink {
  write(line: string): unknown;
}

/** Linux writes up to this much to a pipe in one piece: lines of several processes stay whole. */
const maxPipeWrite = 4096;

/**
 * A logger whose lines cannot be forged by what is logged and carry no secrets: control characters
 * are escaped; values under names such as `password`, `code` or `authorization` are left out; of
 * errors only type, message, code, stack and causes are kept. Lines to stdout are written
 * asynchronously and flushed when the process exits.
 */
export function createLogger({ level, pretty, destination = 'stdout' }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      serializers: { err: toLoggedError },
      hooks: { streamWrite: pretty ? cleanLineToShow : cleanLine },
    },
    pretty ? prettyStream(destination) : plainStream(destination),
  );
}

function plainStream(destination: 'stdout' | 'stderr' | LineSink): pino.DestinationStream {
  if (typeof destination === 'object') return { write: (line) => void destination.write(line) };
  return pino.destination({ dest: fileDescriptors[destination], sync: false, maxWrite: maxPipeWrite });
}

function prettyStream(destination: 'stdout' | 'stderr' | LineSink): pino.DestinationStream {
  return PinoPretty({
    colorize: typeof destination === 'string',
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid',
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
