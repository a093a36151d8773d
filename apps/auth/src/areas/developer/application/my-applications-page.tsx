import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { ApplicationType } from '@linnet/applications/application/application-type';
import type { UsageSummary } from '@linnet/applications/usage/usage-report-store';
import type { Frame } from '../../../pages/frame/frame.ts';
import { Layout } from '../../../pages/views/layout.tsx';
import { Logo } from '../../../pages/views/application-facts.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';

interface ListedApplication {
  readonly clientId: string;
  readonly name: string;
  readonly type: ApplicationType;
  readonly createdAt: Date;
  readonly logo?: string | undefined;
  /** By an operator. */
  readonly isSuspended?: boolean;
  /** By its owner. */
  readonly isPaused?: boolean;
  /** By an operator. */
  readonly isVerified?: boolean;
  readonly usageSummary?: UsageSummary | undefined;
}

export interface MyApplicationsPageProps {
  readonly frame: Frame;
  readonly applications: readonly ListedApplication[];
  /** An application was deleted just now. */
  readonly isDeleted?: boolean;
  /** The owner has not verified their e-mail address. Their applications cannot act as them until then. */
  readonly isUnconfirmed?: boolean;
}

export function MyApplicationsPage(props: MyApplicationsPageProps): VNode {
  const { frame, applications, isDeleted = false, isUnconfirmed = false } = props;
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
      <p class="actions">
        <a href={pagePaths.apis}>{list.apis}</a>
        <a href={pagePaths.testPeople}>{frame.messages.developer.testPeople.title}</a>
        <a href={pagePaths.guide('quickstart')}>{frame.messages.guides.title}</a>
      </p>
      {isDeleted ? <Notice kind="done">{list.deleted}</Notice> : null}
      {isUnconfirmed ? (
        <Notice kind="warning">
          {list.unconfirmed} {list.unconfirmedAccess} <a href={pagePaths.email}>{list.confirm}</a>
        </Notice>
      ) : null}
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

interface RowProps {
  readonly frame: Frame;
  readonly application: ListedApplication;
}

function Row({ frame, application }: RowProps): VNode {
  const { list, types } = frame.messages.developer;
  const { clientId, name, type, createdAt, logo, usageSummary } = application;
  return (
    <li class="row named">
      <Logo name={logo} />
      <div>
        <h2>
          <a href={pagePaths.application(clientId)}>
            <UserText text={name} />
          </a>
          {application.isVerified === true ? <span class="tag">{frame.messages.names.verified}</span> : null}
          <Tags frame={frame} application={application} />
        </h2>
        {usageSummary === undefined ? null : <p class="small">{usesOf(frame, usageSummary)}</p>}
        <p class="quiet small">
          {types[type].label} · {list.clientId} <code>{clientId}</code> ·{' '}
          <time datetime={createdAt.toISOString()}>{list.created(frame.messages.formatDay(createdAt))}</time>
        </p>
      </div>
    </li>
  );
}

/** What stops the application from working, or will soon. */
function Tags({ frame, application }: RowProps): VNode {
  const { list, pause, secrets } = frame.messages.developer;
  const { isSuspended = false, isPaused = false, usageSummary } = application;
  const tags = [
    ...(isSuspended ? [list.suspended] : []),
    ...(isPaused ? [pause.tag] : []),
    ...(usageSummary?.secretExpiresAt === undefined
      ? []
      : [secrets.endsTag(frame.messages.formatDay(usageSummary.secretExpiresAt))]),
  ];
  return (
    <>
      {tags.map((tag) => (
        <span key={tag} class="tag warning">
          {tag}
        </span>
      ))}
    </>
  );
}

function usesOf({ messages }: Frame, { people, lastUsedAt }: UsageSummary): string {
  const { usageSummary: texts } = messages.developer;
  const used = lastUsedAt === undefined ? texts.neverUsed : texts.lastUsed(messages.formatMinute(lastUsedAt));
  return `${texts.people(people)} · ${used}`;
}
