import { ApplicationRefused } from '../applications/application.ts';
import type { OwnedApplication } from '../applications/application-store.ts';
import type { MyApplications } from '../applications/my-applications.ts';
import type { AreaPage, Visit } from '../http/area.ts';
import { findDone, goOn } from '../http/done.ts';
import type { Form } from '../http/form.ts';
import { renderPage } from '../http/render.tsx';
import { pagePaths } from '../views/page-paths.ts';
import { applicationActions } from './application-actions.ts';
import { isNameConfirmed, newMark, readMark, readSettings, readValues, toValues } from './application-form.ts';
import { ApplicationPage, applicationDone } from './application-page.tsx';
import type { ApplicationDone, ApplicationPageProps } from './application-page.tsx';
import { CredentialsPage } from './credentials-page.tsx';
import { problemTexts } from './problem-text.ts';

interface ApplicationOptions {
  readonly baseUrl: string;
  readonly applications: MyApplications;
}

/** A form of the page that was sent, and the application that it is about. */
interface Act {
  readonly visit: Visit;
  readonly form: Form;
  readonly application: OwnedApplication;
}

type Action = (act: Act) => Promise<void>;

/** `/developer/applications/:client_id`: to everybody but its owner there is no such page (checklist DV2). */
export function applicationRoute({ baseUrl, applications }: ApplicationOptions): AreaPage {
  const actions: ReadonlyMap<string, Action> = new Map([
    [applicationActions.save, save(applications)],
    [applicationActions.addSecret, addSecret(applications, baseUrl)],
    [applicationActions.retireSecret, retireSecret(applications)],
    [applicationActions.delete, remove(applications)],
  ]);
  const find = async ({ session, params }: Visit) =>
    await applications.find({ ownerId: session.accountId, clientId: params['clientId'] ?? '' });

  return {
    path: `${pagePaths.applications}/applications/:clientId`,
    show: async (visit) => {
      const application = await find(visit);
      if (application === undefined) return;
      showPage(visit, application, { done: findDone(visit.ctx, applicationDone) });
    },
    act: async (visit) => {
      const application = await find(visit);
      if (application === undefined) return;
      const form = await visit.readForm();
      const action = actions.get(form.text('action'));
      if (action === undefined) showPage(visit, application, { status: 422 });
      else await action({ visit, form, application });
    },
  };
}

function save(applications: MyApplications): Action {
  return async ({ visit, form, application }) => {
    const { ctx, frame, session } = visit;
    try {
      const isThere = await applications.edit(application, { ...readSettings(form), ownerId: session.accountId });
      if (isThere) goOn(ctx, pagePaths.application(application.clientId), 'saved' satisfies ApplicationDone);
    } catch (error) {
      if (!(error instanceof ApplicationRefused)) throw error;
      const values = readValues(form, application.type);
      showPage(visit, application, { status: 422, values, ...problemTexts(frame.messages, error.problems) });
    }
  };
}

function addSecret(applications: MyApplications, baseUrl: string): Action {
  return async ({ visit, form, application }) => {
    const { ctx, frame, session } = visit;
    const { clientId } = application;
    const outcome = await applications.addSecret({ ownerId: session.accountId, clientId, mark: readMark(form) });
    switch (outcome.kind) {
      case 'added': {
        const { clientSecret } = outcome;
        renderPage(ctx, <CredentialsPage {...{ frame, baseUrl, application, clientSecret }} occasion="added" />);
        break;
      }
      case 'repeated':
        goOn(ctx, pagePaths.application(outcome.clientId), 'already-added' satisfies ApplicationDone);
        break;
      case 'enough':
        showPage(visit, application, { status: 409, problem: frame.messages.developer.application.enoughSecrets });
        break;
      case 'absent': // public and native applications have no such form
    }
  };
}

function retireSecret(applications: MyApplications): Action {
  return async ({ visit: { ctx, session }, form, application: { clientId } }) => {
    await applications.retireSecret({ ownerId: session.accountId, clientId, secretId: form.text('secret') });
    goOn(ctx, pagePaths.application(clientId), 'secret-retired' satisfies ApplicationDone);
  };
}

function remove(applications: MyApplications): Action {
  return async ({ visit, form, application }) => {
    const { ctx, session } = visit;
    if (!isNameConfirmed(application.name, form.text('confirm'))) {
      showPage(visit, application, { status: 422, isConfirmWrong: true });
      return;
    }
    await applications.delete({ ownerId: session.accountId, clientId: application.clientId });
    goOn(ctx, pagePaths.applications, 'deleted');
  };
}

interface Shown extends Partial<Omit<ApplicationPageProps, 'frame' | 'application' | 'addSecretHidden'>> {
  readonly status?: number;
}

function showPage({ ctx, frame }: Visit, application: OwnedApplication, { status = 200, ...shown }: Shown): void {
  const page = (
    <ApplicationPage
      values={toValues(application)}
      {...shown}
      frame={frame}
      application={application}
      addSecretHidden={newMark()}
    />
  );
  renderPage(ctx, page, { status });
}
