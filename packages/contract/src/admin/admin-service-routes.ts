/** The endpoints of the admin API for the service as a whole: signing keys, the audit log, counters. */
import { z } from 'zod';

import {
  auditEventSchema,
  countersSchema,
  listOf,
  pageParameters,
  reasonParameter,
  signingAlgorithms,
  signingKeysSchema,
} from './admin-objects.ts';
import { defineAdminRoute } from './admin-route.ts';

export const keysList = defineAdminRoute({
  id: 'keys-list',
  path: '/keys',
  scope: 'admin:read',
  input: z.object({}),
  output: signingKeysSchema,
  errors: [],
  summary: 'List the signing keys',
});

export const keysRotate = defineAdminRoute({
  id: 'keys-rotate',
  path: '/keys/rotate',
  scope: 'admin:write',
  input: z.object({
    alg: z.enum(signingAlgorithms).optional().meta({ description: 'Only the keys of this algorithm; absent: all.' }),
    force: z.boolean({ error: 'must be true or false' }).default(false).meta({
      description:
        'Whether to switch now, even if the next key has been published for less than 15 minutes: programs that cache the keys refuse new tokens until they fetch them again.',
    }),
    reason: reasonParameter,
  }),
  output: signingKeysSchema,
  errors: [],
  summary: 'Switch to the next signing keys and publish new ones',
});

export const keysRevoke = defineAdminRoute({
  id: 'keys-revoke',
  path: '/keys/revoke',
  scope: 'admin:write',
  input: z.object({
    kid: z.string({ error: 'must be a string' }).min(1).max(100).meta({ description: 'The key.' }),
    reason: reasonParameter,
  }),
  output: signingKeysSchema,
  errors: ['not-found'],
  summary: 'Revoke a signing key and every token it signed',
  description: 'Also the token of the request, if the key signed it.',
});

export const auditList = defineAdminRoute({
  id: 'audit-list',
  path: '/audit',
  scope: 'admin:read',
  input: z.object(pageParameters),
  output: listOf(auditEventSchema, 'AuditEventList'),
  errors: [],
  summary: 'Read the audit log, oldest first',
  description:
    'Events appear a few seconds after they happen. A reader that stores `next` and continues from there misses none and reads none twice. On the last page, `next` is the position after the last event.',
});

export const countersShow = defineAdminRoute({
  id: 'counters-show',
  path: '/counters',
  scope: 'admin:read',
  input: z.object({}),
  output: countersSchema,
  errors: [],
  summary: 'Count what there is and what waits',
});
