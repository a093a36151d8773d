/** Drafts: what an account wrote, or an application proposes for it, and nobody else sees yet. */
import { z } from 'zod';

import { commenters } from './commenters.ts';
import { documentAs } from './document-as.ts';
import { created, createdAt, idOf } from './object-fields.ts';
import type { Route } from './route.ts';

/** The most drafts of an account that wait, scheduled or not; its proposals are counted apart, up to the same number. */
export const maxDrafts = 100;

/** The calls that a draft can be of, by their paths. */
const draftCalls = ['/post/create', '/comment/create', '/likes/add', '/reposts/add', '/follows/add'] as const;
export type DraftCall = (typeof draftCalls)[number];

export function isDraftCall(path: string): path is DraftCall {
  return (draftCalls as readonly string[]).includes(path); // `includes` accepts only members of the array's type
}

const draftStatuses = ['draft', 'proposed', 'scheduled', 'rejected', 'published'] as const;
export type DraftStatus = (typeof draftStatuses)[number];

const statusMeanings =
  '`draft`: the account wrote it, and it waits. `proposed`: an application proposed it, and it waits. `scheduled`: it is published at `publish_at`. `rejected`: the person does not want it. `published`: the call was made. The last two stay for 30 days.';

export function draftStatusParameter() {
  return z
    .enum(draftStatuses, { error: `must be ${draftStatuses.join(', ')}` })
    .default('draft')
    .meta({ description: `Which to list. ${statusMeanings}`, examples: ['draft'] });
}

const maxAheadMs = 366 * 86_400_000;

/** When a draft is published. */
export function publishAtParameter() {
  return z.iso
    .datetime({ offset: true, error: 'must be a date and time with a time zone, such as 2026-11-20T15:04:05Z' })
    .transform((text) => new Date(text))
    .refine((time) => time.getTime() % 1000 === 0, { error: 'must be in whole seconds' })
    .refine((time) => time.getTime() > Date.now(), { error: 'must be in the future' })
    .refine((time) => time.getTime() <= Date.now() + maxAheadMs, { error: 'must be at most a year ahead' })
    .meta({
      description:
        'When it is published: a date and time with a time zone (RFC 3339), in whole seconds, at most a year (366 days) ahead.',
      examples: ['2026-12-24T18:00:00Z'],
      ...documentAs({ type: 'string', format: 'date-time' }),
    });
}

const callParametersSchema = z
  .object({
    message: z.string().optional(),
    commenters: z.enum(commenters).optional(),
    sensitive: z.boolean().optional(),
    quote_id: z.int().optional(),
    item_id: z.int().optional(),
    type: z.literal('post').optional(),
    text: z.string().optional(),
    parent_id: z.int().optional(),
    id: z.int().optional(),
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
    application: z
      .object({ client_id: z.string(), name: z.string() })
      .optional()
      .meta({ description: 'Who proposed it. Absent: the account wrote it.' }),
    publish_at: z.iso
      .datetime()
      .optional()
      .meta({
        description:
          'When it is published, in UTC (RFC 3339). Of a proposal: when the application would publish it; nothing happens then by itself.',
        examples: ['2026-12-24T18:00:00.000Z'],
      }),
    failure: z
      .string()
      .optional()
      .meta({
        description:
          'Why it was not published at its time: the code of a problem, `account-hidden` (it was suspended or deleted), `access-ended` (the person ended all other access to the account), or `too-late` (the service was down for more than a day).',
        examples: ['comments-restricted'],
      }),
    reason: z.string().optional().meta({ description: 'Why the person rejected it, in their words.' }),
    published_id: idOf('post or comment that was published').optional(),
    created,
    created_at: createdAt,
  })
  .meta({ id: 'Draft', description: 'A call that an account wrote, or an application proposes, before it is made.' });
export type Draft = z.infer<typeof draftSchema>;

/** The response to a call that a token may only propose. */
const proposalSchema = z
  .object({
    status: z.literal('proposed').meta({ description: 'Always `proposed`: nothing is published yet.' }),
    message: z.string(),
    id: idOf('proposal, for `GET /drafts/show`'),
  })
  .meta({ id: 'Proposal', description: 'The call waits for the person.' });

/** What a call may respond with, besides problems. */
export function responseOf({ output, isProposable = false }: Pick<Route, 'output' | 'isProposable'>): z.ZodType {
  return isProposable ? z.union([output, proposalSchema]) : output;
}
