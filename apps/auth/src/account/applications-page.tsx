import type { VNode } from 'preact';

import type { Frame } from '../views/frame.ts';
import { Notice } from '../views/notice.tsx';
import { PostForm } from '../views/post-form.tsx';
import { ScopeList } from '../views/scope-list.tsx';
import { UserText } from '@linnet/ui/user-text';
import { AccountLayout } from './account-layout.tsx';

/** An application with a living grant of the account. */
interface ConnectedApplication {
  readonly clientId: string;
  readonly name: string;
  readonly ownerUsername: string;
  readonly scopes: readonly string[];
  readonly connectedAt: Date;
  /** By its own credentials, as an application of the account. */
  readonly actsAsOwner: boolean;
}

export interface ApplicationsPageProps {
  readonly frame: Frame;
  readonly applications: readonly ConnectedApplication[];
  /** One was disconnected just now. */
  readonly isDisconnected?: boolean;
}

/** Connected applications. Each form sends the field `client_id`. */
export function ApplicationsPage({ frame, applications, isDisconnected = false }: ApplicationsPageProps): VNode {
  const { applications: texts } = frame.messages.account;
  return (
    <AccountLayout frame={frame} page="connectedApplications" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      {isDisconnected ? <Notice kind="done">{texts.disconnected}</Notice> : null}
      {applications.length === 0 ? (
        <p class="empty">{texts.empty}</p>
      ) : (
        <ul class="rows">
          {applications.map((application) => (
            <Row key={application.clientId} frame={frame} application={application} />
          ))}
        </ul>
      )}
    </AccountLayout>
  );
}

function Row({ frame, application }: { readonly frame: Frame; readonly application: ConnectedApplication }): VNode {
  const { messages } = frame;
  const { applications: texts } = messages.account;
  const { clientId, name, ownerUsername, scopes, connectedAt, actsAsOwner } = application;
  const headingId = `application-${clientId}`;
  return (
    <li class="row with-action">
      <div>
        <h2 id={headingId}>
          <UserText text={name} />
        </h2>
        <p class="quiet small">
          {texts.madeBy(<UserText text={`@${ownerUsername}`} />)} ·{' '}
          <time datetime={connectedAt.toISOString()}>{texts.since(messages.formatDay(connectedAt))}</time>
        </p>
        <p class="quiet small">
          {texts.clientId} <code>{clientId}</code>
        </p>
        {actsAsOwner ? <p class="small">{texts.actsAsOwner}</p> : null}
        {scopes.length === 0 ? null : (
          <details>
            <summary>{texts.can}</summary>
            <ScopeList messages={messages} scopes={scopes} />
          </details>
        )}
      </div>
      <PostForm frame={frame} hidden={{ client_id: clientId }}>
        <button class="button quiet-button" data-testid="revoke-application" aria-describedby={headingId}>
          {texts.disconnect}
        </button>
      </PostForm>
    </li>
  );
}
