import type { DecodeAnswer, DecodeJob, DecodedImage } from './decode-job.ts';
import { DecoderDied, decoderLimits, startDecoderChild } from './decoder-child.ts';
import type { ChildOptions, DecoderChild, DecoderLimits } from './decoder-child.ts';

/** The file is no PNG or JPEG that we take; the message is for the log. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}

/** The renditions could not be written. */
export class RenditionsNotWritten extends Error {
  override readonly name = 'RenditionsNotWritten';
}

/** More images wait than will be decoded in reasonable time. */
export class DecoderBusy extends Error {
  override readonly name = 'DecoderBusy';
}

export interface Decoder extends AsyncDisposable {
  /** The process number while the process is there. */
  readonly pid: () => number | undefined;
  /**
   * Decodes one image at a time; others wait.
   * @throws ImageRefused, RenditionsNotWritten, DecoderBusy
   */
  decode(job: DecodeJob): Promise<DecodedImage>;
}

interface DecoderOptions extends Pick<ChildOptions, 'dataDir' | 'script'> {
  readonly limits?: DecoderLimits;
  readonly onDeath?: (error: DecoderDied) => void;
  /** Without work for this long the process is let go. */
  readonly idleMs?: number;
}

const maxWaiting = 24;
const defaultIdleMs = 60_000;
const maxAttempts = 2;

/** The decoding process: started by the first image, again after every death, ended when idle. */
export function createDecoder({ idleMs = defaultIdleMs, ...options }: DecoderOptions): Decoder {
  const host = createHost(options);
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  const inTurn = async (job: DecodeJob): Promise<DecodeAnswer> => {
    clearTimeout(idle);
    const turn = last.then(async () => await host.run(job));
    last = turn.catch(() => undefined);
    return await turn;
  };
  return {
    pid: () => host.pid(),
    decode: async (job) => {
      if (waiting >= maxWaiting) throw new DecoderBusy();
      waiting += 1;
      try {
        return toImage(await inTurn(job));
      } finally {
        waiting -= 1;
        if (waiting === 0) idle = setTimeout(() => void host.letGo(), idleMs).unref();
      }
    },
    [Symbol.asyncDispose]: async () => {
      clearTimeout(idle);
      await host.close();
    },
  };
}

interface Host {
  readonly pid: () => number | undefined;
  run(job: DecodeJob): Promise<DecodeAnswer>;
  /** Ends the process until there is work. */
  letGo(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps one process at hand. */
function createHost({ limits = decoderLimits, onDeath, ...options }: DecoderOptions): Host {
  let child: DecoderChild | undefined;
  let isClosed = false;

  const attempt = async (job: DecodeJob): Promise<DecodeAnswer> => {
    if (isClosed) throw new DecoderBusy();
    if (child?.isAlive() !== true) child = startDecoderChild({ ...options, limits });
    return await child.run(job);
  };
  const letGo = async () => {
    const leaving = child;
    child = undefined;
    await leaving?.kill();
  };
  const afterDeath = async (error: unknown): Promise<DecoderDied> => {
    if (!(error instanceof DecoderDied)) throw error;
    await letGo();
    if (isClosed) throw new DecoderBusy();
    onDeath?.(error);
    return error;
  };
  return {
    pid: () => child?.pid,
    // A process that somebody else ended gets the job once more; one that went too far does not.
    run: async (job) => {
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await attempt(job);
        } catch (error) {
          const death = await afterDeath(error);
          if (death.isOurs || attempts === maxAttempts) throw new ImageRefused('the decoder died', { cause: death });
        }
      }
    },
    letGo,
    close: async () => {
      isClosed = true;
      await letGo();
    },
  };
}

function toImage(answer: DecodeAnswer): DecodedImage {
  if ('decoded' in answer) return answer.decoded;
  throw answer.problem === 'disk' ? new RenditionsNotWritten(answer.detail) : new ImageRefused(answer.detail);
}
