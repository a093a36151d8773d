/** The APIs of a developer: a list, a form for a new one, and a page for each. */

import { ApiRefused } from '@linnet/applications/apis/api-settings';
import type { ApiProblem } from '@linnet/applications/apis/api-settings';
import type { RegisteredApi } from '@linnet/applications/apis/api-store';
import type { Apis, FetchDocument } from '@linnet/applications/apis/apis';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { Queryable } from '@linnet/db/statement/transaction';
import { inertText } from '@linnet/ui/inert-text';

import type { Form } from '../../../pages/form/form.ts';
import type { FieldErrors } from '../../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import type { Messages } from '../../../pages/i18n/en/en.ts';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { beforeParameter, readId } from '../activity/history.tsx';
import type { ApplicationReports } from '../activity/reports-store.ts';
import { isNameConfirmed } from '../application/application-form.ts';
import { ApiPage, apiActions, apiDone, newApiValues, readApiValues, toApiValues, toSubmittedApi } from './api-page.tsx';
import type { ApiField, ApiPageProps, ApiValues } from './api-page.tsx';
import { listStreams } from '../../../webhooks/signal-store.ts';
import { ApisPage } from './apis-page.tsx';

interface ApiRoutesOptions {
  readonly baseUrl: string;
  readonly db: Queryable;
  readonly apis: Apis;
  readonly applications: Pick<MyApplications, 'list'>;
  readonly reports: Pick<ApplicationReports, 'apiEvents'>;
  readonly fetchDocument: FetchDocument;
}

/** Entries of the history. */
const pageSize = 20;

/** `/developer/apis` and the pages below: 404 for everyone but the owner. */
export function createApiRoutes(options: ApiRoutesOptions): readonly AreaPage[] {
  return [listRoute(options), createRoute(options), apiRoute(options)];
}

function listRoute({ apis, reports }: ApiRoutesOptions): AreaPage {
  return {
    path: pagePaths.apis,
    show: async ({ ctx, frame, session }) => {
      const isDeleted = findDone(ctx, ['deleted']) !== undefined;
      const before = readId(ctx.query[beforeParameter]);
      const found = await reports.apiEvents(session.accountId, { before, limit: pageSize + 1 });
      const history = { events: found.slice(0, pageSize), hasOlder: found.length > pageSize };
      renderPage(ctx, <ApisPage {...{ frame, isDeleted, history }} apis={await apis.list(session.accountId)} />);
    },
  };
}

type State = Omit<ApiPageProps, 'frame' | 'applications' | 'issuer' | 'api' | 'streams'> & {
  readonly api?: RegisteredApi;
  readonly status?: number;
};

async function showPage({ applications, baseUrl, db }: ApiRoutesOptions, { ctx, frame, session }: Visit, state: State) {
  const { status = 200, ...props } = state;
  const owned = await applications.list(session.accountId);
  const confidential = owned.filter(({ type }) => type === 'confidential');
  const streams = props.api === undefined ? [] : await listStreams(db, { apiId: props.api.id });
  const given = { frame, applications: confidential, streams, issuer: baseUrl };
  renderPage(ctx, <ApiPage {...props} {...given} />, { status });
}

function createRoute(options: ApiRoutesOptions): AreaPage {
  return {
    path: pagePaths.createApi,
    show: async (visit) => await showPage(options, visit, { values: newApiValues }),
    form: {
      stepUp: 'recent',
      act: async (visit, form) => {
        const values = readApiValues(form);
        await unlessRefused(options, { visit, values }, async () => {
          const ownerId = visit.session.accountId;
          const api = { ...toSubmittedApi(values), identifier: values.identifier, ownerId };
          const { kind, id } = await options.apis.at(visit.sessionDb).create(api);
          redirectTo(visit.ctx, pagePaths.api(id), kind === 'created' ? kind : 'already-created');
        });
      },
    },
  };
}

interface Submission {
  readonly visit: Visit;
  readonly values: ApiValues;
  readonly api?: RegisteredApi;
}

/** Shows the page again, with what was typed, if the settings are refused. */
async function unlessRefused(
  options: ApiRoutesOptions,
  { visit, values, api }: Submission,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiRefused)) throw error;
    const texts = apiProblemTexts(visit.frame.messages, error.problem);
    await showPage(options, visit, { values, status: 422, ...texts, ...(api === undefined ? {} : { api }) });
  }
}

function apiRoute(options: ApiRoutesOptions): AreaPage {
  const { apis } = options;
  const find = async ({ session, param }: Visit) => {
    const id = Number(param('apiId'));
    return Number.isSafeInteger(id) ? await apis.find({ ownerId: session.accountId, id }) : undefined;
  };
  return {
    path: `${pagePaths.apis}/:apiId`,
    show: async (visit) => {
      const api = await find(visit);
      if (api === undefined) return;
      await showPage(options, visit, { api, values: toApiValues(api), done: findDone(visit.ctx, apiDone) });
    },
    forms: {
      [apiActions.save]: {
        stepUp: 'recent',
        act: async (visit, form) => {
          const api = await find(visit);
          if (api !== undefined) await save(options, { visit, api, values: readApiValues(form) });
        },
      },
      [apiActions.prove]: {
        stepUp: 'recent',
        act: async (visit) => {
          const api = await find(visit);
          if (api === undefined) return;
          const { developer } = visit.frame.messages;
          if (await apis.prove(api, options.fetchDocument)) redirectTo(visit.ctx, pagePaths.api(api.id), 'proven');
          else {
            const state = { api: { ...api, isProven: false }, values: toApiValues(api) };
            await showPage(options, visit, { ...state, problem: developer.apis.proof.failed, status: 422 });
          }
        },
      },
      [apiActions.delete]: {
        stepUp: 'recent',
        act: async (visit, form) => {
          const api = await find(visit);
          if (api !== undefined) await remove(options, { visit, form, api });
        },
      },
    },
  };
}

async function save(options: ApiRoutesOptions, submission: Required<Submission>): Promise<void> {
  const { visit, values, api } = submission;
  await unlessRefused(options, submission, async () => {
    if (!(await options.apis.at(visit.sessionDb).update(api, toSubmittedApi(values)))) return;
    redirectTo(visit.ctx, pagePaths.api(api.id), 'saved');
  });
}

interface Removal {
  readonly visit: Visit;
  readonly form: Form;
  readonly api: RegisteredApi;
}

async function remove(options: ApiRoutesOptions, { visit, form, api }: Removal): Promise<void> {
  if (!isNameConfirmed(api.name, form.text('confirm'))) {
    await showPage(options, visit, { api, values: toApiValues(api), isConfirmWrong: true, status: 422 });
    return;
  }
  await options.apis.at(visit.sessionDb).delete(api);
  redirectTo(visit.ctx, pagePaths.apis, 'deleted');
}

/** The problem of a rejected API, in the language of the page: at its field, or above all of them. */
function apiProblemTexts(
  messages: Messages,
  problem: ApiProblem,
): { readonly errors: FieldErrors<ApiField>; readonly problem?: string } {
  if (problem.field === 'owner') return { errors: {}, problem: messages.developer.apis.errors.tooMany };
  return { errors: { [problem.field]: textOf(messages, problem) } };
}

function textOf(messages: Messages, problem: Exclude<ApiProblem, { readonly field: 'owner' }>): string {
  const { errors } = messages.developer.apis;
  switch (problem.field) {
    case 'name':
      return nameText(messages, problem.problem);
    case 'identifier':
      return errors.identifier[problem.problem];
    case 'scopes':
      return errors.scopes[problem.problem](inertText(problem.value));
    default:
      return errors.client;
  }
}

function nameText({ developer, names }: Messages, problem: Extract<ApiProblem, { readonly field: 'name' }>['problem']) {
  if (problem === 'blank') return developer.form.errors.nameBlank;
  return problem === 'too-long' ? developer.form.errors.nameTooLong : names.errors[problem];
}
