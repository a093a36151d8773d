import type { FoundApplication } from '@linnet/applications/application/application-facts-store';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { AdminLayout } from './admin-layout.tsx';
import { NextLink } from './next-link.tsx';
import { SearchForm } from './search-form.tsx';

export interface ApplicationsPageProps {
  readonly frame: Frame;
  readonly text: string;
  /** Newest first. */
  readonly applications: readonly FoundApplication[];
  /** Address of the next page. */
  readonly next: string | undefined;
}

export function ApplicationsPage({ frame, text, applications, next }: ApplicationsPageProps): VNode {
  const { applications: texts, search } = frame.messages.admin;
  return (
    <AdminLayout frame={frame} page="applications" title={texts.title}>
      <SearchForm frame={frame} label={texts.field} hint={texts.hint} value={text} />
      {applications.length === 0 ? (
        <p class="empty">{search.none}</p>
      ) : (
        <ul class="rows" data-testid="applications">
          {applications.map((application) => (
            <Row key={application.clientId} frame={frame} application={application} />
          ))}
        </ul>
      )}
      <NextLink frame={frame} next={next} />
    </AdminLayout>
  );
}

function Row({ frame, application }: { readonly frame: Frame; readonly application: FoundApplication }): VNode {
  const { messages } = frame;
  const { list, pause, types } = messages.developer;
  const { clientId, name, type, owner, createdAt, isSuspended, isPaused, isVerified } = application;
  return (
    <li class="row">
      <h2>
        <a href={pagePaths.adminApplication(clientId)}>
          <UserText text={name} />
        </a>
        {isVerified ? <span class="tag">{messages.names.verified}</span> : null}
        {isSuspended ? <span class="tag warning">{list.suspended}</span> : null}
        {isPaused ? <span class="tag warning">{pause.tag}</span> : null}
      </h2>
      <p class="quiet small">
        {owner === null ? messages.admin.applications.noOwner : <UserText text={`@${owner}`} />} · {types[type].label} ·{' '}
        <code>
          <UserText text={clientId} />
        </code>{' '}
        · <time datetime={createdAt.toISOString()}>{list.created(messages.formatDay(createdAt))}</time>
      </p>
    </li>
  );
}
