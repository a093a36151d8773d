import type { FailurePage } from '@linnet/applications/failures/failure-store';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { renderPage } from '../../../pages/frame/render.tsx';
import { CopyScript, copyScript } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage } from '../../../sign-in/visit/area.ts';
import { ApplicationLayout } from '../../application/application-layout.tsx';
import type { ApplicationHeader } from '../../application/application-layout.tsx';
import { findOwned } from '../application/application-form.ts';
import { FailureFilterForm, isFiltered, olderThan, readFilter, toFailureFilter } from './failure-filter.tsx';
import type { TypedFilter } from './failure-filter.tsx';
import { FailureRow } from './failure-row.tsx';
import type { ApplicationReports } from './reports-store.ts';

interface ActivityOptions {
  readonly applications: Pick<MyApplications, 'find'>;
  readonly reports: Pick<ApplicationReports, 'failures'>;
}

/** `/developer/applications/:client_id/activity`: why requests of the application failed. */
export function activityRoute({ applications, reports }: ActivityOptions): AreaPage {
  return {
    path: `${pagePaths.applications}/applications/:clientId/activity`,
    show: async (visit) => {
      const { ctx, frame } = visit;
      const application = await findOwned(applications, visit);
      if (application === undefined) return;
      const typed = readFilter(ctx);
      const filter = toFailureFilter(typed);
      const none = { list: [], hasOlder: false };
      const found = filter === undefined ? none : await reports.failures(application.clientId, filter);
      const page = <ActivityPage {...{ frame, application }} failures={{ ...found, filter: typed }} />;
      renderPage(ctx, page, { script: copyScript(frame) });
    },
  };
}

interface ActivityPageProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  readonly failures: FailureList;
}

export function ActivityPage({ frame, application, failures }: ActivityPageProps): VNode {
  return (
    <ApplicationLayout frame={frame} application={application} page="activity">
      <FailuresSection frame={frame} clientId={application.clientId} failures={failures} />
      <CopyScript frame={frame} />
    </ApplicationLayout>
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
