import { findApplicationFacts } from '@linnet/applications/application/application-facts-store';
import { durationSeconds } from '@linnet/applications/grants/active-grant';
import {
  disconnectApplication,
  findConnectedApplication,
  findConnectedApplications,
} from '@linnet/applications/grants/connected-applications-store';
import type { ConnectedApplication } from '@linnet/applications/grants/connected-applications-store';
import { changeConsents } from '@linnet/applications/grants/consent-change-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { AuthEvents } from '../../audit/events.ts';
import { findDuration, readScopesField } from '../../pages/form/form.ts';
import type { Form } from '../../pages/form/form.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { PostForm } from '../../pages/views/field.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { ScopeList } from '../../pages/views/scope-list.tsx';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { AccountLayout } from './account-layout.tsx';
import {
  ConnectedApplicationPage,
  ConnectionFacts,
  connectionActions,
  connectionDone,
} from './connected-application.tsx';
import type { Connection } from './connected-application.tsx';
import { Paging, readNumberedPage } from './paging.tsx';
import type { Around } from './paging.tsx';

const applicationsDone = ['disconnected'] as const;

interface ApplicationsPageProps {
  readonly frame: Frame;
  /** Those on this page. */
  readonly applications: readonly Connection[];
  readonly around?: Around;
  readonly done?: (typeof applicationsDone)[number] | undefined;
}

/** Connected apps. Each form sends the field `client_id`. */
export function ApplicationsPage({ frame, applications, around, done }: ApplicationsPageProps): VNode {
  const { applications: texts } = frame.messages.account;
  return (
    <AccountLayout frame={frame} page="connectedApplications" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      {done === undefined ? null : <Notice kind="done">{texts[done]}</Notice>}
      {applications.length === 0 ? (
        <p class="empty">{texts.empty}</p>
      ) : (
        <ul class="rows">
          {applications.map((application) => (
            <Row key={application.clientId} frame={frame} application={application} />
          ))}
        </ul>
      )}
      <Paging frame={frame} label={texts.title} {...around} />
    </AccountLayout>
  );
}

function Row({ frame, application }: { readonly frame: Frame; readonly application: Connection }): VNode {
  const { messages } = frame;
  const { applications: texts } = messages.account;
  const { clientId, name, scopes, hasConsent } = application;
  const headingId = `application-${clientId}`;
  return (
    <li class="row with-action">
      <div>
        <h2 id={headingId}>
          <UserText text={name} />
        </h2>
        <ConnectionFacts frame={frame} application={application} />
        {scopes.length === 0 ? null : (
          <details>
            <summary>{texts.can}</summary>
            <ScopeList messages={messages} scopes={scopes} />
          </details>
        )}
        {hasConsent ? (
          <p class="small">
            <a href={pagePaths.connectedApplication(clientId)} aria-describedby={headingId}>
              {texts.change}
            </a>
          </p>
        ) : null}
      </div>
      <PostForm frame={frame} hidden={{ client_id: clientId }}>
        <button class="button quiet-button" data-testid="revoke-application" aria-describedby={headingId}>
          {texts.disconnect}
        </button>
      </PostForm>
    </li>
  );
}

interface ApplicationsRouteOptions {
  readonly db: Queryable;
  readonly events: AuthEvents;
  /** Called when the grants of an application changed. Resolves when token requests see the change. */
  readonly changed: (clientId: string) => Promise<void>;
}

/** `/account/applications`: the connected apps, and how to revoke their access (checklist UI7). */
export function applicationsRoute(options: ApplicationsRouteOptions): AreaPage {
  const { db } = options;
  return {
    path: pagePaths.connectedApplications,
    show: async ({ ctx, frame, session }) => {
      const { items: applications, around } = await readNumberedPage(
        ctx,
        async (part) => await findConnectedApplications(db, session.accountId, part),
      );
      renderPage(ctx, <ApplicationsPage {...{ frame, applications, around, done: findDone(ctx, applicationsDone) }} />);
    },
    form: {
      stepUp: 'none',
      act: async (visit, form) => await disconnect(options, visit, form.text('client_id')),
    },
  };
}

async function disconnect(options: ApplicationsRouteOptions, visit: Visit, clientId: string): Promise<void> {
  const { db, events, changed } = options;
  const { ctx, session, event } = visit;
  if (await disconnectApplication(db, session.accountId, clientId)) {
    await changed(clientId);
    events.applicationDisconnected({ ...event, clientId });
  }
  redirectTo(ctx, pagePaths.connectedApplications, 'disconnected');
}

/** `/account/applications/:client_id`: removes scopes or changes the expiry. 404 for an application that is not connected. */
export function connectedApplicationRoute(options: ApplicationsRouteOptions): AreaPage {
  const { db } = options;
  const find = async ({ session, param }: Visit) =>
    await findConnectedApplication(db, session.accountId, param('clientId'));
  return {
    path: `${pagePaths.connectedApplications}/:clientId`,
    show: async (visit) => {
      const { ctx, frame } = visit;
      const application = await find(visit);
      const facts = await findApplicationFacts(db, visit.param('clientId'));
      if (application === undefined || facts === undefined) return;
      const done = findDone(ctx, connectionDone);
      renderPage(ctx, <ConnectedApplicationPage {...{ frame, application, facts, done }} />);
    },
    forms: {
      [connectionActions.disconnect]: {
        stepUp: 'none',
        act: async (visit) => {
          const application = await find(visit);
          if (application !== undefined) await disconnect(options, visit, application.clientId);
        },
      },
      [connectionActions.change]: {
        stepUp: 'none',
        act: async (visit, form) => {
          const application = await find(visit);
          if (application !== undefined) await change(options, { visit, form, application });
        },
      },
    },
  };
}

interface Submission {
  readonly visit: Visit;
  readonly form: Form;
  readonly application: ConnectedApplication;
}

async function change({ db, events, changed }: ApplicationsRouteOptions, submission: Submission): Promise<void> {
  const { visit, form, application } = submission;
  const { clientId, consented } = application;
  const ticked = form.all('scope');
  const unticked = consented.filter(({ scope, isOptional }) => isOptional && !ticked.includes(scope));
  const removed = unticked.map(({ scope }) => scope);
  const duration = findDuration(form);
  const shown = readScopesField(form);
  const lifetime = duration === undefined ? {} : { lifetime: { seconds: durationSeconds[duration], shown } };
  if (await changeConsents(db, { accountId: visit.session.accountId, clientId, removed, ...lifetime })) {
    await changed(clientId);
    events.consentChanged({ ...visit.event, clientId, removed: removed.join(' '), duration });
  }
  redirectTo(visit.ctx, pagePaths.connectedApplication(clientId), 'changed');
}
