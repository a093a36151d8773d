/** Every endpoint of the admin API, by its name. The document, the SDK and the tests read this table. */
import { z } from 'zod';

import { idParameter } from '../parameters.ts';
import {
  accountStates,
  adminAccountSchema,
  applicationSchema,
  clientIdParameter,
  doneSchema,
  grantSchema,
  listOf,
  listedAccountSchema,
  pageParameters,
  reasonParameter,
  searchParameter,
  sessionSchema,
} from './admin-objects.ts';
import {
  invitationsCreate,
  invitationsList,
  invitationsRevoke,
  registrationsList,
  registrationsApprove,
  registrationsDecline,
  blocksList,
  blocksAdd,
  blocksRemove,
  reportsList,
  reportsShow,
  reportsResolve,
} from './admin-queue-routes.ts';
import { defineAdminRoute } from './admin-route.ts';
import type { AdminRoute } from './admin-route.ts';
import { auditList, countersShow, keysList, keysRevoke, keysRotate } from './admin-service-routes.ts';

const accountId = { id: idParameter('the account') };
const reason = { reason: reasonParameter };
const pageOfAccount = z.object({ ...accountId, ...pageParameters });
const application = z.object({ client_id: clientIdParameter });

export const accountsList = defineAdminRoute({
  id: 'accounts-list',
  path: '/accounts',
  scope: 'admin:read',
  input: z.object({
    q: searchParameter.meta({
      description:
        'An id, the start of a username or e-mail address, or a part of a display name. Empty: every account.',
    }),
    state: z.enum(accountStates).optional().meta({ description: 'Only accounts in this state.' }),
    email_domain: searchParameter.meta({
      description: 'Only addresses of this domain and its sub-domains.',
      examples: ['example.org'],
    }),
    network: searchParameter.meta({
      description: 'Only accounts that the audit log has seen in this network.',
      examples: ['192.0.2.0/24'],
    }),
    registered_after: searchParameter.meta({
      description: 'Only accounts registered on this day (UTC) or at this time (RFC 3339), or later.',
      examples: ['2027-01-31'],
    }),
    ...pageParameters,
  }),
  output: listOf(listedAccountSchema, 'AccountList'),
  errors: [],
  summary: 'Find accounts, newest first',
});

export const accountsShow = defineAdminRoute({
  id: 'accounts-show',
  path: '/accounts/show',
  scope: 'admin:read',
  input: z.object(accountId),
  output: adminAccountSchema,
  errors: ['not-found'],
  summary: 'Show an account',
});

export const accountsSuspend = defineAdminRoute({
  id: 'accounts-suspend',
  path: '/accounts/suspend',
  scope: 'admin:write',
  input: z.object({
    ...accountId,
    ...reason,
    shown_reason: z
      .string({ error: 'must be a string' })
      .max(500, { error: 'must have at most 500 characters' })
      .optional()
      .meta({ description: 'What the person is shown.' }),
  }),
  output: adminAccountSchema,
  errors: ['not-found', 'act-not-possible'],
  summary: 'Suspend an account',
});

const accountAct = {
  scope: 'admin:write',
  input: z.object({ ...accountId, ...reason }),
  output: adminAccountSchema,
  errors: ['not-found', 'act-not-possible'],
} as const;

export const accountsLimit = defineAdminRoute({
  id: 'accounts-limit',
  path: '/accounts/limit',
  ...accountAct,
  summary: 'Show the posts of an account to its followers and by address only',
});

export const accountsUnlimit = defineAdminRoute({
  id: 'accounts-unlimit',
  path: '/accounts/unlimit',
  ...accountAct,
  summary: 'End the limit of an account',
});

export const accountsRestore = defineAdminRoute({
  id: 'accounts-restore',
  path: '/accounts/restore',
  ...accountAct,
  summary: 'Restore a suspended or deleted account',
});

export const accountsDelete = defineAdminRoute({
  id: 'accounts-delete',
  path: '/accounts/delete',
  ...accountAct,
  summary: 'Delete an account, as its owner can',
  description: 'It can be restored for 14 days; then it is erased.',
});

export const sessionsList = defineAdminRoute({
  id: 'accounts-sessions-list',
  path: '/accounts/sessions',
  scope: 'admin:read',
  input: pageOfAccount,
  output: listOf(sessionSchema, 'SessionList'),
  errors: ['not-found'],
  summary: 'List the sessions of an account, last used first',
});

export const sessionsEnd = defineAdminRoute({
  id: 'accounts-sessions-end',
  path: '/accounts/sessions/end',
  scope: 'admin:write',
  input: z.object({
    ...accountId,
    uid: z.string({ error: 'must be a string' }).min(1).max(100).meta({ description: 'The session.' }),
    ...reason,
  }),
  output: doneSchema,
  errors: ['not-found', 'act-not-possible'],
  summary: 'End a session',
});

export const grantsList = defineAdminRoute({
  id: 'accounts-grants-list',
  path: '/accounts/grants',
  scope: 'admin:read',
  input: pageOfAccount,
  output: listOf(grantSchema, 'GrantList'),
  errors: ['not-found'],
  summary: 'List the connected applications of an account',
});

export const grantsEnd = defineAdminRoute({
  id: 'accounts-grants-end',
  path: '/accounts/grants/end',
  scope: 'admin:write',
  input: z.object({ ...accountId, client_id: clientIdParameter, ...reason }),
  output: doneSchema,
  errors: ['not-found', 'act-not-possible'],
  summary: 'Disconnect an application of an account',
});

export const applicationsList = defineAdminRoute({
  id: 'applications-list',
  path: '/applications',
  scope: 'admin:read',
  input: z.object({
    q: searchParameter.meta({
      description:
        'The start of a client id or of the username of its owner, or a part of the name. Empty: every application.',
    }),
    ...pageParameters,
  }),
  output: listOf(applicationSchema, 'ApplicationList'),
  errors: [],
  summary: 'Find applications, newest first',
});

export const applicationsShow = defineAdminRoute({
  id: 'applications-show',
  path: '/applications/show',
  scope: 'admin:read',
  input: application,
  output: applicationSchema,
  errors: ['not-found'],
  summary: 'Show an application',
});

export const applicationsSuspend = defineAdminRoute({
  id: 'applications-suspend',
  path: '/applications/suspend',
  scope: 'admin:write',
  input: application.extend(reason),
  output: applicationSchema,
  errors: ['not-found', 'act-not-possible'],
  summary: 'Suspend an application and revoke its tokens',
});

export const applicationsRestore = defineAdminRoute({
  id: 'applications-restore',
  path: '/applications/restore',
  scope: 'admin:write',
  input: application.extend(reason),
  output: applicationSchema,
  errors: ['not-found', 'act-not-possible'],
  summary: 'Restore a suspended application',
});

/** In the order of the document. */
export const adminRoutes = [
  ...[
    accountsList,
    accountsShow,
    accountsSuspend,
    accountsLimit,
    accountsUnlimit,
    accountsRestore,
    accountsDelete,
    sessionsList,
    sessionsEnd,
    grantsList,
    grantsEnd,
  ],
  ...[registrationsList, registrationsApprove, registrationsDecline, reportsList, reportsShow, reportsResolve],
  ...[blocksList, blocksAdd, blocksRemove, invitationsList, invitationsCreate, invitationsRevoke],
  ...[applicationsList, applicationsShow, applicationsSuspend, applicationsRestore],
  ...[keysList, keysRotate, keysRevoke, auditList, countersShow],
] as readonly AdminRoute[];
