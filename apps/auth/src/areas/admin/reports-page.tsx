import { caseOrders } from '@linnet/social/report/report-queue-store';
import type { CaseOrder, ReportCase } from '@linnet/social/report/report-queue-store';
import { inertText } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { AdminLayout } from './admin-layout.tsx';
import { NextLink } from './next-link.tsx';
import { withQuery } from './query.ts';

export interface ReportsPageProps {
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
