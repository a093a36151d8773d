import { searchAuditEvents } from '@linnet/audit/audit-search-store';
import type { AuditEvent } from '@linnet/audit/audit-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { renderPage } from '../../../pages/frame/render.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage } from '../../../sign-in/visit/area.ts';
import { AdminLayout, FactList } from '../admin-layout.tsx';
import type { Fact } from '../admin-layout.tsx';
import { EventList } from '../audit/event-list.tsx';
import { countedRows, findServiceState } from './overview-store.ts';
import type { ServiceState } from './overview-store.ts';

interface OverviewPageProps {
  readonly frame: Frame;
  readonly state: ServiceState;
  /** Seconds since this process last read the revocations; undefined: it has not read them. */
  readonly feedSeconds: number | undefined;
  /** Latest first. */
  readonly events: readonly AuditEvent[];
}

/** The service at a glance. */
export function OverviewPage({ frame, state, feedSeconds, events }: OverviewPageProps): VNode {
  const { overview: texts } = frame.messages.admin;
  return (
    <AdminLayout frame={frame} page="overview" title={texts.title}>
      <Counts frame={frame} state={state} />
      <Health frame={frame} state={state} feedSeconds={feedSeconds} />
      <Keys frame={frame} state={state} />
      <Limits frame={frame} state={state} />
      <section>
        <h2>{frame.messages.admin.events.title}</h2>
        <EventList frame={frame} events={events} />
        <p>
          <a href={pagePaths.adminAudit}>{texts.allEvents}</a>
        </p>
      </section>
    </AdminLayout>
  );
}

type PartProps = Pick<OverviewPageProps, 'frame' | 'state'>;

/** Exact, or an estimate. */
function toCount({ messages }: Frame, count: number): string {
  const number = messages.formatNumber(count);
  return count > countedRows ? messages.admin.overview.about(number) : number;
}

function Counts({ frame, state }: PartProps): VNode {
  const { counts: texts } = frame.messages.admin.overview;
  const rows: readonly Fact[] = [
    [
      <a key="people" href={pagePaths.adminPeople}>
        {texts.people}
      </a>,
      toCount(frame, state.people),
    ],
    [texts.suspended, toCount(frame, state.suspended)],
    [
      <a key="applications" href={pagePaths.adminApplications}>
        {texts.applications}
      </a>,
      toCount(frame, state.applications),
    ],
    [texts.posts, toCount(frame, state.posts)],
    [
      <a key="reports" href={pagePaths.adminReports}>
        {texts.reports}
      </a>,
      toCount(frame, state.reports),
    ],
    [
      <a key="registrations" href={pagePaths.adminRegistrations}>
        {texts.registrations}
      </a>,
      toCount(frame, state.registrations),
    ],
    [texts.sessions, toCount(frame, state.sessions)],
  ];
  return <FactList rows={rows} testId="counts" isNumbers />;
}

/** What waits longer needs somebody to look at it. */
const lateSeconds = 300;

function Health({ frame, state, feedSeconds }: PartProps & Pick<OverviewPageProps, 'feedSeconds'>): VNode {
  const { health: texts } = frame.messages.admin.overview;
  const { mailDelaySeconds } = state;
  const isLate = (mailDelaySeconds ?? 0) > lateSeconds;
  // The job looks for mail every few seconds.
  const isOnTime = mailDelaySeconds === null || mailDelaySeconds < 60;
  const delay = isOnTime ? texts.onTime : texts.late(toDuration(frame, mailDelaySeconds));
  const isStale = feedSeconds === undefined || feedSeconds > 1;
  const rows: readonly Fact[] = [
    [
      texts.mail,
      <>
        {toCount(frame, state.mail)} · <State isFault={isLate}>{delay}</State>
      </>,
    ],
    [texts.logoutNotices, toCount(frame, state.logoutNotices)],
    [texts.removedMedia, toCount(frame, state.removedMedia)],
    [
      texts.feed,
      <State key="feed" isFault={isStale}>
        {feedSeconds === undefined ? texts.feedUnread : texts.feedAge(frame.messages.formatNumber(round(feedSeconds)))}
      </State>,
    ],
  ];
  return (
    <section>
      <h2>{texts.title}</h2>
      <FactList rows={rows} testId="health" />
    </section>
  );
}

const round = (seconds: number) => Math.round(seconds * 10) / 10;

function State({ isFault, children }: { readonly isFault: boolean; readonly children: ComponentChildren }): VNode {
  return <span class={isFault ? 'tag warning' : 'tag'}>{children}</span>;
}

/** Days, hours or minutes, rounded down. */
function toDuration({ messages }: Frame, seconds: number): string {
  const { days, hours, minutes } = messages.admin.overview.durations;
  if (seconds >= 172_800) return days(Math.floor(seconds / 86_400));
  return seconds >= 7200 ? hours(Math.floor(seconds / 3600)) : minutes(Math.floor(seconds / 60));
}

function Keys({ frame, state }: PartProps): VNode {
  const { keys: texts } = frame.messages.admin.overview;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p class="quiet">{texts.text(<code>linnet keys rotate</code>)}</p>
      <ul class="rows" data-testid="keys">
        {state.keys.map(({ kid, alg, state: keyState, ageSeconds }) => (
          <li key={kid} class="row">
            <h3>
              <code>{kid}</code>
              <span class={keyState === 'revoked' ? 'tag warning' : 'tag'}>{texts.states[keyState]}</span>
            </h3>
            <p class="quiet small">
              <code>{alg}</code> · {texts.age(toDuration(frame, ageSeconds))}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Limits({ frame, state }: PartProps): VNode {
  const { limits: texts } = frame.messages.admin.overview;
  const rows: readonly Fact[] = state.limits.map(({ name, counters }) => [
    <code key={name}>{name}</code>,
    toCount(frame, counters),
  ]);
  return (
    <section>
      <h2>{texts.title}</h2>
      <p class="quiet">{texts.text}</p>
      {rows.length === 0 ? <p class="empty">{texts.none}</p> : <FactList rows={rows} testId="limits" />}
    </section>
  );
}

interface OverviewRouteOptions {
  readonly db: Queryable;
  readonly feed: Pick<RevocationFeed, 'status'>;
}

const eventsShown = 10;

/** `/admin`: the service at a glance. */
export function overviewRoute({ db, feed }: OverviewRouteOptions): AreaPage {
  return {
    path: pagePaths.admin,
    show: async ({ ctx, frame }) => {
      const [state, { events }] = await Promise.all([
        findServiceState(db),
        searchAuditEvents(db, {}, { limit: eventsShown }),
      ]);
      const feedSeconds = feed.status().lagSeconds;
      renderPage(ctx, <OverviewPage {...{ frame, state, feedSeconds, events }} />);
    },
  };
}
