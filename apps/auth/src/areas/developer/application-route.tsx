import type { OwnedApplication } from '@linnet/applications/application-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { AuthEvents } from '../../audit/events.ts';
import { failureKinds } from '../../protocol/failures/failure.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { findDone } from '../../pages/http/done.ts';
import { renderPage } from '../../pages/http/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { applicationActions } from './application-actions.ts';
import { submissionFields } from '../application/submission-id.ts';
import { toValues } from './application-form.ts';
import { ApplicationPage, applicationDone } from './application-page.tsx';
import type { ApplicationFigures } from './application-figures.ts';
import { createChanges } from './change-application.tsx';
import { failureKindParameter } from './failures-section.tsx';
import type { Shown } from './change-application.tsx';

interface ApplicationOptions {
  readonly baseUrl: string;
  readonly applications: MyApplications;
  readonly events: AuthEvents;
  readonly figures: ApplicationFigures;
}

/** `/developer/applications/:client_id`: to everybody but its owner there is no such page (checklist DV2). */
export function applicationRoute(options: ApplicationOptions): AreaPage {
  const { applications, figures } = options;
  const showPage = createShowPage(figures);
  const changes = createChanges({ ...options, showPage });
  const find = async ({ session, param }: Visit) =>
    await applications.find({ ownerId: session.accountId, clientId: param('clientId') });

  return {
    path: `${pagePaths.applications}/applications/:clientId`,
    show: async (visit) => {
      const application = await find(visit);
      if (application === undefined) return;
      const kind = failureKinds.find((one) => one === visit.ctx.query[failureKindParameter]);
      const failures = { kind, list: await figures.failures(application.clientId, kind) };
      await showPage(visit, application, { done: findDone(visit.ctx, applicationDone), failures });
    },
    // Saving is, when it changes where answers go: `change-application` asks.
    sensitive: [applicationActions.addSecret, applicationActions.retireSecret, applicationActions.delete],
    act: async (visit) => {
      const application = await find(visit);
      if (application === undefined) return;
      const form = await visit.readForm();
      const change = changes.get(form.text('action'));
      if (change === undefined) await showPage(visit, application, { status: 422 });
      else await change({ visit, form, application });
    },
  };
}

function createShowPage(figures: ApplicationFigures) {
  return async ({ ctx, frame }: Visit, application: OwnedApplication, shown: Shown): Promise<void> => {
    const { status = 200, ...changes } = shown;
    const { clientId } = application;
    const standing = (await figures.standings([clientId])).get(clientId);
    const own = { frame, application, now: new Date(), ...(standing === undefined ? {} : { standing }) };
    const page = (
      <ApplicationPage values={toValues(application)} {...changes} {...own} addSecretHidden={submissionFields()} />
    );
    renderPage(ctx, page, { status });
  };
}
