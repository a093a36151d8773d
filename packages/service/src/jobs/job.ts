/** Work that runs on a timer, such as a sweep, or whenever rows wait for it. */
export interface Job {
  readonly name: string;
  /** Milliseconds from the end of one run to the start of the next. */
  readonly everyMs: number;
  /** Whether each process has something to do of its own. All others are of the host: one of its processes suffices. */
  readonly isOfProcess?: true;
  /**
   * SQL that is true while the job has something to do. Such a job runs only then. One statement asks for all of them, so it must be
   * as cheap as a look-up in an index, and false after a run that had no problem.
   */
  readonly due?: string;
  /**
   * One run. Several processes may run it at the same time: use `runExclusively` of `@linnet/db` for work that must run in one process at
   * a time. A run that throws is logged, and the next one follows as usual. Long work must check `stopping`.
   */
  run(stopping: AbortSignal): Promise<void>;
}

/** A job that runs while it is due. */
export type QueueJob = Job & { readonly due: string };

/** What runs: a job, or the check of the queues. */
export type Run = (job: Pick<Job, 'name' | 'run'>) => Promise<'success' | 'failure'>;
