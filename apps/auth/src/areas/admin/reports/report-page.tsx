import { possibleOutcomes } from '@linnet/social/report/report-resolution-store';
import { reportOutcomes, reportRules } from '@linnet/social/report/report-queue-store';
import type { CaseReport, CaseWithReports, ReportOutcome } from '@linnet/social/report/report-queue-store';
import { printableLines } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { Choice } from '../../../pages/views/choice.tsx';
import { ErrorSummary, Options } from '../../../pages/views/field.tsx';
import type { Frame } from '../../../pages/frame/frame.ts';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { AdminLayout, FactList } from '../admin-layout.tsx';
import type { Fact } from '../admin-layout.tsx';
import { ReasonForm, reasonField } from '../act-form.tsx';
import type { RefusedReason } from '../act-form.tsx';

/** Has the outcome as its value, because ids of fields are unique. */
export const deletePostsField = 'delete_posts';

export const ruleField = 'rule';

export interface ReportPageProps {
  readonly frame: Frame;
  readonly one: CaseWithReports;
  /** What was done just now. */
  readonly done?: ReportOutcome | undefined;
  readonly refused?: RefusedReason | undefined;
  /** What the form that was refused says. */
  readonly deletesPosts?: boolean;
  /** Somebody else resolved it, or the account cannot be suspended here. */
  readonly isChangedSince?: boolean;
}

/** What was reported, by whom, and what operators can do about it. */
export function ReportPage(props: ReportPageProps): VNode {
  const { frame, one, done, refused, isChangedSince = false } = props;
  const { messages } = frame;
  const { reason, changedSince } = messages.admin;
  const { queue: texts } = messages.reports;
  const errors = refused === undefined ? {} : { [reasonField(refused.action)]: reason.errors[refused.problem] };
  const heading = texts.subjects[one.type](<UserText text={`@${one.username}`} />);
  return (
    <AdminLayout frame={frame} page="reports" title={texts.title} heading={heading} extraStyle="posts.css">
      <ErrorSummary frame={frame} errors={errors} problem={isChangedSince ? changedSince : undefined} />
      {done === undefined ? null : <Notice kind="done">{actTextsOf(props, done).done}</Notice>}
      <section>
        <h2>{texts.content}</h2>
        <p class="panel text" dir="auto" data-testid="content">
          {printableLines(one.content)}
        </p>
      </section>
      <FactList rows={factsOf(frame, one)} testId="facts" />
      <Acts {...props} />
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

/** Deleting an account that was reported means everything that it posted. */
function actTextsOf({ frame, one }: Pick<ReportPageProps, 'frame' | 'one'>, outcome: ReportOutcome) {
  const { actTexts, allPosts } = frame.messages.reports.queue;
  return outcome === 'deleted' && one.type === 'account' ? allPosts : actTexts[outcome];
}

type ActsProps = Pick<ReportPageProps, 'frame' | 'one' | 'refused' | 'deletesPosts'>;

function Acts(props: ActsProps): VNode | null {
  const { frame, one, refused, deletesPosts = false } = props;
  const { queue: texts } = frame.messages.reports;
  const [outcomes, withPosts] = [possibleOutcomes(one), possibleOutcomes(one, true)];
  const shown = reportOutcomes.filter((outcome) => outcomes.includes(outcome) || withPosts.includes(outcome));
  if (shown.length === 0) return null;
  return (
    <section>
      <h2>{texts.resolve}</h2>
      <div class="panel">
        {shown.map((outcome) => {
          const isChoice = outcomes.includes(outcome) && withPosts.includes(outcome);
          const hidden = outcomes.includes(outcome) ? {} : { [deletePostsField]: outcome };
          const isChecked = deletesPosts && refused?.action === outcome;
          const form = { frame, action: outcome, texts: actTextsOf(props, outcome), refused, hidden };
          return (
            <ReasonForm key={outcome} {...form}>
              <RuleField frame={frame} one={one} outcome={outcome} />
              {isChoice ? (
                <Choice
                  type="checkbox"
                  name={deletePostsField}
                  value={outcome}
                  label={texts.deletePosts}
                  checked={isChecked}
                />
              ) : null}
            </ReasonForm>
          );
        })}
      </div>
    </section>
  );
}

interface RuleFieldProps extends Pick<ReportPageProps, 'frame' | 'one'> {
  readonly outcome: ReportOutcome;
}

/** What the mails name; the most frequent reason is selected. */
function RuleField({ frame: { messages }, one, outcome }: RuleFieldProps): VNode {
  const id = `rule_${outcome}`;
  return (
    <div class="field">
      <label for={id}>{messages.reports.queue.rule}</label>
      <Options
        {...{ id, name: ruleField, chosen: one.reasons[0] }}
        options={reportRules.map((rule) => [rule, messages.reports.reasons[rule].label])}
      />
    </div>
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
