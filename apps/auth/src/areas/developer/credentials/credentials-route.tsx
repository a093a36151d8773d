import type { OwnedApplication } from '@linnet/applications/application/application-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { AuthEvents } from '../../../audit/events.ts';
import type { Visit } from '../../../sign-in/visit/area.ts';
import { findDone, renderPage } from '../../../pages/frame/render.tsx';
import { copyScript } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { submissionFields } from '../../application/submission-id.ts';
import { applicationActions, toForms, findOwned } from '../application/application-form.ts';
import type { PageWithForms } from '../application/application-form.ts';
import { setKeys, setSecret, addSecret, renameSecret, retireSecret } from './change-credentials.tsx';
import { CredentialsPage, credentialsDone } from './credentials.tsx';
import type { CredentialsState } from './credentials-submission.ts';

interface CredentialsOptions {
  readonly baseUrl: string;
  readonly applications: MyApplications;
  readonly events: AuthEvents;
}

/** `/developer/applications/:client_id/credentials`: 404 for everyone but the owner (checklist DV2). */
export function credentialsRoute(options: CredentialsOptions): PageWithForms {
  const find = async (visit: Visit) => await findOwned(options.applications, visit);
  const all = { ...options, find, showPage };
  return {
    path: `${pagePaths.applications}/applications/:clientId/credentials`,
    show: async (visit) => {
      const application = await find(visit);
      if (application !== undefined) showPage(visit, application, { done: findDone(visit.ctx, credentialsDone) });
    },
    forms: toForms(all, [
      [applicationActions.addSecret, 'recent', addSecret],
      [applicationActions.renameSecret, 'none', renameSecret],
      [applicationActions.retireSecret, 'recent', retireSecret],
      [applicationActions.setKeys, 'recent', setKeys],
      [applicationActions.setSecret, 'recent', setSecret],
    ]),
  };
}

function showPage({ ctx, frame }: Visit, application: OwnedApplication, state: CredentialsState): void {
  const { status = 200, ...changes } = state;
  const own = { frame, application, now: new Date(), addSecretHidden: submissionFields() };
  renderPage(ctx, <CredentialsPage {...changes} {...own} />, { status, script: copyScript(frame) });
}
