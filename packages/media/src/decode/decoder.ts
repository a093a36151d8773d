import type { DecodeJob, DecodeResult, DecodedImage, ImageProblem } from './decode-job.ts';
import { DecoderExited, decoderLimits, startDecoderChild } from './decoder-child.ts';
import type { ChildOptions, DecoderChild, DecoderLimits } from './decoder-child.ts';

/** The file is not a PNG or JPEG that we accept. The message is for the log. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
  readonly problem: ImageProblem;

  constructor(problem: ImageProblem, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.problem = problem;
  }
}

/** The renditions could not be written. */
export class RenditionWriteFailed extends Error {
  override readonly name = 'RenditionWriteFailed';
}

/** Too many images are waiting, the machine is too busy, or the decoder is closed. */
export class DecoderBusy extends Error {
  override readonly name = 'DecoderBusy';
}

export interface Decoder extends AsyncDisposable {
  /** The process id; `undefined`: the process is not running. */
  readonly pid: () => number | undefined;
  /**
   * Decodes an image and writes its renditions. Images are decoded one at a time, in order.
   * @throws ImageRefused, RenditionWriteFailed, DecoderBusy
   */
  decode(job: DecodeJob): Promise<DecodedImage>;
}

interface DecoderOptions extends Pick<ChildOptions, 'dataDir' | 'jobFiles' | 'script'> {
  readonly limits?: DecoderLimits;
  /** Called whenever the process exited or was killed during a job. */
  readonly onExit?: (error: DecoderExited) => void;
  /** The process is stopped after being idle for this long. */
  readonly idleMs?: number;
}

const maxWaiting = 24;
const defaultIdleMs = 60_000;
const maxAttempts = 2;

/** Creates a decoder. */
export function createDecoder(options: DecoderOptions): Decoder {
  const decoder = createJobProcess<DecodeJob, DecodeResult>(options);
  return {
    pid: () => decoder.pid(),
    decode: async (job) => toImage(await decoder.run(job)),
    [Symbol.asyncDispose]: async () => await decoder[Symbol.asyncDispose](),
  };
}

/** A process that runs one job at a time, in order. */
export interface JobProcess<Job, Result> extends AsyncDisposable {
  readonly pid: () => number | undefined;
  /** @throws ImageRefused, DecoderBusy */
  run(job: Job): Promise<Result>;
}

/** The process starts for the first job, starts again after it has exited, and stops when idle. */
export function createJobProcess<Job extends object, Result>({
  idleMs = defaultIdleMs,
  ...options
}: DecoderOptions): JobProcess<Job, Result> {
  const host = createHost<Job, Result>(options);
  let waiting = 0;
  let lastJob: Promise<unknown> = Promise.resolve();
  let idleTimer: NodeJS.Timeout | undefined;

  const enqueue = async (job: Job): Promise<Result> => {
    clearTimeout(idleTimer);
    const result = lastJob.then(async () => await host.run(job));
    lastJob = result.catch(() => undefined);
    return await result;
  };
  return {
    pid: () => host.pid(),
    run: async (job) => {
      if (waiting >= maxWaiting) throw new DecoderBusy();
      waiting += 1;
      try {
        return await enqueue(job);
      } finally {
        waiting -= 1;
        if (waiting === 0) idleTimer = setTimeout(() => void host.stop(), idleMs).unref();
      }
    },
    [Symbol.asyncDispose]: async () => {
      clearTimeout(idleTimer);
      await host.close();
    },
  };
}

interface Host<Job, Result> {
  readonly pid: () => number | undefined;
  run(job: Job): Promise<Result>;
  /** Stops the process; the next job starts it again. */
  stop(): Promise<void>;
  /** Stops the process for good. */
  close(): Promise<void>;
}

/** Owns the one decoder process and restarts it as needed. */
function createHost<Job extends object, Result>({
  limits = decoderLimits,
  onExit,
  ...options
}: DecoderOptions): Host<Job, Result> {
  let child: DecoderChild<Job, Result> | undefined;
  let isClosed = false;

  const attempt = async (job: Job): Promise<Result> => {
    if (isClosed) throw new DecoderBusy();
    if (child?.isAlive() !== true) child = startDecoderChild<Job, Result>({ ...options, limits });
    return await child.run(job);
  };
  const stop = async () => {
    const stopped = child;
    child = undefined;
    await stopped?.kill();
  };
  const handleExit = async (error: unknown): Promise<DecoderExited> => {
    if (!(error instanceof DecoderExited)) throw error;
    await stop();
    if (isClosed) throw new DecoderBusy();
    onExit?.(error);
    return error;
  };
  return {
    pid: () => child?.pid,
    // If the process exited for another reason than a limit, the job is retried once.
    run: async (job) => {
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await attempt(job);
        } catch (error) {
          const exit = await handleExit(error);
          if (exit.blame === 'machine') throw new DecoderBusy();
          if (exit.blame === 'job' || attempts === maxAttempts) {
            throw new ImageRefused('damaged', 'the decoder exited', { cause: exit });
          }
        }
      }
    },
    stop,
    close: async () => {
      isClosed = true;
      await stop();
    },
  };
}

function toImage(result: DecodeResult): DecodedImage {
  if ('decoded' in result) return result.decoded;
  if (result.problem === 'disk') throw new RenditionWriteFailed(result.detail);
  throw new ImageRefused(result.problem, result.detail);
}
