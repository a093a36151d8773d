import type { FailurePage } from '@linnet/applications/failures/failure-store';
import type { WatchedRequests } from '@linnet/applications/usage/application-usage-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import { PostForm } from '../../../pages/views/field.tsx';
import { CopyScript, copyScript } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { Visit } from '../../../sign-in/visit/area.ts';
import { ApplicationLayout } from '../../application/application-layout.tsx';
import type { ApplicationHeader } from '../../application/application-layout.tsx';
import { applicationActions, findOwned, toForms } from '../application/application-form.ts';
import type { Change, PageWithForms } from '../application/application-form.ts';
import { FailureFilterForm, isFiltered, olderThan, readFilter, toFailureFilter } from './failure-filter.tsx';
import type { TypedFilter } from './failure-filter.tsx';
import { FailureRow } from './failure-row.tsx';
import type { ApplicationReports } from './reports-store.ts';

interface ActivityOptions {
  readonly applications: Pick<MyApplications, 'find'>;
  readonly reports: Pick<ApplicationReports, 'failures' | 'watched' | 'watch'>;
}

const watchMinutes = 10;

/** `/developer/applications/:client_id/activity`: why requests of the application failed, and which succeeded. */
export function activityRoute({ applications, reports }: ActivityOptions): PageWithForms {
  const find = async (visit: Visit) => await findOwned(applications, visit);
  const watch = (minutes: number): Change<{ readonly find: typeof find }> => {
    return async (_options, { visit, application: { clientId } }) => {
      await reports.watch(clientId, minutes);
      redirectTo(visit.ctx, `${pagePaths.applicationActivity(clientId)}#${watchedId}`);
    };
  };
  return {
    path: `${pagePaths.applications}/applications/:clientId/activity`,
    show: async (visit) => {
      const { ctx, frame } = visit;
      const application = await find(visit);
      if (application === undefined) return;
      const typed = readFilter(ctx);
      const filter = toFailureFilter(typed);
      const none = { list: [], hasOlder: false };
      const found = filter === undefined ? none : await reports.failures(application.clientId, filter);
      const watched = await reports.watched(application.clientId);
      const page = <ActivityPage {...{ frame, application, watched }} failures={{ ...found, filter: typed }} />;
      renderPage(ctx, page, { script: copyScript(frame) });
    },
    forms: toForms({ find }, [
      [applicationActions.watch, 'none', watch(watchMinutes)],
      [applicationActions.unwatch, 'none', watch(0)],
    ]),
  };
}

interface ActivityPageProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  readonly failures: FailureList;
  readonly watched: WatchedRequests;
}

export function ActivityPage({ frame, application, failures, watched }: ActivityPageProps): VNode {
  return (
    <ApplicationLayout frame={frame} application={application} page="activity">
      <FailuresSection frame={frame} clientId={application.clientId} failures={failures} />
      <WatchedSection frame={frame} clientId={application.clientId} watched={watched} />
      <CopyScript frame={frame} />
    </ApplicationLayout>
  );
}

const watchedId = 'successful';

interface WatchedSectionProps extends Pick<ActivityPageProps, 'frame' | 'watched'> {
  readonly clientId: string;
}

/** The latest successful requests, on demand. */
function WatchedSection({ frame, clientId, watched: { until, list } }: WatchedSectionProps): VNode {
  const { messages } = frame;
  const { watched: texts } = messages.developer;
  const action = until === null ? applicationActions.watch : applicationActions.unwatch;
  return (
    <section id={watchedId}>
      <h2>{texts.title}</h2>
      <p>{texts.intro(watchMinutes)}</p>
      {until === null ? null : (
        <p>
          {texts.until(messages.formatMinute(until))}{' '}
          <a href={pagePaths.applicationActivity(clientId)}>{texts.reload}</a>
        </p>
      )}
      <PostForm frame={frame} hidden={{ action }}>
        <button class="button quiet-button" data-testid={action}>
          {until === null ? texts.watch(watchMinutes) : texts.stop}
        </button>
      </PostForm>
      {list.length === 0 ? (
        <p class="empty">{until === null ? texts.none : texts.waiting}</p>
      ) : (
        <ol class="rows" data-testid="watched">
          {list.map(({ at, endpoint, requestId }, index) => (
            <li key={index} class="row quiet small">
              <time datetime={at.toISOString()}>{messages.formatSecond(at)}</time> · <code>{endpoint}</code>
              {requestId === null ? null : (
                <>
                  {' '}
                  · <code>{requestId}</code>
                </>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

interface FailureList extends FailurePage {
  readonly filter: TypedFilter;
}

interface FailuresSectionProps {
  readonly frame: Frame;
  readonly clientId: string;
  readonly failures: FailureList;
}

/** Why requests of the application failed (checklist LG2). */
function FailuresSection({ frame, clientId, failures: { list, hasOlder, filter } }: FailuresSectionProps): VNode {
  const { failures: texts } = frame.messages.developer;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.intro}</p>
      <FailureFilterForm frame={frame} filter={filter} />
      {list.length === 0 ? (
        <p class="empty">{isFiltered(filter) ? texts.noneFound : texts.none}</p>
      ) : (
        <ul class="rows" data-testid="failures">
          {list.map((failure) => (
            <FailureRow
              key={failure.id}
              {...{ frame, clientId, failure }}
              isAlone={list.length === 1 && filter.request !== ''}
            />
          ))}
        </ul>
      )}
      {hasOlder ? (
        <p>
          <a href={olderThan(filter, list.at(-1)?.id)}>{frame.messages.developer.history.older}</a>
        </p>
      ) : null}
    </section>
  );
}
