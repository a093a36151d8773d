import { reportReasons, reportSubjects } from '@linnet/contract/report';
import type { ReportSubject } from '@linnet/contract/report';
import { createReport } from '@linnet/contract/routes/reports';
import { addReport, findReportSubject } from '@linnet/social/report/report-store';
import type { ShownSubject, SubjectKey } from '@linnet/social/report/report-store';
import { inertText, printableLines } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Form } from '../../../pages/form/form.ts';
import type { Frame } from '../../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import { Choice, ChoiceGroup } from '../../../pages/views/choice.tsx';
import { ErrorSummary, PostForm, TextArea } from '../../../pages/views/field.tsx';
import { Layout } from '../../../pages/views/layout.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { parsePostId } from './follow.tsx';
import type { PeopleRouteOptions } from './follow.tsx';

/** Names of the fields. */
const reportFields = { reason: 'reason', text: 'text' } as const;

interface ReportPageProps {
  readonly frame: Frame;
  readonly type: ReportSubject;
  readonly subject: Omit<ShownSubject, 'isOwn'>;
  readonly isSent?: boolean;
  /** As typed. */
  readonly typed?: { readonly reason: string; readonly text: string };
  readonly errors?: { readonly reason?: string; readonly text?: string };
  readonly problem?: string | undefined;
}

/** What a person is about to report, with a form for the reason. */
export function ReportPage({ frame, type, subject, isSent = false, ...form }: ReportPageProps): VNode {
  const { form: texts } = frame.messages.reports;
  const title = `${texts.pageTitle} · ${inertText(`@${subject.username}`)}`;
  return (
    <Layout frame={frame} title={title} kind="area" extraStyle="posts.css">
      <h1>{texts.titles[type](<UserText text={`@${subject.username}`} />)}</h1>
      {isSent ? <Notice kind="done">{texts.done}</Notice> : null}
      <ErrorSummary frame={frame} errors={form.errors ?? {}} problem={form.problem} />
      <p class="panel text" dir="auto">
        {printableLines(subject.content)}
      </p>
      {isSent ? <Back frame={frame} subject={subject} /> : <ReportForm frame={frame} {...form} />}
    </Layout>
  );
}

function Back({ frame, subject }: Pick<ReportPageProps, 'frame' | 'subject'>): VNode {
  return (
    <p class="actions">
      <a class="button quiet-button" href={`/@${subject.username}`}>
        {frame.messages.people.publicProfile}
      </a>
    </p>
  );
}

type FormProps = Pick<ReportPageProps, 'frame' | 'typed' | 'errors'>;

function ReportForm({ frame, typed, errors = {} }: FormProps): VNode {
  const { form: texts, reasons } = frame.messages.reports;
  return (
    <PostForm frame={frame} class="panel">
      <p>{texts.danger}</p>
      <ChoiceGroup name={reportFields.reason} legend={texts.reason} hint={texts.reasonHint} error={errors.reason}>
        {reportReasons.map((reason) => (
          <Choice
            key={reason}
            type="radio"
            name={reportFields.reason}
            value={reason}
            {...reasons[reason]}
            checked={typed?.reason === reason}
          />
        ))}
      </ChoiceGroup>
      <TextArea
        name={reportFields.text}
        label={texts.text}
        hint={texts.textHint}
        value={typed?.text}
        error={errors.text}
        optional={frame.messages.form.optional}
        rows={4}
        isProse
      />
      <p class="quiet small">{texts.privacy}</p>
      <button class="button" data-testid="send-report">
        {texts.submit}
      </button>
    </PostForm>
  );
}

interface State extends Omit<ReportPageProps, 'frame' | 'type' | 'subject'> {
  readonly status?: number;
}

type RouteOptions = Pick<PeopleRouteOptions, 'db' | 'throttle'>;

/** `/report/{account|post|comment}/{id}`: reports something to the operators. Public pages lead here. */
export function reportRoute(options: RouteOptions): AreaPage {
  const { db, throttle } = options;

  async function send(visit: Visit, form: Form): Promise<void> {
    const { ctx, frame, session } = visit;
    const { form: texts } = frame.messages.reports;
    const subject = readSubject(visit);
    if (subject === undefined) return;
    const typed = {
      reason: form.text(reportFields.reason),
      text: form.text(reportFields.text).replaceAll('\r\n', '\n'),
    };
    const { input, errors } = readForm(subject, typed, texts.errors);
    if (input === undefined) {
      await show(options, visit, { typed, errors, status: 422 });
      return;
    }
    const wait = await throttle.countSocialAct(session.accountId);
    if (wait !== undefined) {
      ctx.set('Retry-After', String(wait));
      await show(options, visit, { typed, problem: frame.messages.people.throttled, status: 429 });
      return;
    }
    const { reason, text = '' } = input;
    const sent = await addReport(db, { reporterId: session.accountId, subject, reason, text });
    if (sent === undefined) return;
    if (sent === 'own') {
      redirectTo(ctx, pagePaths.posts);
      return;
    }
    if ('retryAfterSeconds' in sent) {
      ctx.set('Retry-After', String(sent.retryAfterSeconds));
      await show(options, visit, { typed, problem: texts.limited, status: 429 });
    } else redirectTo(ctx, pagePaths.report(subject.type, subject.id), 'sent');
  }

  return {
    path: '/report/:type/:id',
    show: async (visit) => {
      await show(options, visit, { isSent: findDone(visit.ctx, ['sent']) !== undefined });
    },
    form: { stepUp: 'none', act: send },
  };
}

type Typed = Required<ReportPageProps>['typed'];

/** The report, or what is wrong with the form. */
function readForm({ type, id }: SubjectKey, { reason, text }: Typed, messages: Required<ReportPageProps>['errors']) {
  const given = text.trim() === '' ? undefined : text;
  const { data: input, error } = createReport.input.safeParse({ item_id: id, type, reason, text: given });
  const wrong = new Set(error?.issues.map(({ path }) => path[0]));
  const errors = Object.fromEntries(Object.entries(messages).filter(([field]) => wrong.has(field)));
  return { input, errors };
}

function readSubject({ param }: Visit): SubjectKey | undefined {
  const type = reportSubjects.find((one) => one === param('type'));
  const id = parsePostId(param('id'));
  return type === undefined || id === undefined ? undefined : { type, id };
}

async function show({ db }: RouteOptions, visit: Visit, { status = 200, ...state }: State): Promise<void> {
  const { ctx, frame, session } = visit;
  const key = readSubject(visit);
  const subject = key && (await findReportSubject(db, session.accountId, key));
  if (key === undefined || subject === undefined) return;
  // Public pages are the same for everybody, so they have the link for their owner, too.
  if (subject.isOwn) {
    redirectTo(ctx, pagePaths.posts);
    return;
  }
  renderPage(ctx, <ReportPage {...{ frame, subject, type: key.type }} {...state} />, { status });
}
