import type { MyApplications } from '@linnet/applications/my-applications';

import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage } from '../../../sign-in/visit/area.ts';
import type { ApplicationReports } from '../activity/reports-store.ts';
import { findOwned } from '../application/application-form.ts';

/** What a spreadsheet takes for the start of a formula (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r]/;

/** A CSV document (RFC 4180). Text that a spreadsheet would run as a formula starts with an apostrophe. */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
}

function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

interface UsageFileOptions {
  readonly applications: Pick<MyApplications, 'find'>;
  readonly reports: Pick<ApplicationReports, 'endpointDays'>;
}

/** The same in every language, because programs read them. */
const columns = ['day', 'method', 'path', 'succeeded_2xx_3xx', 'rejected_4xx', 'failed_5xx'];

/** `/developer/applications/:client_id/usage.csv`: API requests by day and endpoint, as a file (checklist DV2). */
export function usageFileRoute({ applications, reports }: UsageFileOptions): AreaPage {
  return {
    path: `${pagePaths.applications}/applications/:clientId/usage.csv`,
    show: async (visit) => {
      const { ctx } = visit;
      const application = await findOwned(applications, visit);
      if (application === undefined) return;
      const { clientId } = application;
      const rows = (await reports.endpointDays(clientId)).map(({ day, endpoint, succeeded, rejected, failed }) => {
        const [method = '', path = ''] = endpoint.split(' ');
        return [day, method, path, succeeded, rejected, failed];
      });
      ctx.type = 'text/csv; charset=utf-8';
      ctx.attachment(`${clientId}-usage-${new Date().toISOString().slice(0, 10)}.csv`);
      ctx.set('Cache-Control', 'no-store');
      ctx.body = toCsv([columns, ...rows]);
    },
  };
}
