import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { PostForm } from '../../pages/views/field.tsx';
import { ScopeList } from '../../pages/views/scope-list.tsx';
import { AccountLayout } from './account-layout.tsx';
import { ConnectionFacts } from './connection-facts.tsx';
import type { Connection } from './connection-facts.tsx';
import { Paging } from './paging.tsx';
import type { Around } from './paging.tsx';

export const applicationsDone = ['disconnected'] as const;

export interface ApplicationsPageProps {
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
