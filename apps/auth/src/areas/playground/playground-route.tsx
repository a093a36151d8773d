import type { OwnedApplication } from '@linnet/applications/application-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import { readSubmissionId, submissionFields } from '../application/submission-id.ts';
import type { AuthEvents } from '../../audit/events.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { redirectTo } from '../../pages/http/done.ts';
import type { Form } from '../../pages/http/form.ts';
import { renderPage } from '../../pages/http/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { BeginField } from './begin-form.tsx';
import { authenticationOf, makesSecret } from './begin.ts';
import type { BeginProblem } from './begin.ts';
import { callParameter, fieldOf } from './call-form.tsx';
import { findCall, firstCall } from './calls.ts';
import type { Call } from './calls.ts';
import { exchangeParameter } from './exchange-section.tsx';
import { playgroundActions } from './playground-actions.ts';
import { PlaygroundPage } from './playground-page.tsx';
import type { PlaygroundPageProps } from './playground-page.tsx';
import type { Playground, TakeStep } from './playground.ts';
import type { Exchange } from './run.ts';
import type { OpenRun } from './runs.ts';
import { isHeavier } from './weight.ts';

interface PlaygroundOptions {
  readonly baseUrl: string;
  readonly applications: Pick<MyApplications, 'find'>;
  readonly events: AuthEvents;
  readonly playground: Playground;
}

interface Situation {
  readonly visit: Visit;
  readonly application: OwnedApplication;
  readonly run: OpenRun | undefined;
}

interface Sent extends Situation {
  readonly form: Form;
}

type Shown = Partial<Pick<PlaygroundPageProps, 'begin' | 'errors' | 'problem' | 'call'>> & { readonly status?: number };

/** All parameters of a call together: each is in the page several times. */
const maxTypedBytes = 2500;
const maxAssertion = 8000;

/** `/developer/applications/:client_id/playground` */
export function playgroundRoute(options: PlaygroundOptions): AreaPage {
  const look = async (visit: Visit): Promise<Situation | undefined> => {
    const key = { accountId: visit.session.accountId, clientId: visit.param('clientId') };
    const application = await options.applications.find({ ...key, ownerId: key.accountId });
    if (application === undefined) return undefined;
    return { visit, application, run: await options.playground.find(key) };
  };
  const actions = createActions(options);
  return {
    path: `${pagePaths.applications}/applications/:clientId/playground`,
    show: async (visit) => {
      const situation = await look(visit);
      if (situation !== undefined) showPage(options, situation);
    },
    // Beginning is, when it makes a secret: `begin` asks.
    sensitive: false,
    act: async (visit) => {
      const situation = await look(visit);
      if (situation === undefined) return;
      const form = await visit.readForm();
      const act = actions.get(form.text('action'));
      if (act === undefined) showPage(options, situation, { status: 422 });
      else await act({ ...situation, form });
    },
  };
}

function createActions(options: PlaygroundOptions): ReadonlyMap<string, (sent: Sent) => Promise<void>> {
  const { playground } = options;
  return new Map([
    [playgroundActions.begin, async (sent) => await begin(options, sent)],
    [playgroundActions.token, withAssertion(options, 'client_assertion', playground.askForToken)],
    [playgroundActions.refresh, withAssertion(options, 'refresh_assertion', playground.refresh)],
    [playgroundActions.revoke, withAssertion(options, 'revoke_assertion', playground.revoke)],
    [playgroundActions.call, async (sent) => await call(options, sent)],
  ]);
}

/** Without a run there is nothing to do any more: the page says how to begin. */
function leadBack({ visit, application }: Situation, query = ''): void {
  redirectTo(visit.ctx, `${pagePaths.applicationPlayground(application.clientId)}${query}`);
}

const fieldErrors = {
  flow: ['flow', 'flow'],
  scopes: ['scope', 'scopes'],
  'secret-missing': ['client_secret', 'secretMissing'],
  'secret-wrong': ['client_secret', 'secretWrong'],
  'enough-secrets': ['secret_source', 'enoughSecrets'],
} as const;

async function begin(options: PlaygroundOptions, { form, ...situation }: Sent): Promise<void> {
  const { visit, application, run } = situation;
  const { accountId } = visit.session;
  const typed = { flow: form.text('flow'), scopes: form.all('scope'), secretSource: form.text('secret_source') };
  const request = { ...typed, secret: form.text('client_secret'), mark: readSubmissionId(form) };
  if (makesSecret(application, request, run) && !(await visit.isConfirmed())) return;
  const outcome = await options.playground.begin(accountId, application, request);
  if (typeof outcome === 'string') {
    if (outcome === 'made-secret') options.events.secretAdded({ ...visit.event, clientId: application.clientId });
    leadBack(situation);
    return;
  }
  const isPasteDue = outcome.includes('enough-secrets');
  showPage(options, situation, {
    status: isPasteDue || outcome.includes('paused') ? 409 : 422,
    begin: isPasteDue ? { ...typed, secretSource: 'paste' } : typed,
    ...toTexts(visit, outcome),
  });
}

function toTexts({ frame }: Visit, problems: readonly BeginProblem[]): Pick<Shown, 'errors' | 'problem'> {
  const { errors: texts } = frame.messages.developer.playground;
  const errors: Partial<Record<BeginField, string>> = {};
  for (const problem of problems) {
    if (problem === 'paused') return { errors: {}, problem: texts.paused };
    const [field, text] = fieldErrors[problem];
    errors[field] = texts[text];
  }
  return { errors };
}

/** A step for which an application with keys of its own needs an assertion. */
function withAssertion(
  options: PlaygroundOptions,
  field: 'client_assertion' | 'refresh_assertion' | 'revoke_assertion',
  step: TakeStep,
): (sent: Sent) => Promise<void> {
  return async ({ form, ...situation }) => {
    const { visit, run } = situation;
    const assertion = form.text(field).replaceAll(/\s/g, '').slice(0, maxAssertion);
    if (run?.content.authentication === 'keys' && assertion === '') {
      const { assertionMissing } = visit.frame.messages.developer.playground.errors;
      showPage(options, situation, { status: 422, errors: { [field]: assertionMissing } });
      return;
    }
    if (run !== undefined) await step(run, { mark: readSubmissionId(form), assertion });
    leadBack(situation, '#answer');
  };
}

async function call(options: PlaygroundOptions, { form, ...situation }: Sent): Promise<void> {
  const { visit, run } = situation;
  const called = findCall(form.text('call'));
  if (called === undefined || run === undefined) {
    leadBack(situation);
    return;
  }
  const typed = Object.fromEntries(called.parameters.map(({ name }) => [name, form.text(fieldOf(name))]));
  const errors = findErrors(visit, called, typed);
  if (Object.keys(errors).length > 0) {
    showPage(options, situation, { status: 422, call: { call: called, typed, errors } });
    return;
  }
  await options.playground.call(run, { call: called, typed, mark: readSubmissionId(form) });
  leadBack(situation, `?${callParameter}=${called.route.id}#answer`);
}

/** The rest is for the API to judge. */
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
  if (!isHeavier(Object.values(typed).join(''), maxTypedBytes)) return {};
  const [longest] = parameters.toSorted((a, b) => (typed[b.name]?.length ?? 0) - (typed[a.name]?.length ?? 0));
  return longest === undefined ? {} : { [fieldOf(longest.name)]: texts.parametersTooLong };
}

function showPage(
  { baseUrl }: PlaygroundOptions,
  { visit: { ctx, frame }, application, run }: Situation,
  { status = 200, ...shown }: Shown = {},
): void {
  const exchange = chooseExchange(run, ctx.query[exchangeParameter]);
  const isEmpty = application.scopes.length === 0;
  const page = (
    <PlaygroundPage
      {...{ frame, baseUrl, application, run }}
      authentication={authenticationOf(application)}
      begin={{ flow: 'person', scopes: firstScopes(application, run), secretSource: 'make' }}
      shown={exchange}
      call={chooseCall(run, ctx.query[callParameter] ?? exchange?.call?.id)}
      hidden={submissionFields()}
      {...(isEmpty ? { problem: frame.messages.developer.playground.errors.noScopes } : {})}
      {...shown}
    />
  );
  renderPage(ctx, page, { status });
}

/** The one that is asked for, or the latest. */
function chooseExchange(run: OpenRun | undefined, asked: unknown): Exchange | undefined {
  const { exchanges = [] } = run?.content ?? {};
  return exchanges.find(({ number }) => String(number) === asked) ?? exchanges[0];
}

/** Those of the run before, or all. */
function firstScopes({ scopes }: OwnedApplication, run: OpenRun | undefined): readonly string[] {
  return run === undefined ? scopes : run.content.scope.split(' ');
}

/** The one that is asked for, with what was typed for it last; or one that says something by itself. */
function chooseCall(run: OpenRun | undefined, asked: unknown): PlaygroundPageProps['call'] {
  const { tokens, exchanges = [] } = run?.content ?? {};
  const chosen = tokens === undefined ? undefined : (findCall(asked) ?? firstCall(tokens.scope));
  if (chosen === undefined) return undefined;
  const last = exchanges.find((one) => one.call?.id === chosen.route.id);
  return { call: chosen, typed: last?.call?.typed ?? {} };
}
