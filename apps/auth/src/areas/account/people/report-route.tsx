import { reportSubjects } from '@linnet/contract/report';
import { createReport } from '@linnet/contract/routes/reports';
import { addReport, findReportSubject } from '@linnet/social/report/report-store';
import type { SubjectKey } from '@linnet/social/report/report-store';

import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import type { Form } from '../../../pages/form/form.ts';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import type { PeopleRouteOptions } from './follow-route.tsx';
import { parsePostId } from './read-before.ts';
import { ReportPage, reportFields } from './report-page.tsx';
import type { ReportPageProps } from './report-page.tsx';

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
