import { z } from 'zod';

import { eventSchema, lastEventIdParameter, streamsParameter } from '../events.ts';
import { defineRoute } from '../route.ts';

export const listenToEvents = defineRoute({
  id: 'events',
  methods: ['GET'],
  path: '/events',
  scope: 'posts:read',
  requiresAccount: true,
  writes: false,
  streams: true,
  input: z.object({ streams: streamsParameter, last_event_id: lastEventIdParameter }),
  output: eventSchema,
  errors: [],
  summary: 'Listen to events',
  description:
    'Stays open and sends what happens as server-sent events (`text/event-stream`): the data of each is the JSON that a webhook sends, with ids only. With `Last-Event-ID`, it first sends what was missed within 24 hours. The event `reset` says that something may be missing: read the lists again. Follows need the scope `users:read` as well, proposals `posts` or, of the application itself, `posts:propose`, and are left out without it. A stream ends when its access token does. A person can have 10 open streams in an application. The guide Events (`/developers/events`) has examples.',
  specification: 'Events',
});
