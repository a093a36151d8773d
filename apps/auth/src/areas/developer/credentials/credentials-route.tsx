import { ApplicationRefused } from '@linnet/applications/application/application';
import type { OwnedApplication } from '@linnet/applications/application/application-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { NewAuthentication } from '@linnet/applications/secrets/authentication-change';
import { generateClientSecret, maxActiveSecrets } from '@linnet/applications/secrets/client-secret';
import { parseNewSecret, parseSecretName } from '@linnet/applications/secrets/new-secret';
import type { AuthEvents } from '../../../audit/events.ts';
import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import { copyScript } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { Visit } from '../../../sign-in/visit/area.ts';
import { readSubmissionId, submissionFields } from '../../application/submission-id.ts';
import { applicationActions, findOwned, toForms } from '../application/application-form.ts';
import type { Change, PageWithForms, Submission } from '../application/application-form.ts';
import { problemTexts } from '../settings/problem-text.ts';
import { keysField } from './authentication-section.tsx';
import { credentialsDone, CredentialsPage } from './credentials.tsx';
import type { CredentialsDone, CredentialsPageProps } from './credentials.tsx';
import { NewCredentialsPage, readSecretRequest, secretErrors } from './new-credentials-page.tsx';
import { lastSecretField, secretNameField } from './secret-list.tsx';

interface CredentialsOptions {
  readonly baseUrl: string;
  readonly applications: MyApplications;
  readonly events: AuthEvents;
}

/** `/developer/applications/:client_id/credentials`: 404 for everyone but the owner (checklist DV2). */
export function credentialsRoute(options: CredentialsOptions): PageWithForms {
  const find = async (visit: Visit) => await findOwned(options.applications, visit);
  const all = { ...options, find };
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

/** Replaces the secrets, or registered keys, of the application. */
const setKeys: CredentialsChange = async (options, submission) => {
  const { visit, form, application } = submission;
  const keys = readKeys(form.text(keysField).trim());
  if (!(await authenticate(options, submission, { method: 'private_key_jwt', ...keys }))) return;
  options.events.applicationChanged({ ...visit.event, clientId: application.clientId });
  redirectToCredentials(visit, application.clientId, 'keys-used');
};

/** Replaces the keys of the application. The response shows the secret, only once. */
const setSecret: CredentialsChange = async (options, submission) => {
  const { visit, application } = submission;
  const { baseUrl, events } = options;
  const clientSecret = generateClientSecret();
  if (!(await authenticate(options, submission, { method: 'client_secret', clientSecret }))) return;
  events.secretAdded({ ...visit.event, clientId: application.clientId });
  const { ctx, frame } = visit;
  const page = <NewCredentialsPage {...{ frame, baseUrl, application, clientSecret }} occasion="added" />;
  renderPage(ctx, page, { script: copyScript(frame) });
};

/** False if it was refused, and the page says why, or if the application no longer exists. */
async function authenticate(
  { applications }: CredentialsChangeOptions,
  { visit, form, application }: Submission,
  authentication: NewAuthentication,
): Promise<boolean> {
  try {
    const ownerId = visit.session.accountId;
    return await applications.at(visit.sessionDb).authenticate(application, { ownerId, authentication });
  } catch (error) {
    if (!(error instanceof ApplicationRefused)) throw error;
    const { errors, problem } = problemTexts(visit.frame.messages, error.problems);
    const { jwks_uri: keysError, ...others } = errors;
    const typed = { keys: form.text(keysField), error: keysError };
    // The other fields are on the page of the settings.
    const otherProblems = [problem, ...Object.values(others)].filter((one) => one !== undefined);
    const state = otherProblems.length === 0 ? {} : { problem: otherProblems.join(' ') };
    showPage(visit, application, { status: 422, ...state, newKeys: typed });
    return false;
  }
}

/** A JWK Set is a JSON object, which no URL is. */
function readKeys(typed: string): { readonly jwksUri: string } | { readonly jwks: unknown } {
  if (!typed.startsWith('{')) return { jwksUri: typed };
  try {
    return { jwks: JSON.parse(typed) };
  } catch {
    return { jwks: typed };
  }
}

/** The forms that add, rename and retire secrets. */
const addSecret: CredentialsChange = async (options, { visit, form, application }) => {
  const { applications, events, baseUrl } = options;
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

const renameSecret: CredentialsChange = async (options, { visit, form, application }) => {
  const { applications, events } = options;
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

const retireSecret: CredentialsChange = async (options, { visit, form, application }) => {
  const { applications, events, find } = options;
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

/** What the page shows in addition to the stored application. */
interface CredentialsState extends Partial<
  Omit<CredentialsPageProps, 'frame' | 'application' | 'addSecretHidden' | 'now'>
> {
  readonly status?: number;
}

interface CredentialsChangeOptions extends CredentialsOptions {
  readonly find: (visit: Visit) => Promise<OwnedApplication | undefined>;
}

type CredentialsChange = Change<CredentialsChangeOptions>;

function redirectToCredentials({ ctx }: Visit, clientId: string, done: CredentialsDone): void {
  redirectTo(ctx, pagePaths.applicationCredentials(clientId), done);
}
