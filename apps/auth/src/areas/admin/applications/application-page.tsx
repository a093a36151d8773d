import type { FoundApplication } from '@linnet/applications/application/application-facts-store';
import type { Application } from '@linnet/applications/application/application-store';
import type { UsageSummary } from '@linnet/applications/usage/usage-report-store';
import type { AuditEvent } from '@linnet/audit/audit-store';
import { inertText } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { ErrorSummary } from '../../../pages/views/field.tsx';
import { CopyScript, Copyable, Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { ReasonForm, reasonField, withQuery } from '../act-form.tsx';
import type { RefusedReason } from '../act-form.tsx';
import { AdminLayout, FactList, NextLink } from '../admin-layout.tsx';
import type { Fact } from '../admin-layout.tsx';
import { EventList } from '../audit/event-list.tsx';
import { ChoiceForm } from '../chosen.tsx';
import type { BulkList, RowProps } from '../chosen.tsx';
import { SearchForm } from '../search-form.tsx';
import { bulkActNames, possibleApplicationActs } from './application-acts.ts';
import type { ApplicationActName, BulkActName } from './application-acts.ts';

type ShownApplication = Pick<
  Application,
  'clientId' | 'name' | 'owner' | 'type' | 'scopes' | 'redirectUris' | 'isSuspended' | 'isPaused' | 'isVerified'
>;

export interface ApplicationPageProps {
  readonly frame: Frame;
  readonly application: ShownApplication;
  readonly usage: UsageSummary | undefined;
  readonly events: readonly AuditEvent[];
  /** What was done just now. */
  readonly done?: ApplicationActName | undefined;
  readonly refused?: RefusedReason | undefined;
  /** The application changed before the act, which was not done. */
  readonly isChangedSince?: boolean;
}

export function ApplicationPage(props: ApplicationPageProps): VNode {
  const { frame, application, events, done, refused, isChangedSince = false } = props;
  const { applications: texts, person, reason, changedSince, events: eventTexts } = frame.messages.admin;
  const errors = refused === undefined ? {} : { [reasonField(refused.action)]: reason.errors[refused.problem] };
  const { name, isSuspended, isVerified, owner } = application;
  const names = possibleApplicationActs({ isSuspended, isVerified, hasOwner: owner !== undefined });
  return (
    <AdminLayout frame={frame} page="applications" title={name} heading={<UserText text={name} />}>
      <ErrorSummary frame={frame} errors={errors} problem={isChangedSince ? changedSince : undefined} />
      {done === undefined ? null : <Notice kind="done">{texts.actTexts[done].done}</Notice>}
      <Facts {...props} />
      <section>
        <h2>{person.acts}</h2>
        <div class="panel">
          {names.map((one) => (
            <ReasonForm key={one} frame={frame} action={one} texts={texts.actTexts[one]} refused={refused} />
          ))}
        </div>
      </section>
      <section>
        <h2>{eventTexts.title}</h2>
        <EventList frame={frame} events={events} />
      </section>
      <CopyScript frame={frame} />
    </AdminLayout>
  );
}

const urisShown = 5;

function Facts({ frame, application, usage }: ApplicationPageProps): VNode {
  const { messages } = frame;
  const { applications: texts, person } = messages.admin;
  const { clientId, owner, type, scopes, redirectUris } = application;
  const rows: readonly Fact[] = [
    [
      messages.developer.list.clientId,
      <Copyable key="id" frame={frame}>
        {inertText(clientId)}
      </Copyable>,
    ],
    [person.facts.state, statesOf(frame, application).join(' · ')],
    [
      texts.facts.owner,
      owner === undefined ? (
        texts.noOwner
      ) : (
        <a href={withQuery(pagePaths.adminPeople, { q: owner })}>
          <UserText text={`@${owner}`} />
        </a>
      ),
    ],
    [texts.facts.type, messages.developer.types[type].label],
    [texts.facts.scopes, <Code key="scopes" text={scopes.join(' ')} />],
    [texts.facts.uris, redirectUris.slice(0, urisShown).map((uri) => <Code key={uri} text={uri.slice(0, 200)} />)],
    [texts.facts.people, messages.formatNumber(usage?.people ?? 0)],
    [texts.facts.week, texts.week(messages.formatNumber(usage?.tokens ?? 0), messages.formatNumber(usage?.calls ?? 0))],
    [texts.facts.used, usage?.lastUsedAt === undefined ? texts.never : messages.formatMinute(usage.lastUsedAt)],
  ];
  return <FactList rows={rows} testId="facts" />;
}

function Code({ text }: { readonly text: string }): VNode {
  return (
    <code>
      <UserText text={text} />{' '}
    </code>
  );
}

function statesOf({ messages }: Frame, { isSuspended, isPaused, isVerified }: ShownApplication): readonly string[] {
  const { list, pause } = messages.developer;
  return [
    ...(isSuspended || isPaused ? [] : [messages.admin.people.states.active]),
    ...(isSuspended ? [list.suspended] : []),
    ...(isPaused ? [pause.tag] : []),
    ...(isVerified ? [messages.names.verified] : []),
  ];
}

interface ApplicationsPageProps {
  readonly frame: Frame;
  readonly text: string;
  /** Newest first. */
  readonly applications: readonly FoundApplication[];
  /** Address of the next page. */
  readonly next: string | undefined;
  /** Address of this page with every application chosen. */
  readonly all?: string;
  readonly isAllChosen?: boolean;
  /** What was done just now to several applications. */
  readonly done?: BulkActName | undefined;
}

export function ApplicationsPage(props: ApplicationsPageProps): VNode {
  const { frame, text, applications, next, all = '', isAllChosen = false, done } = props;
  const { applications: texts, search } = frame.messages.admin;
  return (
    <AdminLayout frame={frame} page="applications" title={texts.title}>
      {done === undefined ? null : <Notice kind="done">{texts.bulk.done[done]}</Notice>}
      <SearchForm frame={frame} label={texts.field} hint={texts.hint} value={text} />
      {applications.length === 0 ? (
        <p class="empty">{search.none}</p>
      ) : (
        <ChoiceForm {...{ frame, all, isAllChosen }} list={applicationList} rows={applications} />
      )}
      <NextLink frame={frame} next={next} />
    </AdminLayout>
  );
}

function RowName({ frame, row }: RowProps<FoundApplication>): VNode {
  const { messages } = frame;
  const { list, pause } = messages.developer;
  const { name, isSuspended, isPaused, isVerified } = row;
  return (
    <>
      <UserText text={name} />
      {isVerified ? <span class="tag">{messages.names.verified}</span> : null}
      {isSuspended ? <span class="tag warning">{list.suspended}</span> : null}
      {isPaused ? <span class="tag warning">{pause.tag}</span> : null}
    </>
  );
}

function RowFacts({ frame, row }: RowProps<FoundApplication>): VNode {
  const { messages } = frame;
  const { list, types } = messages.developer;
  const { clientId, type, owner, createdAt } = row;
  return (
    <>
      <a href={pagePaths.adminApplication(clientId)}>
        <code>
          <UserText text={clientId} />
        </code>
      </a>{' '}
      · {owner === null ? messages.admin.applications.noOwner : <UserText text={`@${owner}`} />} · {types[type].label} ·{' '}
      <time datetime={createdAt.toISOString()}>{list.created(messages.formatDay(createdAt))}</time>
    </>
  );
}

export const applicationList: BulkList<FoundApplication, BulkActName> = {
  page: 'applications',
  listPath: pagePaths.adminApplications,
  path: pagePaths.adminChosenApplications,
  names: bulkActNames,
  textsOf: ({ admin }) => ({ bulk: admin.applications.bulk, acts: admin.applications.actTexts }),
  idOf: ({ clientId }) => clientId,
  Name: RowName,
  Facts: RowFacts,
};
