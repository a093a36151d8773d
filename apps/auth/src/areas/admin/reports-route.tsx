import type { Db } from '@linnet/db/database';
import { caseOrders, findCase, findOpenCases, reportOutcomes } from '@linnet/social/report/report-queue-store';
import type { ReportCase, ReportOutcome } from '@linnet/social/report/report-queue-store';
import { resolveCaseWithin } from '@linnet/social/report/report-resolution-store';

import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Form } from '../../pages/form/form.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaForm, AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { act } from './operator-door.tsx';
import { parseId, readText, withQuery } from './query.ts';
import { readReason } from './reason-form.tsx';
import { ReportPage } from './report-page.tsx';
import type { ReportPageProps } from './report-page.tsx';
import { ReportsPage } from './reports-page.tsx';

const pageSize = 50;
const reportsShown = 20;

/** `/admin/reports?order=`: what is reported, most reported or newest first. */
export function reportsRoute(db: Db): AreaPage {
  return {
    path: pagePaths.adminReports,
    show: async ({ ctx, frame }) => {
      const order = caseOrders.find((one) => one === readText(ctx, 'order')) ?? 'most';
      const found = await findOpenCases(db, { order, after: parseAfter(readText(ctx, 'after')), limit: pageSize + 1 });
      const cases = found.slice(0, pageSize);
      const last = found.length > pageSize ? cases.at(-1) : undefined;
      const next = last === undefined ? undefined : withQuery(ctx.path, { order, after: toAfter(last) });
      renderPage(ctx, <ReportsPage {...{ frame, order, cases, next }} />);
    },
  };
}

type Position = Pick<ReportCase, 'id' | 'reports'>;

function toAfter({ reports, id }: Position): string {
  return `${String(reports)}-${String(id)}`;
}

/** Malformed ones count as absent. */
function parseAfter(text: string): Position | undefined {
  const [count = '', last = ''] = text.split('-', 2);
  const [reports, id] = [parseId(count), parseId(last)];
  return reports === undefined || id === undefined || reports > 2 ** 31 - 1 ? undefined : { reports, id };
}

/** `/admin/reports/{id}`: the reports of one account, post or comment, and what operators can do about it. */
export function reportRoute(db: Db): AreaPage {
  const toForm = (outcome: ReportOutcome): AreaForm => ({
    stepUp: 'recent',
    act: async (visit, form) => await resolve(visit, outcome, form),
  });

  async function resolve(visit: Visit, outcome: ReportOutcome, form: Form): Promise<void> {
    const id = parseId(visit.param('caseId'));
    if (id === undefined) return;
    const { reason, problem } = readReason(form, outcome);
    if (problem !== undefined) {
      await show(visit, { refused: { action: outcome, reason, problem } }, 422);
      return;
    }
    const isResolved = await act(visit, reason, (within) =>
      resolveCaseWithin({ within, outside: db }, id, { outcome }),
    );
    if (isResolved === undefined) return;
    if (isResolved) redirectTo(visit.ctx, pagePaths.adminReport(id), outcome);
    else await show(visit, { isChangedSince: true }, 409);
  }

  async function show(visit: Visit, state: Partial<ReportPageProps>, status = 200): Promise<void> {
    const id = parseId(visit.param('caseId'));
    const one = id === undefined ? undefined : await findCase(db, id, reportsShown);
    if (one === undefined) return;
    renderPage(visit.ctx, <ReportPage frame={visit.frame} one={one} {...state} />, { status });
  }

  return {
    path: '/admin/reports/:caseId',
    show: async (visit) => await show(visit, { done: findDone(visit.ctx, reportOutcomes) }),
    forms: Object.fromEntries(reportOutcomes.map((outcome) => [outcome, toForm(outcome)])),
  };
}
