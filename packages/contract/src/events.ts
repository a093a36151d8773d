/** What the service says when something happens: on streams (`GET /events`) and, with the same members, to webhooks. */
import { z } from 'zod';

import { nameListParameter } from './list-parameters.ts';
import { createdAt, idOf } from './object-fields.ts';

/** What a stream is about, by its name. */
const streams = {
  feed: 'posts and reposts as in the feed of the account',
  notifications: 'what others did, as in its notifications',
  posts: 'its own posts and reposts, and what becomes of proposals to it',
} as const;

export type StreamName = keyof typeof streams;

const streamNames = Object.keys(streams) as [StreamName, ...StreamName[]]; // the keys of a constant object

export const streamsParameter = nameListParameter(streamNames)
  .default(streamNames)
  .meta({
    description: `What to listen to, separated by commas: ${Object.entries(streams)
      .map(([name, meaning]) => `\`${name}\` (${meaning})`)
      .join(', ')}. All of them by default.`,
    examples: [['feed', 'notifications']],
  });

export const lastEventIdParameter = z.string().optional().meta({
  description:
    'Where to continue: the id of the last event that was received. For clients that cannot send the header `Last-Event-ID`, which counts more.',
});

export const eventSchema = z
  .object({
    type: z.string().meta({
      description:
        'What happened, as for webhooks, such as `post.created`. Expect new ones. `reset`: events may be missing, so read the lists again.',
      examples: ['post.created'],
    }),
    timestamp: createdAt.meta({ description: 'When it happened, in UTC (RFC 3339).' }),
    streams: z
      .array(z.enum(streamNames))
      .meta({ description: 'Those of the requested streams that the event belongs to.', examples: [['feed']] }),
    data: z
      .object({
        user_id: idOf('acting account'),
        actor_id: idOf('account that did it').optional(),
        post_id: idOf('post').optional(),
        comment_id: idOf('comment').optional(),
        draft_id: idOf('draft or proposal, for `GET /drafts/show`').optional(),
        followed_id: idOf('followed account, if it is about a follow').optional(),
      })
      .meta({ description: 'Ids only. Read the objects with the same token.' }),
  })
  .meta({ id: 'Event', description: 'The data of a server-sent event.' });
