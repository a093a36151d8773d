/** The forms that change how an application authenticates. */
import { ApplicationRefused } from '@linnet/applications/application/application';
import type { NewAuthentication } from '@linnet/applications/secrets/authentication-change';
import { generateClientSecret } from '@linnet/applications/secrets/client-secret';
import { renderPage } from '../../pages/frame/render.tsx';
import { copyScript } from '../../pages/views/notice.tsx';
import type { Submission } from './application-submission.ts';
import { keysField } from './authentication-section.tsx';
import { redirectToCredentials } from './credentials-submission.ts';
import type { CredentialsChange, CredentialsChangeOptions } from './credentials-submission.ts';
import { NewCredentialsPage } from './new-credentials-page.tsx';
import { problemTexts } from './problem-text.ts';

/** Replaces the secrets, or registered keys, of the application. */
export const setKeys: CredentialsChange = async (options, submission) => {
  const { visit, form, application } = submission;
  const keys = readKeys(form.text(keysField).trim());
  if (!(await authenticate(options, submission, { method: 'private_key_jwt', ...keys }))) return;
  options.events.applicationChanged({ ...visit.event, clientId: application.clientId });
  redirectToCredentials(visit, application.clientId, 'keys-used');
};

/** Replaces the keys of the application. The response shows the secret, only once. */
export const setSecret: CredentialsChange = async (options, submission) => {
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
  { applications, showPage }: CredentialsChangeOptions,
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
