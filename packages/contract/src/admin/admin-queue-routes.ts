/** The endpoints of the admin API for registrations with their invitations and blocks, and for reports. */
import { z } from 'zod';

import { idParameter } from '../parameters.ts';
import { reportReasons } from '../report.ts';
import {
  blockSchema,
  createdInvitationSchema,
  invitationSchema,
  newInvitationParameters,
  caseOutcomes,
  caseSchema,
  decidedSchema,
  doneSchema,
  listOf,
  listedCaseSchema,
  newBlockParameters,
  pageParameters,
  reasonParameter,
  registrationSchema,
  savedBlockSchema,
  searchParameter,
} from './admin-objects.ts';
import { defineAdminRoute } from './admin-route.ts';

const reason = { reason: reasonParameter };
const decision = z.object({
  ids: z
    .array(idParameter('a registration'))
    .min(1)
    .max(100, { error: 'must have at most 100 ids' })
    .meta({ description: 'Up to 100 registrations.' }),
  ...reason,
});

export const registrationsList = defineAdminRoute({
  id: 'registrations-list',
  path: '/registrations',
  scope: 'admin:read',
  input: z.object(pageParameters),
  output: listOf(registrationSchema, 'RegistrationList'),
  errors: [],
  summary: 'List registrations that wait, oldest first',
});

export const registrationsApprove = defineAdminRoute({
  id: 'registrations-approve',
  path: '/registrations/approve',
  scope: 'admin:write',
  input: decision,
  output: decidedSchema,
  errors: [],
  summary: 'Approve registrations',
});

export const registrationsDecline = defineAdminRoute({
  id: 'registrations-decline',
  path: '/registrations/decline',
  scope: 'admin:write',
  input: decision,
  output: decidedSchema,
  errors: [],
  summary: 'Decline registrations',
});

export const blocksList = defineAdminRoute({
  id: 'blocks-list',
  path: '/blocks',
  scope: 'admin:read',
  input: z.object({
    q: searchParameter.meta({ description: 'A part of what the block is about.' }),
    ...pageParameters,
  }),
  output: listOf(blockSchema, 'BlockList'),
  errors: [],
  summary: 'List blocks of registrations, newest first',
});

export const blocksAdd = defineAdminRoute({
  id: 'blocks-add',
  path: '/blocks/add',
  scope: 'admin:write',
  input: z.object({ ...newBlockParameters, ...reason }),
  output: savedBlockSchema,
  errors: [],
  summary: 'Add a block of registrations',
  description: 'A block about the same is changed.',
});

export const blocksRemove = defineAdminRoute({
  id: 'blocks-remove',
  path: '/blocks/remove',
  scope: 'admin:write',
  input: z.object({ id: idParameter('the block'), ...reason }),
  output: doneSchema,
  errors: ['not-found'],
  summary: 'Remove a block of registrations',
});

export const invitationsList = defineAdminRoute({
  id: 'invitations-list',
  path: '/invitations',
  scope: 'admin:read',
  input: z.object(pageParameters),
  output: listOf(invitationSchema, 'InvitationList'),
  errors: [],
  summary: 'List invitations, newest first',
});

export const invitationsCreate = defineAdminRoute({
  id: 'invitations-create',
  path: '/invitations/create',
  scope: 'admin:write',
  input: z.object({ ...newInvitationParameters, ...reason }),
  output: createdInvitationSchema,
  errors: [],
  summary: 'Create a link with which people can register',
});

export const invitationsRevoke = defineAdminRoute({
  id: 'invitations-revoke',
  path: '/invitations/revoke',
  scope: 'admin:write',
  input: z.object({ id: idParameter('the invitation'), ...reason }),
  output: doneSchema,
  errors: ['not-found'],
  summary: 'Delete an invitation; nobody can use its link any more',
});

export const reportsList = defineAdminRoute({
  id: 'reports-list',
  path: '/reports',
  scope: 'admin:read',
  input: z.object({
    order: z.enum(['most', 'newest']).default('most').meta({ description: 'The most reported or the newest first.' }),
    ...pageParameters,
  }),
  output: listOf(listedCaseSchema, 'CaseList'),
  errors: [],
  summary: 'List what is reported',
});

export const reportsShow = defineAdminRoute({
  id: 'reports-show',
  path: '/reports/show',
  scope: 'admin:read',
  input: z.object({ id: idParameter('the case') }),
  output: caseSchema,
  errors: ['not-found'],
  summary: 'Show a case with its newest reports',
});

export const reportsResolve = defineAdminRoute({
  id: 'reports-resolve',
  path: '/reports/resolve',
  scope: 'admin:write',
  input: z.object({
    id: idParameter('the case'),
    outcome: z.enum(caseOutcomes).meta({
      description: 'Dismiss it, delete the post or comment, or suspend the account.',
    }),
    rule: z.enum(reportReasons).optional().meta({
      description: 'What it breaks, for the mail to the reporters and the author; absent: the most frequent reason.',
    }),
    delete_posts: z.boolean().optional().meta({
      description:
        'Whether to delete all posts and comments of the account too. Needed to resolve a case of an account as `deleted`.',
    }),
    ...reason,
  }),
  output: caseSchema,
  errors: ['not-found', 'act-not-possible'],
  summary: 'Resolve a case with all its reports',
});
