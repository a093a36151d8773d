import type { MyApplications } from '@linnet/applications/my-applications';
import type { EndpointSum } from '@linnet/applications/usage/endpoint-usage-store';
import type { UsageDay, UsageSummary } from '@linnet/applications/usage/usage-report-store';
import { callLimits, sharedLimits } from '@linnet/contract/limits';
import type { RateLimit } from '@linnet/contract/limits';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { renderPage } from '../../../pages/frame/render.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage } from '../../../sign-in/visit/area.ts';
import { ApplicationLayout } from '../../application/application-layout.tsx';
import type { ApplicationHeader } from '../../application/application-layout.tsx';
import type { ApplicationReports } from '../activity/reports-store.ts';
import { findOwned } from '../application/application-form.ts';
import { EndpointTable, UsageChart, usageSeries } from './usage-chart.tsx';

interface UsagePageProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  /** Oldest first. */
  readonly days: readonly UsageDay[];
  /** Most requests first. */
  readonly endpoints: readonly EndpointSum[];
  /** How many processes share the rate limits; undefined: there are none. */
  readonly limitedProcesses: number | undefined;
}

/** The use of an application by day, and its rate limits. */
export function UsagePage({ frame, application, days, endpoints, limitedProcesses }: UsagePageProps): VNode {
  const { usage, failures } = frame.messages.developer;
  return (
    <ApplicationLayout frame={frame} application={application} page="usage">
      <section>
        <h2>{usage.title}</h2>
        <p>{usage.intro}</p>
        <div class="charts">
          {usageSeries.map((series) => (
            <UsageChart key={series} frame={frame} series={series} days={days} />
          ))}
        </div>
        <UsageTable frame={frame} days={days} />
        <p class="quiet small">
          {usage.refused(<a href={pagePaths.applicationActivity(application.clientId)}>{failures.title}</a>)}
        </p>
      </section>
      <EndpointTable {...{ frame, endpoints }} clientId={application.clientId} />
      <Limits frame={frame} limitedProcesses={limitedProcesses} />
    </ApplicationLayout>
  );
}

function UsageTable({ frame, days }: Pick<UsagePageProps, 'frame' | 'days'>): VNode {
  const { usage } = frame.messages.developer;
  return (
    <details>
      <summary>{usage.table}</summary>
      <table class="numbers small">
        <thead>
          <tr>
            <th scope="col">{usage.day}</th>
            {usageSeries.map((series) => (
              <th key={series} scope="col">
                {usage.charts[series].title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row">
                <time datetime={day.day}>{frame.messages.formatShortDay(new Date(day.day))}</time>
              </th>
              {usageSeries.map((series) => (
                <td key={series}>{frame.messages.formatNumber(day[series])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const { 'user-reads': userReads, 'user-writes': userWrites } = callLimits;
const { 'application-reads': applicationReads, 'application-writes': applicationWrites } = callLimits;
const { 'is-email': isEmail, 'check-username': checkUsername, register } = sharedLimits;

/** The limits in docs/api/rate-limits.md that apply per application. */
const limitsOfApplications = {
  'user-reads': userReads,
  'user-writes': userWrites,
  'application-reads': applicationReads,
  'application-writes': applicationWrites,
  'is-email': isEmail,
  'check-username': checkUsername,
  register,
} as const satisfies Record<string, RateLimit>;

/** As the RateLimit headers show them: each process allows its share of what is counted in its memory. */
function listLimits(processes: number) {
  return Object.entries(limitsOfApplications).map(([name, { quota, windowSeconds }]) => {
    const share = name in callLimits ? Math.ceil(quota / processes) : quota;
    return { name, quota: share, windowSeconds };
  });
}

function Limits({ frame, limitedProcesses }: Pick<UsagePageProps, 'frame' | 'limitedProcesses'>): VNode {
  const { limits: texts } = frame.messages.developer;
  const isLimited = limitedProcesses !== undefined;
  return (
    <section id="limits">
      <h2>{texts.title}</h2>
      <p>{isLimited ? texts.intro : texts.off}</p>
      {isLimited && limitedProcesses > 1 ? <p>{texts.shares(limitedProcesses)}</p> : null}
      {isLimited ? (
        <table class="small">
          <thead>
            <tr>
              <th scope="col">{texts.limit}</th>
              <th scope="col">{texts.calls}</th>
              <th scope="col">{texts.counted}</th>
            </tr>
          </thead>
          <tbody>
            {listLimits(limitedProcesses).map(({ name, quota, windowSeconds }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{windowSeconds === 60 ? texts.perMinute(quota) : texts.perHour((quota * 3600) / windowSeconds)}</td>
                {/* The names are those of the table above. */}
                <td>{texts.names[name as keyof typeof limitsOfApplications]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </section>
  );
}

interface UsageOptions {
  readonly applications: Pick<MyApplications, 'find'>;
  readonly reports: Pick<ApplicationReports, 'usage' | 'endpointSums'>;
  /** How many processes share the rate limits; undefined: there are none. */
  readonly limitedProcesses: number | undefined;
}

/** `/developer/applications/:client_id/usage` (checklist DV2, as every page of an application). */
export function usageRoute({ applications, reports, limitedProcesses }: UsageOptions): AreaPage {
  return {
    path: `${pagePaths.applications}/applications/:clientId/usage`,
    show: async (visit) => {
      const { ctx, frame } = visit;
      const application = await findOwned(applications, visit);
      if (application === undefined) return;
      const { clientId } = application;
      const [days, endpoints] = await Promise.all([reports.usage(clientId), reports.endpointSums(clientId)]);
      renderPage(ctx, <UsagePage {...{ frame, application, days, endpoints, limitedProcesses }} />);
    },
  };
}

interface UsageSummarySectionProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  readonly usageSummary: UsageSummary;
  /** In the last 24 hours. */
  readonly recentFailures: number;
}

export function UsageSummarySection(props: UsageSummarySectionProps): VNode {
  const { frame, application, usageSummary, recentFailures } = props;
  const { messages } = frame;
  const { usageSummary: texts, failures } = messages.developer;
  const { people, lastUsedAt, tokens, calls } = usageSummary;
  return (
    <section>
      <h2>{texts.title}</h2>
      <dl class="facts panel">
        <div>
          <dt>{texts.lastUse}</dt>
          <dd>{lastUsedAt === undefined ? texts.neverUsed : messages.formatMinute(lastUsedAt)}</dd>
        </div>
        <div>
          <dt>{texts.failures}</dt>
          <dd>
            {texts.failuresText(recentFailures)} ·{' '}
            <a href={pagePaths.applicationActivity(application.clientId)}>{failures.title}</a>
          </dd>
        </div>
        <div>
          <dt>{texts.peopleTitle}</dt>
          <dd>{texts.people(people)}</dd>
        </div>
        <div>
          <dt>{texts.week}</dt>
          <dd>
            {texts.weekText(tokens, calls)} ·{' '}
            <a href={pagePaths.applicationUsage(application.clientId)}>{texts.more}</a>
          </dd>
        </div>
      </dl>
    </section>
  );
}
