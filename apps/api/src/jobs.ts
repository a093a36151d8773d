import type { Db } from '@linnet/db/database';
import type { Job } from '@linnet/service/jobs/job';
import type { Logger } from '@linnet/service/log/logger';
import { createTimelineBuilder, sweepTimelines } from '@linnet/social/feed/timeline-build-store';
import type { TimelineBuilder } from '@linnet/social/feed/timeline-build-store';
import { createTimelineChanges, isTimelineDue } from '@linnet/social/feed/timeline-change-store';

/** Until timelines have a change, feeds read it besides; so it must not take long. */
const everyMs = 200;
const sweepEveryMs = 600_000;

/** Builds the timelines of people who read their feed. */
export function openTimelines({ db, logger }: { readonly db: Db; readonly logger: Logger }): TimelineBuilder {
  return createTimelineBuilder({
    db,
    onError: (error) => logger.warn({ err: error }, 'a timeline could not be built'),
  });
}

/** The jobs that keep timelines up to date, and delete those that nobody reads. */
export function createTimelineJobs(db: Db): readonly Job[] {
  const applyChanges = createTimelineChanges();
  return [
    { name: 'timelines', everyMs, due: isTimelineDue, run: async (stopping) => await applyChanges(db, stopping) },
    { name: 'unread-timelines', everyMs: sweepEveryMs, run: async (stopping) => await sweepTimelines(db, stopping) },
  ];
}
