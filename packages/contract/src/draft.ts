/** Drafts: what an account wrote and nobody else sees yet. */
import { z } from 'zod';

import { commenters } from './commenters.ts';
import { created, createdAt, idOf } from './object-fields.ts';

/** An account can have so many drafts at a time. */
export const maxDrafts = 100;

/** The calls that a draft can be of, by their paths. */
const draftCalls = ['/post/create', '/comment/create'] as const;
export type DraftCall = (typeof draftCalls)[number];

export const draftStatuses = ['draft', 'published'] as const;
export type DraftStatus = (typeof draftStatuses)[number];

const statusMeanings = '`draft`: it waits. `published`: the call was made; it stays for 30 days.';

export function draftStatusParameter() {
  return z
    .enum(draftStatuses, { error: `must be ${draftStatuses.join(', ')}` })
    .default('draft')
    .meta({ description: `Which to list. ${statusMeanings}`, examples: ['draft'] });
}

const callParametersSchema = z
  .object({
    message: z.string().optional(),
    commenters: z.enum(commenters).optional(),
    sensitive: z.boolean().optional(),
    item_id: z.int().optional(),
    type: z.literal('post').optional(),
    text: z.string().optional(),
    parent_id: z.int().optional(),
    attachments: z.array(z.int()).optional(),
  })
  .meta({ description: 'The parameters of the call. `media` is in `attachments`.' });
export type CallParameters = z.infer<typeof callParametersSchema>;

export const draftSchema = z
  .object({
    objectType: z.literal('draft').meta({ description: 'Always `draft`.' }),
    kind: z.string().meta({ description: 'Name of the service, followed by `#draft`.', examples: ['linnet#draft'] }),
    id: idOf('draft'),
    status: z.enum(draftStatuses).meta({ description: statusMeanings }),
    version: z
      .int()
      .min(1)
      .meta({ description: 'Changes with every change of the parameters.', examples: [1] }),
    call: z.enum(draftCalls).meta({ description: 'The call that publishing makes.', examples: ['/post/create'] }),
    parameters: callParametersSchema,
    published_id: idOf('post or comment that was published').optional(),
    created,
    created_at: createdAt,
  })
  .meta({ id: 'Draft', description: 'Something that an account wrote and has not published yet.' });
export type Draft = z.infer<typeof draftSchema>;
