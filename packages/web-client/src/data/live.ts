import { SignInRequired } from '@linnet/sdk';
import type { LinnetEvent } from '@linnet/sdk';

import type { Session } from '../session/session.ts';

/** What happens while the stream connects may not be in it, so the client looks for itself as well, but rarely. */
const lookMs = 300_000;

type Report = (error: unknown) => void;

/** Shows what happens at the service while the tab is visible. */
export interface Live {
  start(report: Report): void;
  stop(): void;
}

export function createLive(session: Session): Live {
  /** Where the next stream continues. */
  let lastEventId: string | undefined;
  let listening: AbortController | undefined;
  let ending: AbortController | undefined;

  const look = () => {
    session.lookForNewer();
    session.countUnread();
    session.countProposals();
  };

  async function listen(signal: AbortSignal): Promise<void> {
    const events = session.linnet.events({ streams: ['feed', 'notifications', 'posts'], lastEventId, signal });
    for await (const event of events) {
      lastEventId = event.id;
      if (event.type === 'reset') look();
      else show(session, event);
    }
  }

  function hide(): void {
    listening?.abort();
    listening = undefined;
  }

  function update(report: Report): void {
    if (document.visibilityState !== 'visible') {
      hide();
      return;
    }
    look();
    if (listening !== undefined) return;
    listening = new AbortController();
    listen(listening.signal).catch((error: unknown) => {
      // Without a stream, the client still looks for itself.
      if (error instanceof SignInRequired) report(error);
    });
  }

  return {
    start: (report) => {
      ending = new AbortController();
      const { signal } = ending;
      document.addEventListener('visibilitychange', () => update(report), { signal });
      addEventListener('online', () => update(report), { signal });
      const timer = setInterval(() => update(report), lookMs);
      signal.addEventListener('abort', () => clearInterval(timer));
      update(report);
    },
    stop: () => {
      ending?.abort();
      hide();
    },
  };
}

/** Events have ids only: what is shown is read with the API, as the person may see it now. */
function show(session: Session, { type, streams, data }: LinnetEvent): void {
  if (streams.includes('notifications')) session.countUnread();
  if (type === 'follow_request.created') session.countWaiting();
  if (data.draft_id !== undefined) session.countProposals();
  if (!streams.includes('feed') || data.post_id === undefined) return;
  if (type === 'post.created' || type === 'repost.created') session.lookForNewer();
  if (type === 'post.edited') session.refreshPost(data.post_id);
  if (type === 'post.deleted') session.removePost(data.post_id);
}
