import { z } from 'zod';

import { created, createdAt, idOf } from './object-fields.ts';
import { postSchema } from './objects.ts';

const { text, hashtags, urls, mentions, user_definition } = postSchema.shape;

/** A text that a post has or had. */
export const postVersionSchema = z
  .object({
    objectType: z.literal('version').meta({ description: 'Always `version`.' }),
    kind: z
      .string()
      .meta({ description: 'Name of the service, followed by `#version`.', examples: ['linnet#version'] }),
    id: idOf('version: that of the post for its first text'),
    text,
    created: created.meta({ description: 'When it was written, in UTC. Always in English.' }),
    created_at: createdAt.meta({ description: 'When it was written, in UTC (RFC 3339).' }),
    hashtags,
    urls,
    mentions,
    user_definition,
  })
  .meta({ id: 'PostVersion', description: 'A text that a post has or had.' });
export type PostVersion = z.infer<typeof postVersionSchema>;
