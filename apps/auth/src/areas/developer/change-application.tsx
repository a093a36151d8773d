/** The forms of an application's page. Each is validated and carried out, and redirects. */
import { ApplicationRefused } from '@linnet/applications/application';
import { parseNewSecret, parseSecretName } from '@linnet/applications/new-secret';
import type { OwnedApplication } from '@linnet/applications/application-store';
import { maxActiveSecrets } from '@linnet/applications/client-secret';
import { findGainedAccess } from '@linnet/applications/gained-access';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { AuthEvents } from '../../audit/events.ts';
import type { Visit } from '../../sign-in/visit/area.ts';
import { redirectTo } from '../../pages/http/done.ts';
import type { Form } from '../../pages/http/form.ts';
import { renderPage } from '../../pages/http/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { applicationActions } from './application-actions.ts';
import { readSubmissionId } from '../application/submission-id.ts';
import { isNameConfirmed, readSettings, readValues } from './application-form.ts';
import { secretNameField } from './rename-secret.tsx';
import { readSecretRequest, secretErrors } from './secret-form.ts';
import type { ApplicationValues } from './application-fields.tsx';
import type { ApplicationDone, ApplicationPageProps } from './application-page.tsx';
import { CredentialsPage } from './credentials-page.tsx';
import { problemTexts } from './problem-text.ts';

/** What the page shows in addition to the stored application. */
export interface PageState extends Partial<
  Omit<ApplicationPageProps, 'frame' | 'application' | 'addSecretHidden' | 'now' | 'usageSummary'>
> {
  readonly status?: number;
}

interface ChangeOptions {
  readonly baseUrl: string;
  readonly applications: MyApplications;
  readonly events: AuthEvents;
  readonly showPage: (visit: Visit, application: OwnedApplication, state: PageState) => Promise<void>;
}

interface Submission {
  readonly visit: Visit;
  readonly form: Form;
  readonly application: OwnedApplication;
}

type Change = (submission: Submission) => Promise<void>;

/** By the hidden field `action`. */
export function createChanges(options: ChangeOptions): ReadonlyMap<string, Change> {
  return new Map([
    [applicationActions.save, (submission) => save(options, submission)],
    [applicationActions.addSecret, (submission) => addSecret(options, submission)],
    [applicationActions.renameSecret, (submission) => renameSecret(options, submission)],
    [applicationActions.retireSecret, (submission) => retireSecret(options, submission)],
    [applicationActions.pause, (submission) => pause(options, submission)],
    [applicationActions.resume, (submission) => resume(options, submission)],
    [applicationActions.delete, (submission) => remove(options, submission)],
  ]);
}

async function save(options: ChangeOptions, { visit, form, application }: Submission): Promise<void> {
  const { applications, events, showPage } = options;
  const { clientId, redirectUris } = application;
  const settings = { ...readSettings(form), ownerId: visit.session.accountId };
  const isGoingElsewhere = settings.redirectUris.some((uri) => !redirectUris.includes(uri));
  const hasOtherKeys = application.jwksUri !== undefined && settings.jwksUri !== application.jwksUri;
  const gainsAccess = findGainedAccess(settings, application).length > 0;
  if ((isGoingElsewhere || hasOtherKeys || gainsAccess) && !(await visit.isConfirmed())) return;
  try {
    if (!(await applications.edit(application, settings))) return;
    events.applicationChanged({ ...visit.event, clientId });
    redirectToPage(visit, clientId, 'saved');
  } catch (error) {
    if (!(error instanceof ApplicationRefused)) throw error;
    const texts = problemTexts(visit.frame.messages, error.problems);
    await showPage(visit, application, { status: 422, values: valuesOf(form, application), ...texts });
  }
}

/** The form as typed. The key set URL is a field only if the application has one. */
function valuesOf(form: Form, { type, jwksUri }: OwnedApplication): ApplicationValues {
  const values = readValues(form, type);
  return jwksUri === undefined ? { ...values, jwksUri } : values;
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
  const outcome = await applications.addSecret({ ...mine, ...secret });
  switch (outcome.kind) {
    case 'added': {
      const { clientSecret } = outcome;
      events.secretAdded({ ...visit.event, clientId });
      renderPage(ctx, <CredentialsPage {...{ frame, baseUrl, application, clientSecret }} occasion="added" />);
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

async function retireSecret(
  { applications, events }: ChangeOptions,
  { visit, form, application }: Submission,
): Promise<void> {
  const { clientId } = application;
  await applications.retireSecret({ ownerId: visit.session.accountId, clientId, secretId: form.text('secret') });
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
  if (!(await applications.resume({ ownerId: visit.session.accountId, clientId }))) return;
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

function redirectToPage({ ctx }: Visit, clientId: string, done: ApplicationDone): void {
  redirectTo(ctx, pagePaths.application(clientId), done);
}
