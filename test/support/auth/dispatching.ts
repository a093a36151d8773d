import type { Db } from '@linnet/db/database';
import { orderEvents } from '@linnet/social/event/event-store';

import { dispatchEvents } from '@linnet/auth/webhooks/dispatch-store';

/** What the servers do on their timers: orders the events and writes the deliveries of webhooks. */
export async function dispatchNow(db: Db): Promise<void> {
  await orderEvents(db);
  await dispatchEvents(db);
}
