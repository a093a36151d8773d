/** The forms of an application's overview. Each is validated and carried out, and redirects. */
import { parseNewSecret, parseSecretName } from '@linnet/applications/new-secret';
import { maxActiveSecrets } from '@linnet/applications/client-secret';
import type { AreaForm } from '../../sign-in/visit/area.ts';
import { redirectTo } from '../../pages/http/done.ts';
import { renderPage } from '../../pages/http/render.tsx';
import { copyScript } from '../../pages/views/copyable.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { applicationActions } from './application-actions.ts';
import { readSubmissionId } from '../application/submission-id.ts';
import { isNameConfirmed } from './application-form.ts';
import { secretNameField } from './rename-secret.tsx';
import { lastSecretField } from './retire-secret.tsx';
import { readSecretRequest, secretErrors } from './secret-form.ts';
import { redirectToPage } from './application-submission.ts';
import type { Change, ChangeOptions, Submission } from './application-submission.ts';
import { setKeys, setSecret } from './change-authentication.tsx';
import { CredentialsPage } from './credentials-page.tsx';

/** The forms of an application's overview, by their field `action`. Other people's applications are not found. */
export function createApplicationForms(options: ChangeOptions): Readonly<Record<string, AreaForm>> {
  const { find } = options;
  const toForm = (stepUp: AreaForm['stepUp'], change: Change): AreaForm => ({
    stepUp,
    act: async (visit, form) => {
      const application = await find(visit);
      if (application !== undefined) await change(options, { visit, form, application });
    },
  });
  return {
    [applicationActions.addSecret]: toForm('recent', addSecret),
    [applicationActions.renameSecret]: toForm('none', renameSecret),
    [applicationActions.retireSecret]: toForm('recent', retireSecret),
    [applicationActions.setKeys]: toForm('recent', setKeys),
    [applicationActions.setSecret]: toForm('recent', setSecret),
    [applicationActions.pause]: toForm('none', pause),
    [applicationActions.resume]: toForm('none', resume),
    [applicationActions.delete]: toForm('recent', remove),
  };
}

async function addSecret(options: ChangeOptions, { visit, form, application }: Submission): Promise<void> {
  const { applications, events, showPage, baseUrl } = options;
  const { ctx, frame, session } = visit;
  const { clientId } = application;
  const request = readSecretRequest(form);
  const { secret, problems } = parseNewSecret(request, new Date());
  if (secret === undefined) {
    const errors = secretErrors(frame.messages, problems);
    await showPage(visit, application, { status: 422, newSecret: { request, errors } });
    return;
  }
  const mine = { ownerId: session.accountId, clientId, submissionId: readSubmissionId(form) };
  const outcome = await applications.at(visit.sessionDb).addSecret({ ...mine, ...secret });
  switch (outcome.kind) {
    case 'added': {
      const { clientSecret } = outcome;
      events.secretAdded({ ...visit.event, clientId });
      const page = <CredentialsPage {...{ frame, baseUrl, application, clientSecret }} occasion="added" />;
      renderPage(ctx, page, { script: copyScript(frame) });
      break;
    }
    case 'repeated':
      redirectToPage(visit, outcome.clientId, 'already-added');
      break;
    case 'limit-reached':
      await showPage(visit, application, {
        status: 409,
        problem: frame.messages.developer.secrets.enough(maxActiveSecrets),
      });
      break;
    case 'not-found': // public and native applications have no such form
  }
}

async function renameSecret(options: ChangeOptions, { visit, form, application }: Submission): Promise<void> {
  const { applications, events, showPage } = options;
  const { frame, session, event } = visit;
  const { clientId } = application;
  const secretId = form.text('secret');
  const typed = form.text(secretNameField(secretId));
  const named = parseSecretName(typed);
  if ('problem' in named) {
    const { secret_name: error = '' } = secretErrors(frame.messages, { name: named.problem });
    await showPage(visit, application, { status: 422, secretName: { secretId, name: typed, error } });
  } else if (await applications.renameSecret({ ownerId: session.accountId, clientId, secretId, name: named.name })) {
    events.secretRenamed({ ...event, clientId });
    redirectToPage(visit, clientId, 'secret-renamed');
  } else {
    await showPage(visit, application, { status: 409, problem: frame.messages.developer.secrets.renameGone });
  }
}

async function retireSecret(options: ChangeOptions, { visit, form, application }: Submission): Promise<void> {
  const { applications, events, showPage, find } = options;
  const { clientId } = application;
  const secretId = form.text('secret');
  const evenIfLast = form.has(lastSecretField);
  if (!(await applications.retireSecret({ ownerId: visit.session.accountId, clientId, secretId, evenIfLast }))) {
    // The others ended after the form was shown.
    const problem = visit.frame.messages.developer.secrets.nowLast;
    const now = (await find(visit)) ?? application;
    await showPage(visit, now, { status: 409, problem, keptSecretId: secretId });
    return;
  }
  events.secretRetired({ ...visit.event, clientId });
  redirectToPage(visit, clientId, 'secret-retired');
}

async function pause({ applications, events }: ChangeOptions, { visit, application }: Submission): Promise<void> {
  const { clientId } = application;
  if (!(await applications.pause({ ownerId: visit.session.accountId, clientId }))) return;
  events.applicationPaused({ ...visit.event, clientId });
  redirectToPage(visit, clientId, 'paused');
}

async function resume({ applications, events }: ChangeOptions, { visit, application }: Submission): Promise<void> {
  const { clientId } = application;
  if (!(await applications.at(visit.sessionDb).resume({ ownerId: visit.session.accountId, clientId }))) return;
  events.applicationResumed({ ...visit.event, clientId });
  redirectToPage(visit, clientId, 'resumed');
}

async function remove(options: ChangeOptions, { visit, form, application }: Submission): Promise<void> {
  const { applications, events, showPage } = options;
  const { clientId, name } = application;
  if (!isNameConfirmed(name, form.text('confirm'))) {
    await showPage(visit, application, { status: 422, isConfirmWrong: true });
    return;
  }
  await applications.delete({ ownerId: visit.session.accountId, clientId });
  events.applicationDeleted({ ...visit.event, clientId });
  redirectTo(visit.ctx, pagePaths.applications, 'deleted');
}
