import type { EndpointSum } from '@linnet/applications/usage/endpoint-usage-store';
import type { UsageDay } from '@linnet/applications/usage/usage-report-store';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { pagePaths } from '../../../pages/views/page-paths.ts';

export const usageSeries = ['tokens', 'people', 'calls', 'errors'] as const;

type Series = (typeof usageSeries)[number];

interface UsageChartProps {
  readonly frame: Frame;
  readonly series: Series;
  /** Oldest first. */
  readonly days: readonly UsageDay[];
}

const barWidth = 10;
const gap = 2;
const height = 64;
/** A bar for the smallest value stays visible. */
const leastHeight = 2;

/** One bar per day, without a script. The table below has the same numbers. */
export function UsageChart({ frame, series, days }: UsageChartProps): VNode {
  const { usage } = frame.messages.developer;
  const { title, text } = usage.charts[series];
  const most = Math.max(1, ...days.map((day) => day[series]));
  const summary = summaryOf(frame, series, days);
  const width = days.length * barWidth;
  return (
    <figure class={`chart ${series}`}>
      <figcaption>
        <h3>{title}</h3> <span class="quiet small">{text}</span>
        <p class="small">{summary}</p>
      </figcaption>
      <svg
        viewBox={`0 0 ${String(width)} ${String(height)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${summary}`}
      >
        {days.map((day, index) => (
          <Bar key={day.day} frame={frame} day={day.day} number={day[series]} most={most} x={index * barWidth} />
        ))}
      </svg>
      <p class="ends quiet small">
        <span>{dayText(frame, days.at(0))}</span>
        <span>{dayText(frame, days.at(-1))}</span>
      </p>
    </figure>
  );
}

interface BarProps {
  readonly frame: Frame;
  readonly day: string;
  readonly number: number;
  readonly most: number;
  readonly x: number;
}

function Bar({ frame, day, number, most, x }: BarProps): VNode | null {
  if (number === 0) return null;
  const { usage } = frame.messages.developer;
  const tall = Math.max(leastHeight, Math.round((number / most) * height));
  return (
    <rect x={x} y={height - tall} width={barWidth - gap} height={tall}>
      <title>{usage.bar(frame.messages.formatShortDay(new Date(day)), number)}</title>
    </rect>
  );
}

function dayText(frame: Frame, day: UsageDay | undefined): string {
  return day === undefined ? '' : frame.messages.formatShortDay(new Date(day.day));
}

function summaryOf(frame: Frame, series: Series, days: readonly UsageDay[]): string {
  const { usage } = frame.messages.developer;
  const [top] = days.toSorted((a, b) => b[series] - a[series]);
  if (top === undefined || top[series] === 0) return usage.nothing;
  const sum = days.reduce((total, day) => total + day[series], 0);
  const whole = series === 'people' ? usage.now(days.at(-1)?.people ?? 0) : usage.total(sum);
  return `${whole}, ${usage.most(top[series], dayText(frame, top))}`;
}

interface EndpointTableProps {
  readonly frame: Frame;
  readonly clientId: string;
  /** Most requests first. */
  readonly endpoints: readonly EndpointSum[];
}

const classes = ['succeeded', 'rejected', 'failed'] as const;

/** API requests of an application by endpoint and class of the status. */
export function EndpointTable({ frame, clientId, endpoints }: EndpointTableProps): VNode {
  const { formatNumber } = frame.messages;
  const { endpoints: texts } = frame.messages.developer.usage;
  return (
    <section id="endpoints">
      <h2>{texts.title}</h2>
      <p>{texts.intro}</p>
      {endpoints.length === 0 ? (
        <p class="empty">{texts.none}</p>
      ) : (
        <>
          <table class="numbers small" data-testid="endpoints">
            <thead>
              <tr>
                <th scope="col">{texts.endpoint}</th>
                {classes.map((one) => (
                  <th key={one} scope="col">
                    {texts[one]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {endpoints.map((sum) => (
                <tr key={sum.endpoint}>
                  <th scope="row">
                    <code>{sum.endpoint}</code>
                  </th>
                  {classes.map((one) => (
                    <td key={one}>{formatNumber(sum[one])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <p>
            <a class="button quiet-button" href={pagePaths.applicationUsageFile(clientId)} download>
              {texts.download}
            </a>
          </p>
        </>
      )}
    </section>
  );
}
