import type { Db } from '@linnet/db/database';
import type { Transactional } from '@linnet/db/statement/transaction';
import {
  caseOrders,
  findCase,
  findOpenCases,
  reportOutcomes,
  reportRules,
} from '@linnet/social/report/report-queue-store';
import type { CaseOrder, ReportCase, ReportOutcome } from '@linnet/social/report/report-queue-store';
import { resolveCase } from '@linnet/social/report/report-resolution-store';
import { inertText } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Form } from '../../../pages/form/form.ts';
import type { Frame } from '../../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaForm, AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { parseId, readReason, readText, withQuery } from '../act-form.tsx';
import { AdminLayout, NextLink } from '../admin-layout.tsx';
import { act } from '../operator-door.tsx';
import { ReportPage, deletePostsField, ruleField } from './report-page.tsx';
import type { ReportPageProps } from './report-page.tsx';

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
    const rule = reportRules.find((one) => one === form.text(ruleField));
    const deletesPosts = form.text(deletePostsField) !== '';
    const { reason, problem } = readReason(form, outcome);
    if (problem !== undefined) {
      await show(visit, { refused: { action: outcome, reason, problem }, deletesPosts }, 422);
      return;
    }
    const actOnCase = async <Result,>(work: (within: Transactional) => Promise<Result>) =>
      await act(visit, reason, work);
    const isResolved = await resolveCase({ act: actOnCase, outside: db }, id, { outcome, deletesPosts, rule });
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

interface ReportsPageProps {
  readonly frame: Frame;
  readonly order: CaseOrder;
  readonly cases: readonly ReportCase[];
  /** Address of the next page. */
  readonly next: string | undefined;
}

/** What people have reported, and nobody has looked at yet. */
export function ReportsPage({ frame, order, cases, next }: ReportsPageProps): VNode {
  const { queue: texts } = frame.messages.reports;
  return (
    <AdminLayout frame={frame} page="reports" title={texts.title}>
      <p>
        {caseOrders.map((one, index) => (
          <span key={one}>
            {index === 0 ? '' : ' · '}
            {one === order ? (
              <strong>{texts.orders[one]}</strong>
            ) : (
              <a href={withQuery(pagePaths.adminReports, { order: one })}>{texts.orders[one]}</a>
            )}
          </span>
        ))}
      </p>
      {cases.length === 0 ? (
        <p class="empty">{texts.none}</p>
      ) : (
        <ul class="rows" data-testid="cases">
          {cases.map((one) => (
            <Row key={one.id} frame={frame} one={one} />
          ))}
        </ul>
      )}
      <NextLink frame={frame} next={next} />
    </AdminLayout>
  );
}

function Row({ frame, one }: { readonly frame: Frame; readonly one: ReportCase }): VNode {
  const { messages } = frame;
  const { queue: texts, reasons } = messages.reports;
  return (
    <li class="row">
      <h2>
        <a href={pagePaths.adminReport(one.id)}>{texts.subjects[one.type](<UserText text={`@${one.username}`} />)}</a>
        <span class="tag warning">{texts.count(one.reports)}</span>
        {one.exists ? null : <span class="tag">{texts.gone}</span>}
      </h2>
      <p dir="auto">{inertText(one.content.replaceAll('\n', ' · '))}</p>
      <p class="quiet small">
        {one.reasons.map((reason) => reasons[reason].label).join(', ')} ·{' '}
        <time datetime={one.latestAt.toISOString()}>{texts.latest(messages.formatMinute(one.latestAt))}</time>
      </p>
    </li>
  );
}
