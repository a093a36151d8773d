import { z } from 'zod';

import { idParameter, textParameter } from '../parameters.ts';
import {
  maxReportText,
  reportReasonParameter,
  reportSchema,
  reportSubjectParameter,
  reportsPerDay,
} from '../report.ts';
import { defineRoute } from '../route.ts';

export const createReport = defineRoute({
  id: 'reports-create',
  methods: ['POST'],
  path: '/reports/create',
  scope: 'users',
  requiresAccount: true,
  writes: true,
  input: z.object({
    item_id: idParameter('the account, post or comment'),
    type: reportSubjectParameter(),
    reason: reportReasonParameter(),
    text: textParameter(maxReportText)
      .meta({ examples: ['Advertises pills under every post'] })
      .optional(),
  }),
  output: reportSchema,
  errors: ['not-found', 'rate-limited'],
  summary: 'Send a report',
  description: `Tells the operators of the service about an account, a post or a comment. The reported account does not learn of it. Posts and comments can be reported by everybody who could see them without a block. Another report of the same record returns the first one while it is open. An account can send ${String(reportsPerDay)} reports in 24 hours.`,
  specification: 'Accounts and users',
});
