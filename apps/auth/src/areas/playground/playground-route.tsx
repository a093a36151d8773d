import { listTestPeople } from '@linnet/accounts/test-people-store';
import type { OwnedApplication } from '@linnet/applications/application/application-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { Queryable } from '@linnet/db/statement/transaction';
import { readSubmissionId, submissionFields } from '../application/submission-id.ts';
import type { AuthEvents } from '../../audit/events.ts';
import type { AreaForm, AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import type { Form } from '../../pages/form/form.ts';
import { copyScript } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { BeginField } from './begin-form.tsx';
import { authenticationOf, needsNewSecret } from './begin.ts';
import type { BeginProblem, BeginRequest } from './begin.ts';
import { callParameter, fieldOf, playgroundActions } from './call-form.tsx';
import { findCall, firstCall } from './calls.ts';
import type { Call } from './calls.ts';
import { exchangeParameter } from './exchange-section.tsx';
import { PlaygroundPage } from './playground-page.tsx';
import type { PlaygroundPageProps } from './playground-page.tsx';
import type { Playground, TakeStep } from './playground.ts';
import type { Exchange } from './run.ts';
import type { OpenRun } from './runs.ts';
import { isLarger } from './send.ts';

interface PlaygroundOptions {
  readonly baseUrl: string;
  readonly applications: Pick<MyApplications, 'find'>;
  readonly events: AuthEvents;
  readonly playground: Playground;
  readonly db: Queryable;
}

interface PlaygroundVisit {
  readonly visit: Visit;
  readonly application: OwnedApplication;
  readonly run: OpenRun | undefined;
}

interface Submission extends PlaygroundVisit {
  readonly form: Form;
}

type PageState = Partial<Pick<PlaygroundPageProps, 'begin' | 'errors' | 'problem' | 'call'>> & {
  readonly status?: number;
};

/** Of all parameters together: the page repeats them several times. */
const maxTypedBytes = 2500;
const maxAssertion = 8000;

/** `/developer/applications/:client_id/playground` */
export function playgroundRoute(options: PlaygroundOptions): AreaPage {
  const load = async (visit: Visit): Promise<PlaygroundVisit | undefined> => {
    const key = { accountId: visit.session.accountId, clientId: visit.param('clientId') };
    const application = await options.applications.find({ ...key, ownerId: key.accountId });
    if (application === undefined) return undefined;
    return { visit, application, run: await options.playground.find(key) };
  };
  return {
    path: `${pagePaths.applications}/applications/:clientId/playground`,
    show: async (visit) => {
      const context = await load(visit);
      if (context !== undefined) await showPage(options, context);
    },
    forms: createForms(options, load),
  };
}

type Load = (visit: Visit) => Promise<PlaygroundVisit | undefined>;

function createForms(options: PlaygroundOptions, load: Load): Readonly<Record<string, AreaForm>> {
  const { playground } = options;
  const toForm = (stepUp: AreaForm['stepUp'], act: (sent: Submission) => Promise<void>): AreaForm => ({
    stepUp,
    act: async (visit, form) => {
      const context = await load(visit);
      if (context !== undefined) await act({ ...context, form });
    },
  });
  // So is what a test person authorizes: nobody else confirms it.
  const isSensitive = async (visit: Visit, form: Form) => {
    const context = await load(visit);
    if (form.text('person') !== '') return true;
    return context !== undefined && needsNewSecret(context.application, readRequest(form), context.run);
  };
  return {
    [playgroundActions.begin]: toForm(isSensitive, async (sent) => await begin(options, sent)),
    [playgroundActions.token]: toForm('none', withAssertion(options, 'client_assertion', playground.requestToken)),
    [playgroundActions.refresh]: toForm('none', withAssertion(options, 'refresh_assertion', playground.refresh)),
    [playgroundActions.revoke]: toForm('none', withAssertion(options, 'revoke_assertion', playground.revoke)),
    [playgroundActions.call]: toForm('none', async (sent) => await call(options, sent)),
  };
}

function readRequest(form: Form): BeginRequest {
  const typed = { flow: form.text('flow'), scopes: form.all('scope'), secretSource: form.text('secret_source') };
  return { ...typed, person: form.text('person'), secret: form.text('client_secret'), mark: readSubmissionId(form) };
}

function redirectToPage({ visit, application }: PlaygroundVisit, query = ''): void {
  redirectTo(visit.ctx, `${pagePaths.applicationPlayground(application.clientId)}${query}`);
}

const fieldErrors = {
  flow: ['flow', 'flow'],
  person: ['person', 'person'],
  scopes: ['scope', 'scopes'],
  'secret-missing': ['client_secret', 'secretMissing'],
  'secret-wrong': ['client_secret', 'secretWrong'],
  'enough-secrets': ['secret_source', 'enoughSecrets'],
} as const;

async function begin(options: PlaygroundOptions, { form, ...context }: Submission): Promise<void> {
  const { visit, application } = context;
  const { accountId } = visit.session;
  const request = readRequest(form);
  const outcome = await options.playground.begin({ accountId, application, sessionDb: visit.sessionDb }, request);
  if (typeof outcome === 'string') {
    if (outcome === 'made-secret') options.events.secretAdded({ ...visit.event, clientId: application.clientId });
    redirectToPage(context);
    return;
  }
  const isPasteDue = outcome.includes('enough-secrets');
  await showPage(options, context, {
    status: isPasteDue || outcome.includes('paused') || outcome.includes('needs-proof') ? 409 : 422,
    begin: isPasteDue ? { ...request, secretSource: 'paste' } : request,
    ...toTexts(visit, outcome),
  });
}

function toTexts({ frame }: Visit, problems: readonly BeginProblem[]): Pick<PageState, 'errors' | 'problem'> {
  const { errors: texts } = frame.messages.developer.playground;
  const errors: Partial<Record<BeginField, string>> = {};
  for (const problem of problems) {
    if (problem === 'paused') return { errors: {}, problem: texts.paused };
    if (problem === 'needs-proof') return { errors: {}, problem: texts.needsProof };
    const [field, text] = fieldErrors[problem];
    errors[field] = texts[text];
  }
  return { errors };
}

/** A step for which an application with keys needs a client assertion. */
function withAssertion(
  options: PlaygroundOptions,
  field: 'client_assertion' | 'refresh_assertion' | 'revoke_assertion',
  step: TakeStep,
): (sent: Submission) => Promise<void> {
  return async ({ form, ...context }) => {
    const { visit, run } = context;
    const assertion = form.text(field).replaceAll(/\s/g, '').slice(0, maxAssertion);
    if (run?.content.authentication === 'keys' && assertion === '') {
      const { assertionMissing } = visit.frame.messages.developer.playground.errors;
      await showPage(options, context, { status: 422, errors: { [field]: assertionMissing } });
      return;
    }
    if (run !== undefined) await step(run, { mark: readSubmissionId(form), assertion });
    redirectToPage(context, '#answer');
  };
}

async function call(options: PlaygroundOptions, { form, ...context }: Submission): Promise<void> {
  const { visit, run } = context;
  const called = findCall(form.text('call'));
  if (called === undefined || run === undefined) {
    redirectToPage(context);
    return;
  }
  const typed = Object.fromEntries(called.parameters.map(({ name }) => [name, form.text(fieldOf(name))]));
  const errors = findErrors(visit, called, typed);
  if (Object.keys(errors).length > 0) {
    await showPage(options, context, { status: 422, call: { call: called, typed, errors } });
    return;
  }
  await options.playground.call(run, { call: called, typed, mark: readSubmissionId(form) });
  redirectToPage(context, `?${callParameter}=${called.route.id}#answer`);
}

/** The API validates the rest. */
function findErrors(
  { frame }: Visit,
  { parameters }: Call,
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { errors: texts } = frame.messages.developer.playground;
  const missing = parameters.filter(({ name, isRequired }) => isRequired && typed[name] === '');
  if (missing.length > 0) {
    return Object.fromEntries(missing.map(({ name }) => [fieldOf(name), texts.parameterMissing(name)]));
  }
  if (!isLarger(Object.values(typed).join(''), maxTypedBytes)) return {};
  const [longest] = parameters.toSorted((a, b) => (typed[b.name]?.length ?? 0) - (typed[a.name]?.length ?? 0));
  return longest === undefined ? {} : { [fieldOf(longest.name)]: texts.parametersTooLong };
}

async function showPage(
  { baseUrl, db }: PlaygroundOptions,
  { visit: { ctx, frame, session }, application, run }: PlaygroundVisit,
  { status = 200, ...state }: PageState = {},
): Promise<void> {
  const exchange = chooseExchange(run, ctx.query[exchangeParameter]);
  const isEmpty = application.scopes.length === 0;
  const page = (
    <PlaygroundPage
      {...{ frame, baseUrl, application, run }}
      authentication={authenticationOf(application)}
      begin={{ flow: 'person', scopes: firstScopes(application, run), secretSource: 'make', person: '' }}
      testPeople={await listTestPeople(db, session.accountId)}
      selected={exchange}
      call={chooseCall(run, ctx.query[callParameter] ?? exchange?.call?.id)}
      hidden={submissionFields()}
      {...(isEmpty ? { problem: frame.messages.developer.playground.errors.noScopes } : {})}
      {...state}
    />
  );
  renderPage(ctx, page, { status, script: copyScript(frame) });
}

/** The requested one, or the latest. */
function chooseExchange(run: OpenRun | undefined, number: unknown): Exchange | undefined {
  const { exchanges = [] } = run?.content ?? {};
  return exchanges.find((exchange) => String(exchange.number) === number) ?? exchanges[0];
}

/** Those of the previous run, or all. */
function firstScopes({ scopes }: OwnedApplication, run: OpenRun | undefined): readonly string[] {
  return run === undefined ? scopes : run.content.scope.split(' ');
}

/** The requested endpoint with the parameters typed last, or one that works without parameters. */
function chooseCall(run: OpenRun | undefined, id: unknown): PlaygroundPageProps['call'] {
  const { tokens, exchanges = [] } = run?.content ?? {};
  const chosen = tokens === undefined ? undefined : (findCall(id) ?? firstCall(tokens.scope));
  if (chosen === undefined) return undefined;
  const last = exchanges.find((one) => one.call?.id === chosen.route.id);
  return { call: chosen, typed: last?.call?.typed ?? {} };
}
