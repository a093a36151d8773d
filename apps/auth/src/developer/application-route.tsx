import type { OwnedApplication } from '../applications/application-store.ts';
import type { MyApplications } from '../applications/my-applications.ts';
import type { AuthEvents } from '../events.ts';
import { failureKinds } from '../failures/failure.ts';
import type { FailureKind } from '../failures/failure.ts';
import type { ListedFailure } from '../failures/failure-store.ts';
import type { AreaPage, Visit } from '../http/area.ts';
import { findDone } from '../http/done.ts';
import { renderPage } from '../http/render.tsx';
import { pagePaths } from '../views/page-paths.ts';
import { applicationActions } from './application-actions.ts';
import { newMark, toValues } from './application-form.ts';
import { ApplicationPage, applicationDone } from './application-page.tsx';
import { createChanges } from './change-application.tsx';
import { failureKindParameter } from './failures-section.tsx';
import type { Shown } from './change-application.tsx';

interface ApplicationOptions {
  readonly baseUrl: string;
  readonly applications: MyApplications;
  readonly events: AuthEvents;
  readonly findFailures: FindFailures;
}

/** The latest refused requests of an application, of one kind or of all. */
export type FindFailures = (clientId: string, kind: FailureKind | undefined) => Promise<readonly ListedFailure[]>;

/** `/developer/applications/:client_id`: to everybody but its owner there is no such page (checklist DV2). */
export function applicationRoute(options: ApplicationOptions): AreaPage {
  const { applications, findFailures } = options;
  const changes = createChanges({ ...options, showPage });
  const find = async ({ session, params }: Visit) =>
    await applications.find({ ownerId: session.accountId, clientId: params['clientId'] ?? '' });

  return {
    path: `${pagePaths.applications}/applications/:clientId`,
    show: async (visit) => {
      const application = await find(visit);
      if (application === undefined) return;
      const kind = failureKinds.find((one) => one === visit.ctx.query[failureKindParameter]);
      const failures = { kind, list: await findFailures(application.clientId, kind) };
      showPage(visit, application, { done: findDone(visit.ctx, applicationDone), failures });
    },
    // Saving is, when it changes where answers go: `change-application` asks.
    sensitive: [applicationActions.addSecret, applicationActions.retireSecret, applicationActions.delete],
    act: async (visit) => {
      const application = await find(visit);
      if (application === undefined) return;
      const form = await visit.readForm();
      const change = changes.get(form.text('action'));
      if (change === undefined) showPage(visit, application, { status: 422 });
      else await change({ visit, form, application });
    },
  };
}

function showPage({ ctx, frame }: Visit, application: OwnedApplication, { status = 200, ...shown }: Shown): void {
  const values = toValues(application);
  const page = (
    <ApplicationPage
      values={values}
      {...shown}
      {...{ frame, application }}
      now={new Date()}
      addSecretHidden={newMark()}
    />
  );
  renderPage(ctx, page, { status });
}
