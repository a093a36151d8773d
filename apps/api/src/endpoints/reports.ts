import { createReport } from '@linnet/contract/routes/reports';
import { addReport, toReport } from '@linnet/social/report/report-store';
import type { ViewContext } from '@linnet/social/view-context';
import { reportsPerDay } from '@linnet/contract/report';

import { ApiError, invalidParameters, notFound } from '../http/api-error.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Endpoint } from '../http/endpoint.ts';

/** POST /reports/create */
export function createCreateReport(context: ViewContext): Endpoint {
  return endpoint(createReport, async ({ item_id: id, type, reason, text = '' }, caller, db) => {
    const report = await addReport(db, { reporterId: caller.accountId, subject: { type, id }, reason, text });
    if (report === undefined) throw notFound(type);
    if (report === 'own') {
      const detail = 'must not be your own: people can only report others';
      throw invalidParameters([{ parameter: 'item_id', code: 'invalid', detail }]);
    }
    if ('retryAfterSeconds' in report) {
      throw new ApiError('rate-limited', {
        detail: `An account can send ${String(reportsPerDay)} reports in 24 hours. Retry when \`Retry-After\` has passed.`,
        headers: { 'Retry-After': String(report.retryAfterSeconds) },
      });
    }
    return toReport(report, context);
  });
}
