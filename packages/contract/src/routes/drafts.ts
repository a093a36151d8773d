import { z } from 'zod';

import { draftSchema, draftStatusParameter, publishAtParameter } from '../draft.ts';
import { freeTextParameter, idParameter, itemParameters, versionParameter } from '../parameters.ts';
import { succeededResponse } from '../object-fields.ts';
import { defineRoute } from '../route.ts';
import { commentParameters, postParameters } from '../writing.ts';

const textParameters = {
  ...postParameters,
  message: postParameters.message.optional(),
  ...commentParameters,
  text: commentParameters.text.optional(),
};
const itemIfAny = { item_id: itemParameters.item_id.optional(), type: itemParameters.type.optional() };

export const createDraft = defineRoute({
  id: 'drafts-create',
  methods: ['POST'],
  path: '/drafts/create',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  isProposable: true,
  input: z.object({ ...textParameters, ...itemIfAny, publish_at: publishAtParameter().optional() }),
  output: draftSchema,
  errors: ['media-not-usable', 'media-attached', 'too-many-drafts'],
  summary: 'Create a draft',
  description:
    'With `message` it is a draft of a post and takes the parameters of `POST /post/create`. With `item_id` it is a draft of a comment and takes those of `POST /comment/create`. Only the account sees it. With `publish_at` it is scheduled; in a proposal, that is when the application would publish it. Its pictures are kept as long as it waits. An account has at most 100 drafts that wait, scheduled ones included, and 100 proposals.',
  specification: 'Posts',
});

export const updateDraft = defineRoute({
  id: 'drafts-update',
  methods: ['POST'],
  path: '/drafts/update',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({
    id: idParameter('the draft'),
    version: versionParameter('the draft that you read'),
    ...textParameters,
  }),
  output: draftSchema,
  errors: ['not-found', 'draft-changed', 'media-not-usable', 'media-attached'],
  summary: 'Update a draft',
  description:
    'Replaces its parameters: what you leave out is gone. A draft of a comment keeps its post, and a scheduled one its time. If `version` is not the current one, somebody else has changed the draft, and nothing happens.',
  specification: 'Posts',
});

export const scheduleDraft = defineRoute({
  id: 'drafts-schedule',
  methods: ['POST'],
  path: '/drafts/schedule',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({
    id: idParameter('the draft'),
    version: versionParameter('the draft that you read').optional(),
    publish_at: publishAtParameter().optional(),
  }),
  output: draftSchema,
  errors: ['not-found', 'draft-changed', 'too-many-drafts'],
  summary: 'Schedule a draft',
  description:
    'The draft, or the proposal that the person accepts, is published at `publish_at`, within a second and once, whatever happens to its application. Without `publish_at`, it is a draft again. If the call fails then, or the service was down for more than a day, it is a draft with `failure`, and the account gets a notification. The token needs the scope of the call.',
  specification: 'Posts',
});

export const publishDraft = defineRoute({
  id: 'drafts-publish',
  methods: ['POST'],
  path: '/drafts/publish',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the draft'), version: versionParameter('the draft that you read').optional() }),
  output: draftSchema,
  errors: [
    'not-found',
    'draft-changed',
    'media-not-usable',
    'media-attached',
    'comments-restricted',
    'quotes-restricted',
  ],
  summary: 'Publish a draft',
  description:
    'Makes the call with the parameters of the draft or proposal, once: `published_id` is the id of the post or comment, also when you repeat this. If the call fails, the draft stays as it was. With `version`, it publishes only what you read. The token needs the scope of the call.',
  specification: 'Posts',
});

export const rejectDraft = defineRoute({
  id: 'drafts-reject',
  methods: ['POST'],
  path: '/drafts/reject',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({
    id: idParameter('the proposal'),
    reason: freeTextParameter(500)
      .meta({
        description: 'Why, for the application that proposed it. At most 500 characters.',
        examples: ['Too early'],
      })
      .optional(),
  }),
  output: draftSchema,
  errors: ['not-found', 'draft-changed'],
  summary: 'Reject a proposal',
  description: 'The application that proposed it reads `reason`. Rejecting a proposal again has no effect.',
  specification: 'Posts',
});

export const showDraft = defineRoute({
  id: 'drafts-show',
  methods: ['GET'],
  path: '/drafts/show',
  scope: 'posts:propose',
  requiresAccount: true,
  writes: false,
  input: z.object({ id: idParameter('the draft') }),
  output: draftSchema,
  hasVersion: true,
  errors: ['not-found'],
  summary: 'Get a draft',
  description: 'A token with `posts:propose` and without `posts` sees the proposals of its application.',
  specification: 'Posts',
});

export const listDrafts = defineRoute({
  id: 'drafts-list',
  methods: ['GET'],
  path: '/drafts',
  scope: 'posts:propose',
  requiresAccount: true,
  writes: false,
  input: z.object({ status: draftStatusParameter() }),
  output: z.object({
    total: z.int().min(0).meta({ description: 'Number of drafts in `items`.' }),
    count: z.int().min(0).meta({ description: 'The same as `total`: this list has one page.' }),
    items: z.array(draftSchema),
  }),
  errors: [],
  summary: 'List drafts',
  description:
    'Returns the latest 100 drafts of the acting account with this status, newest first. A token with `posts:propose` and without `posts` sees the proposals of its application.',
  specification: 'Posts',
});

export const deleteDraft = defineRoute({
  id: 'drafts-delete',
  methods: ['POST'],
  path: '/drafts/delete',
  scope: 'posts',
  requiresAccount: true,
  writes: true,
  input: z.object({ id: idParameter('the draft') }),
  output: succeededResponse,
  errors: ['not-found'],
  summary: 'Delete a draft',
  description: 'What it published stays.',
  specification: 'Posts',
});
