/** Where lines go, such as a destination of `pino`. */
export interface LineSink {
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
