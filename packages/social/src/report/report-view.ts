import type { Report } from '@linnet/contract/report';

import { toCreated } from '../created.ts';
import type { ViewContext } from '../view-context.ts';
import type { ReportRow } from './report-store.ts';

/** Builds the object of a report, for the person who sent it. */
export function toReport({ id, subject, reason, text, createdAt }: ReportRow, context: ViewContext): Report {
  return {
    objectType: 'report',
    kind: `${context.serviceName}#report`,
    id,
    item_id: subject.id,
    type: subject.type,
    reason,
    text,
    created: toCreated(createdAt),
    created_at: createdAt.toISOString(),
  };
}
