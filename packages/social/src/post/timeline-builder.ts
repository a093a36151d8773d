import type { Transactional } from '@linnet/db/database';

import { buildTimeline, touchTimeline } from './timeline-build-store.ts';

/** Told what a read of a feed found out about the timeline of its reader. Both return at once. */
export interface Timelines {
  /** There is none that can be used. */
  readonly missing: (readerId: number) => void;
  /** It was read for the first time today. */
  readonly old: (readerId: number) => void;
}

/** Disposal waits for the build in progress. */
export interface TimelineBuilder extends Timelines, AsyncDisposable {}

interface BuilderOptions {
  /** The primary. */
  readonly db: Transactional;
  readonly onError: (error: unknown) => void;
}

/** Readers that wait, at most. Others are built at one of their next reads. */
const maxWaiting = 1000;
/** Readers whose timelines could not be built are left alone for this long: their feeds are computed. */
const patienceMs = 60_000;

/** Builds timelines one after the other, while requests are answered. */
export function createTimelineBuilder({ db, onError }: BuilderOptions): TimelineBuilder {
  const waiting = new Map<number, typeof buildTimeline>();
  const failed = new Map<number, number>();
  let working: Promise<void> | undefined;
  let isStopping = false;

  const isLeftAlone = (readerId: number) => performance.now() < (failed.get(readerId) ?? -Infinity) + patienceMs;

  async function workOff(): Promise<void> {
    for (const [readerId, work] of waiting) {
      waiting.delete(readerId);
      try {
        await work(db, readerId);
      } catch (error) {
        if (failed.size >= maxWaiting) failed.clear();
        failed.set(readerId, performance.now());
        onError(error);
      }
      if (isStopping) return;
    }
  }

  function add(readerId: number, work: typeof buildTimeline): void {
    if (isStopping || waiting.size >= maxWaiting || waiting.has(readerId) || isLeftAlone(readerId)) return;
    waiting.set(readerId, work);
    working ??= workOff().finally(() => (working = undefined));
  }

  return {
    missing: (readerId) => add(readerId, buildTimeline),
    old: (readerId) => add(readerId, touchTimeline),
    [Symbol.asyncDispose]: async () => {
      isStopping = true;
      await working;
    },
  };
}
