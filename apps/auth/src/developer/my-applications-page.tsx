import type { VNode } from 'preact';

import type { ApplicationType } from '../applications/application-type.ts';
import type { Frame } from '../views/frame.ts';
import { Layout } from '../views/layout.tsx';
import { Notice } from '../views/notice.tsx';
import { pagePaths } from '../views/page-paths.ts';
import { UserText } from '@linnet/ui/user-text';

interface ListedApplication {
  readonly clientId: string;
  readonly name: string;
  readonly type: ApplicationType;
  readonly createdAt: Date;
  readonly isSuspended?: boolean;
}

export interface MyApplicationsPageProps {
  readonly frame: Frame;
  readonly applications: readonly ListedApplication[];
  /** One was deleted just now. */
  readonly isDeleted?: boolean;
}

export function MyApplicationsPage({ frame, applications, isDeleted = false }: MyApplicationsPageProps): VNode {
  const { list } = frame.messages.developer;
  return (
    <Layout frame={frame} title={list.title} kind="area" section="applications">
      <div class="title-line">
        <h1>{list.title}</h1>
        <a class="button" href={pagePaths.createApplication}>
          {list.create}
        </a>
      </div>
      <p class="lead">{list.intro}</p>
      {isDeleted ? <Notice kind="done">{list.deleted}</Notice> : null}
      {applications.length === 0 ? (
        <p class="empty">{list.empty}</p>
      ) : (
        <ul class="rows">
          {applications.map((application) => (
            <Row key={application.clientId} frame={frame} application={application} />
          ))}
        </ul>
      )}
    </Layout>
  );
}

function Row({ frame, application }: { readonly frame: Frame; readonly application: ListedApplication }): VNode {
  const { list, types } = frame.messages.developer;
  const { clientId, name, type, createdAt, isSuspended = false } = application;
  return (
    <li class="row">
      <h2>
        <a href={pagePaths.application(clientId)}>
          <UserText text={name} />
        </a>
        {isSuspended ? <span class="tag warning">{list.suspended}</span> : null}
      </h2>
      <p class="quiet small">
        {types[type].label} · {list.clientId} <code>{clientId}</code> ·{' '}
        <time datetime={createdAt.toISOString()}>{list.created(frame.messages.formatDay(createdAt))}</time>
      </p>
    </li>
  );
}
