import { possibleOutcomes } from '@linnet/social/report/report-resolution-store';
import type { CaseReport, CaseWithReports, ReportOutcome } from '@linnet/social/report/report-queue-store';
import { printableLines } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { ErrorSummary } from '../../../pages/views/field.tsx';
import type { Frame } from '../../../pages/frame/frame.ts';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { AdminLayout, FactList } from '../admin-layout.tsx';
import type { Fact } from '../admin-layout.tsx';
import { ReasonForm, reasonField } from '../act-form.tsx';
import type { RefusedReason } from '../act-form.tsx';

export interface ReportPageProps {
  readonly frame: Frame;
  readonly one: CaseWithReports;
  /** What was done just now. */
  readonly done?: ReportOutcome | undefined;
  readonly refused?: RefusedReason | undefined;
  /** Somebody else resolved it, or the account cannot be suspended here. */
  readonly isChangedSince?: boolean;
}

/** What was reported, by whom, and what operators can do about it. */
export function ReportPage({ frame, one, done, refused, isChangedSince = false }: ReportPageProps): VNode {
  const { messages } = frame;
  const { reason, changedSince } = messages.admin;
  const { queue: texts } = messages.reports;
  const errors = refused === undefined ? {} : { [reasonField(refused.action)]: reason.errors[refused.problem] };
  const heading = texts.subjects[one.type](<UserText text={`@${one.username}`} />);
  return (
    <AdminLayout frame={frame} page="reports" title={texts.title} heading={heading} extraStyle="posts.css">
      <ErrorSummary frame={frame} errors={errors} problem={isChangedSince ? changedSince : undefined} />
      {done === undefined ? null : <Notice kind="done">{texts.actTexts[done].done}</Notice>}
      <section>
        <h2>{texts.content}</h2>
        <p class="panel text" dir="auto" data-testid="content">
          {printableLines(one.content)}
        </p>
      </section>
      <FactList rows={factsOf(frame, one)} testId="facts" />
      <Acts frame={frame} one={one} refused={refused} />
      <section>
        <h2>{texts.sent}</h2>
        <p class="quiet">{texts.sentHint}</p>
        <ul class="rows" data-testid="reports">
          {one.latest.map((report) => (
            <Report key={report.id} frame={frame} report={report} content={one.content} />
          ))}
        </ul>
      </section>
    </AdminLayout>
  );
}

function factsOf({ messages }: Frame, one: CaseWithReports): readonly Fact[] {
  const { queue: texts, reasons } = messages.reports;
  const anchor = one.type === 'comment' ? `#comment-${String(one.subjectId)}` : '';
  const page = one.postId === null ? `/@${one.username}` : `/p/${String(one.postId)}${anchor}`;
  return [
    [texts.state, texts.states[one.outcome ?? 'open']],
    [texts.subject, one.exists ? <a href={page}>{texts.show}</a> : texts.gone],
    [
      texts.account,
      <a key="account" href={pagePaths.adminPerson(one.accountId)}>
        <UserText text={one.displayName} />
      </a>,
    ],
    [texts.reasons, one.reasons.map((reason) => reasons[reason].label).join(', ')],
    [texts.sent, messages.formatNumber(one.reports)],
    [texts.first, messages.formatMinute(one.createdAt)],
    [texts.last, messages.formatMinute(one.latestAt)],
  ];
}

function Acts({ frame, one, refused }: Pick<ReportPageProps, 'frame' | 'one' | 'refused'>): VNode | null {
  const { queue: texts } = frame.messages.reports;
  const outcomes = possibleOutcomes(one);
  if (outcomes.length === 0) return null;
  return (
    <section>
      <h2>{texts.resolve}</h2>
      <div class="panel">
        {outcomes.map((outcome) => (
          <ReasonForm key={outcome} frame={frame} action={outcome} texts={texts.actTexts[outcome]} refused={refused} />
        ))}
      </div>
    </section>
  );
}

interface ReportProps {
  readonly frame: Frame;
  readonly report: CaseReport;
  /** What the page shows already. */
  readonly content: string;
}

function Report({ frame: { messages }, report, content }: ReportProps): VNode {
  const { queue: texts, reasons } = messages.reports;
  const { reporterId, reporter } = report;
  return (
    <li class="row">
      <h3>{reasons[report.reason].label}</h3>
      {report.text === '' ? null : (
        <p class="text" dir="auto">
          {printableLines(report.text)}
        </p>
      )}
      {report.content === content ? null : (
        <p class="text" dir="auto">
          <span class="quiet">{texts.contentBefore}</span> {printableLines(report.content)}
        </p>
      )}
      <p class="quiet small">
        {reporterId === null || reporter === null ? (
          texts.erased
        ) : (
          <a href={pagePaths.adminPerson(reporterId)}>
            <UserText text={`@${reporter}`} />
          </a>
        )}{' '}
        · <time datetime={report.createdAt.toISOString()}>{messages.formatMinute(report.createdAt)}</time>
      </p>
    </li>
  );
}
