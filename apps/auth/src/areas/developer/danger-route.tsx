import type { OwnedApplication } from '@linnet/applications/application/application-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { AuthEvents } from '../../audit/events.ts';
import type { Visit } from '../../sign-in/visit/area.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { applicationActions } from './application-actions.ts';
import { isNameConfirmed } from './application-form.ts';
import type { ApplicationReports } from './application-reports.ts';
import { toForms } from './application-submission.ts';
import type { Change, PageWithForms } from './application-submission.ts';
import { DangerPage, dangerDone } from './danger-page.tsx';
import type { DangerPageProps } from './danger-page.tsx';
import { findOwned } from './owned-application.ts';

interface DangerOptions {
  readonly applications: MyApplications;
  readonly events: AuthEvents;
  readonly reports: Pick<ApplicationReports, 'usageSummaries'>;
}

interface PageState extends Pick<DangerPageProps, 'isConfirmWrong' | 'done'> {
  readonly status?: number;
}

type DangerChange = Change<
  DangerOptions & {
    readonly find: (visit: Visit) => Promise<OwnedApplication | undefined>;
    readonly showPage: (visit: Visit, application: OwnedApplication, state: PageState) => Promise<void>;
  }
>;

/** `/developer/applications/:client_id/danger`: 404 for everyone but the owner (checklist DV2). */
export function dangerRoute(options: DangerOptions): PageWithForms {
  const find = async (visit: Visit) => await findOwned(options.applications, visit);

  const showPage = async ({ ctx, frame }: Visit, application: OwnedApplication, state: PageState): Promise<void> => {
    const { status = 200, ...changes } = state;
    const { clientId } = application;
    const usageSummary = (await options.reports.usageSummaries([clientId])).get(clientId);
    renderPage(ctx, <DangerPage {...{ frame, application, usageSummary }} {...changes} />, { status });
  };

  return {
    path: `${pagePaths.applications}/applications/:clientId/danger`,
    show: async (visit) => {
      const application = await find(visit);
      if (application !== undefined) await showPage(visit, application, { done: findDone(visit.ctx, dangerDone) });
    },
    forms: toForms({ ...options, find, showPage }, [
      [applicationActions.pause, 'none', pause],
      [applicationActions.resume, 'none', resume],
      [applicationActions.delete, 'recent', remove],
    ]),
  };
}

const pause: DangerChange = async ({ applications, events }, { visit, application: { clientId } }) => {
  if (!(await applications.pause({ ownerId: visit.session.accountId, clientId }))) return;
  events.applicationPaused({ ...visit.event, clientId });
  redirectTo(visit.ctx, pagePaths.applicationDanger(clientId), 'paused');
};

const resume: DangerChange = async ({ applications, events }, { visit, application: { clientId } }) => {
  if (!(await applications.at(visit.sessionDb).resume({ ownerId: visit.session.accountId, clientId }))) return;
  events.applicationResumed({ ...visit.event, clientId });
  redirectTo(visit.ctx, pagePaths.applicationDanger(clientId), 'resumed');
};

const remove: DangerChange = async ({ applications, events, showPage }, { visit, form, application }) => {
  const { clientId, name } = application;
  if (!isNameConfirmed(name, form.text('confirm'))) {
    await showPage(visit, application, { status: 422, isConfirmWrong: true });
    return;
  }
  await applications.delete({ ownerId: visit.session.accountId, clientId });
  events.applicationDeleted({ ...visit.event, clientId });
  redirectTo(visit.ctx, pagePaths.applications, 'deleted');
};
