import { z } from 'zod';

import { created, createdAt, idOf } from './object-fields.ts';

/** What a report can be about, and why it is sent. */
export const reportSubjects = ['account', 'post', 'comment'] as const;
export type ReportSubject = (typeof reportSubjects)[number];

export const reportReasons = [
  'spam',
  'harassment',
  'hate',
  'violence',
  'sexual',
  'impersonation',
  'self_harm',
  'illegal',
  'other',
] as const;
export type ReportReason = (typeof reportReasons)[number];

/** Characters (code points) of what the reporter writes. */
export const maxReportText = 1000;

/** Reports that an account can send within 24 hours. */
export const reportsPerDay = 50;

/** `type` of the record that a report is about. */
export function reportSubjectParameter() {
  return z
    .enum(reportSubjects, { error: 'must be account, post or comment' })
    .meta({ description: 'Type of the record that `item_id` identifies.', examples: ['post'] });
}

export function reportReasonParameter() {
  return z
    .enum(reportReasons, { error: `must be one of ${reportReasons.join(', ')}` })
    .meta({ description: 'Why it is reported: the reason that fits best.', examples: ['spam'] });
}

/** A report as the person who sent it sees it. */
export const reportSchema = z
  .object({
    objectType: z.literal('report').meta({ description: 'Always `report`.' }),
    kind: z.string().meta({ description: 'Name of the service, followed by `#report`.', examples: ['linnet#report'] }),
    id: idOf('report'),
    item_id: idOf('account, post or comment that was reported'),
    type: z.enum(reportSubjects).meta({ description: 'What was reported.' }),
    reason: z.enum(reportReasons).meta({ description: 'Why it was reported.' }),
    text: z.string().meta({ description: 'What the reporter wrote. May be empty.', examples: ['Advertises pills'] }),
    created,
    created_at: createdAt,
  })
  .meta({ id: 'Report', description: 'A report to the operators of the service.' });
export type Report = z.infer<typeof reportSchema>;
