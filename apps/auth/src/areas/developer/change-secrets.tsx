/** The forms that add, rename and retire secrets. */
import { parseNewSecret, parseSecretName } from '@linnet/applications/secrets/new-secret';
import { maxActiveSecrets } from '@linnet/applications/secrets/client-secret';
import { renderPage } from '../../pages/frame/render.tsx';
import { copyScript } from '../../pages/views/notice.tsx';
import { readSubmissionId } from '../application/submission-id.ts';
import { secretNameField } from './rename-secret.tsx';
import { lastSecretField } from './retire-secret.tsx';
import { readSecretRequest, secretErrors } from './secret-form.ts';
import { redirectToCredentials } from './credentials-submission.ts';
import type { CredentialsChange } from './credentials-submission.ts';
import { NewCredentialsPage } from './new-credentials-page.tsx';

export const addSecret: CredentialsChange = async (options, { visit, form, application }) => {
  const { applications, events, showPage, baseUrl } = options;
  const { ctx, frame, session } = visit;
  const { clientId } = application;
  const request = readSecretRequest(form);
  const { secret, problems } = parseNewSecret(request, new Date());
  if (secret === undefined) {
    const errors = secretErrors(frame.messages, problems);
    showPage(visit, application, { status: 422, newSecret: { request, errors } });
    return;
  }
  const mine = { ownerId: session.accountId, clientId, submissionId: readSubmissionId(form) };
  const outcome = await applications.at(visit.sessionDb).addSecret({ ...mine, ...secret });
  switch (outcome.kind) {
    case 'added': {
      const { clientSecret } = outcome;
      events.secretAdded({ ...visit.event, clientId });
      const page = <NewCredentialsPage {...{ frame, baseUrl, application, clientSecret }} occasion="added" />;
      renderPage(ctx, page, { script: copyScript(frame) });
      break;
    }
    case 'repeated':
      redirectToCredentials(visit, outcome.clientId, 'already-added');
      break;
    case 'limit-reached':
      showPage(visit, application, {
        status: 409,
        problem: frame.messages.developer.secrets.enough(maxActiveSecrets),
      });
      break;
    case 'not-found': // public and native applications have no such form
  }
};

export const renameSecret: CredentialsChange = async (options, { visit, form, application }) => {
  const { applications, events, showPage } = options;
  const { frame, session, event } = visit;
  const { clientId } = application;
  const secretId = form.text('secret');
  const typed = form.text(secretNameField(secretId));
  const named = parseSecretName(typed);
  if ('problem' in named) {
    const { secret_name: error = '' } = secretErrors(frame.messages, { name: named.problem });
    showPage(visit, application, { status: 422, secretName: { secretId, name: typed, error } });
  } else if (await applications.renameSecret({ ownerId: session.accountId, clientId, secretId, name: named.name })) {
    events.secretRenamed({ ...event, clientId });
    redirectToCredentials(visit, clientId, 'secret-renamed');
  } else {
    showPage(visit, application, { status: 409, problem: frame.messages.developer.secrets.renameGone });
  }
};

export const retireSecret: CredentialsChange = async (options, { visit, form, application }) => {
  const { applications, events, showPage, find } = options;
  const { clientId } = application;
  const secretId = form.text('secret');
  const evenIfLast = form.has(lastSecretField);
  if (!(await applications.retireSecret({ ownerId: visit.session.accountId, clientId, secretId, evenIfLast }))) {
    // The others ended after the form was shown.
    const problem = visit.frame.messages.developer.secrets.nowLast;
    const now = (await find(visit)) ?? application;
    showPage(visit, now, { status: 409, problem, keptSecretId: secretId });
    return;
  }
  events.secretRetired({ ...visit.event, clientId });
  redirectToCredentials(visit, clientId, 'secret-retired');
};
