import type { Db } from '@linnet/db/database';
import type { LinkFetcher } from '@linnet/media/media';
import type { Job } from '@linnet/service/jobs/job';
import type { Logger } from '@linnet/service/log/logger';
import { createTimelineBuilder, sweepTimelines } from '@linnet/social/feed/timeline-build-store';
import type { TimelineBuilder } from '@linnet/social/feed/timeline-build-store';
import { createTimelineChanges, isTimelineDue } from '@linnet/social/feed/timeline-change-store';
import { isCardDue, sweepAllCards, sweepCards } from '@linnet/social/link-card/link-card-store';
import { fetchCards } from '@linnet/social/link-card/page-card';

/** Until timelines have a change, feeds read it besides; so it must not take long. */
const everyMs = 200;
const sweepEveryMs = 600_000;
const cardsEveryMs = 500;

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

/** The jobs that fetch the cards of links, and delete those that no post needs. Undefined `links`: there are no cards. */
export function createLinkCardJobs(db: Db, links: LinkFetcher | undefined): readonly Job[] {
  const sweep = links === undefined ? sweepAllCards : sweepCards;
  const name = 'old-link-cards';
  const sweepJob: Job = { name, everyMs: sweepEveryMs, run: async (stopping) => await sweep(db, stopping) };
  if (links === undefined) return [sweepJob];
  const run = async (stopping: AbortSignal) => await fetchCards(db, links, stopping);
  return [{ name: 'link-cards', everyMs: cardsEveryMs, due: isCardDue, run }, sweepJob];
}
