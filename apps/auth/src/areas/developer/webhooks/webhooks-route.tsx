import type { OwnedApplication } from '@linnet/applications/application/application-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { Queryable } from '@linnet/db/statement/transaction';

import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import type { Form } from '../../../pages/form/form.ts';
import { copyScript } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaForm, AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { listDeliveries, replayDeliveries } from '../../../webhooks/delivery-store.ts';
import { deleteEndpoint, listEndpoints, setEndpointEvents } from '../../../webhooks/endpoint-store.ts';
import type { Endpoint } from '../../../webhooks/endpoint-store.ts';
import { isWebhookEvent } from '../../../webhooks/events.ts';
import type { EndpointProblem, Webhooks } from '../../../webhooks/webhooks.ts';
import { findOwned } from '../application/application-form.ts';
import { WebhookSecretPage, webhookActions, webhookDone, WebhooksPage } from './webhooks-page.tsx';
import type { WebhooksPageProps } from './webhooks-page.tsx';

interface WebhooksRouteOptions {
  readonly baseUrl: string;
  readonly db: Queryable;
  readonly applications: Pick<MyApplications, 'find'>;
  readonly webhooks: Webhooks;
}

/** Lines of the log of each endpoint. The logs of five endpoints are on one page. */
const logLines = 10;

type State = Omit<WebhooksPageProps, 'frame' | 'application' | 'endpoints' | 'listenCommand'> & {
  readonly status?: number;
};

/** `/developer/applications/:client_id/webhooks`. Changes of a secret need a recent sign-in, because it is shown. */
export function webhooksRoute(options: WebhooksRouteOptions): AreaPage {
  const { db, applications, webhooks } = options;
  return {
    path: `${pagePaths.applications}/applications/:clientId/webhooks`,
    show: async (visit) => {
      const application = await findOwned(applications, visit);
      if (application === undefined) return;
      await showPage(options, visit, { application, state: { done: findDone(visit.ctx, webhookDone) } });
    },
    forms: {
      [webhookActions.add]: {
        stepUp: 'recent',
        act: async (visit, form) => {
          const application = await findOwned(applications, visit);
          if (application !== undefined) await add(options, { visit, form, application });
        },
      },
      [webhookActions.saveEvents]: onEndpoint(options, 'none', async (work) => await saveEvents(options, work)),
      [webhookActions.changeSecret]: onEndpoint(options, 'recent', async ({ visit, endpoint }) => {
        showSecret(visit, { ...endpoint, secret: await webhooks.changeSecret(endpoint.id, visit.sessionDb) });
      }),
      [webhookActions.turnOn]: onEndpoint(options, 'none', async (work) => await turnOn(options, work)),
      [webhookActions.replay]: onEndpoint(options, 'none', async ({ visit, form, endpoint }) => {
        const message = form.text('message');
        await replayDeliveries(db, endpoint.id, message === '' ? undefined : message);
        redirectTo(visit.ctx, pagePaths.applicationWebhooks(endpoint.clientId), 'replayed');
      }),
      [webhookActions.test]: onEndpoint(options, 'none', async (work) => await sendTest(options, work)),
      [webhookActions.delete]: onEndpoint(options, 'none', async ({ visit, endpoint }) => {
        await deleteEndpoint(db, endpoint.id);
        redirectTo(visit.ctx, pagePaths.applicationWebhooks(endpoint.clientId), 'endpoint-deleted');
      }),
    },
  };
}

interface Shown {
  readonly application: OwnedApplication;
  readonly state: State;
}

async function showPage(
  { db, baseUrl }: WebhooksRouteOptions,
  { ctx, frame }: Visit,
  { application, state }: Shown,
): Promise<void> {
  const { status = 200, ...props } = state;
  const listed = await listEndpoints(db, application.clientId);
  const endpoints = await Promise.all(
    listed.map(async (endpoint) => ({ ...endpoint, log: await listDeliveries(db, endpoint.id, logLines) })),
  );
  const listenCommand =
    application.type === 'confidential' ? toListenCommand(baseUrl, application.clientId) : undefined;
  const page = <WebhooksPage {...{ frame, application, endpoints, listenCommand }} {...props} />;
  renderPage(ctx, page, { status, script: copyScript(frame) });
}

function toListenCommand(baseUrl: string, clientId: string): string {
  return `export CLIENT_ID=${clientId} CLIENT_SECRET=YOUR_CLIENT_SECRET
npx ${baseUrl}${pagePaths.sdkArchive} listen --issuer ${baseUrl} --forward http://localhost:4000/`;
}

interface Submission {
  readonly visit: Visit;
  readonly form: Form;
  readonly application: OwnedApplication;
}

interface EndpointSubmission extends Submission {
  readonly endpoint: Endpoint;
}

/** A form about an endpoint of the application in the path; 404 if it has no such endpoint. */
function onEndpoint(
  { db, applications }: WebhooksRouteOptions,
  stepUp: AreaForm['stepUp'],
  act: (work: EndpointSubmission) => Promise<void>,
): AreaForm {
  return {
    stepUp,
    act: async (visit, form) => {
      const application = await findOwned(applications, visit);
      if (application === undefined) return;
      const endpoints = await listEndpoints(db, application.clientId);
      const endpoint = endpoints.find(({ id }) => String(id) === form.text('endpoint'));
      if (endpoint !== undefined) await act({ visit, form, application, endpoint });
    },
  };
}

async function add(options: WebhooksRouteOptions, { visit, form, application }: Submission): Promise<void> {
  const [url, events] = [form.text('url').trim(), form.all('events').filter(isWebhookEvent)];
  const { clientId } = application;
  const added = await options.webhooks.register({ clientId, url, events }, visit.sessionDb);
  if (typeof added !== 'string') {
    showSecret(visit, { clientId, url, secret: added.secret });
    return;
  }
  const state = { status: statusOf(added), typed: { url, events }, ...describe(visit, added) };
  await showPage(options, visit, { application, state });
}

function statusOf(problem: EndpointProblem): number {
  return problem === 'too-often' ? 429 : 422;
}

function describe({ frame }: Visit, problem: EndpointProblem): Pick<State, 'errors'> {
  const text = frame.messages.developer.webhooks.errors[problem];
  return { errors: problem === 'no-events' ? { events: text } : { url: text } };
}

function showSecret(
  { ctx, frame }: Visit,
  { clientId, url, secret }: Pick<Endpoint, 'clientId' | 'url'> & { readonly secret: string },
): void {
  renderPage(ctx, <WebhookSecretPage {...{ frame, clientId, url, secret }} />, { script: copyScript(frame) });
}

async function saveEvents(options: WebhooksRouteOptions, work: EndpointSubmission): Promise<void> {
  const { visit, form, application, endpoint } = work;
  const events = form.all(`events-${String(endpoint.id)}`).filter(isWebhookEvent);
  if (events.length === 0) {
    const problem = visit.frame.messages.developer.webhooks.errors['no-events'];
    await showPage(options, visit, { application, state: { status: 422, problem } });
    return;
  }
  await setEndpointEvents(options.db, endpoint.id, events);
  redirectTo(visit.ctx, pagePaths.applicationWebhooks(endpoint.clientId), 'events-saved');
}

async function sendTest(options: WebhooksRouteOptions, work: EndpointSubmission): Promise<void> {
  const { visit, form, application, endpoint } = work;
  const kind = form.text('kind');
  if (!isWebhookEvent(kind)) return;
  const sent = await options.webhooks.test(endpoint, { kind, ownerId: visit.session.accountId });
  if (sent === true) {
    redirectTo(visit.ctx, pagePaths.applicationWebhooks(endpoint.clientId), 'test-sent');
    return;
  }
  const problem = visit.frame.messages.developer.webhooks.errors[sent];
  await showPage(options, visit, { application, state: { status: statusOf(sent), problem } });
}

async function turnOn(options: WebhooksRouteOptions, work: EndpointSubmission): Promise<void> {
  const { visit, application, endpoint } = work;
  const turned = await options.webhooks.turnOn(endpoint);
  if (turned === true) {
    redirectTo(visit.ctx, pagePaths.applicationWebhooks(endpoint.clientId), 'turned-on');
    return;
  }
  const problem = visit.frame.messages.developer.webhooks.errors[turned];
  await showPage(options, visit, { application, state: { status: statusOf(turned), problem } });
}
