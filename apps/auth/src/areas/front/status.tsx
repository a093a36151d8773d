/** `/status`: what works now and worked in the last 24 hours, for people and, as `/status.json`, for programs. */
import { DatabaseUnavailable } from '@linnet/db/connection/database-error';
import { findStatusHistory } from '@linnet/db/keep/status-sample-store';
import type { StatusHistory, StatusPart } from '@linnet/db/keep/status-sample-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import { nameRoute } from '@linnet/service/http/request-log';
import type Koa from 'koa';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import type { CreateFrame } from '../../pages/frame/page-frame.ts';
import { renderPage } from '../../pages/frame/render.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

interface Interruption {
  readonly from: Date;
  /** Undefined: it continues. */
  readonly until: Date | undefined;
}

interface PartStatus {
  readonly part: StatusPart;
  readonly isAvailable: boolean;
  /** Of the time that is known, rounded down; undefined if none is. */
  readonly share: number | undefined;
  readonly quarters: readonly (keyof typeof barHeights)[];
  /** The newest ones first. */
  readonly interruptions: readonly Interruption[];
}

interface ServiceStatus {
  /** The database did not respond: what is known may be old. */
  readonly isCutOff: boolean;
  /** The time that is known; undefined if none is. */
  readonly known: { readonly from: Date; readonly until: Date; readonly isWholeDay: boolean } | undefined;
  readonly parts: readonly PartStatus[];
}

/** A quarter of an hour in which something did not work has a low bar, so that its colour is not all that shows it. */
const barHeights = { up: 10, down: 4, unknown: 1 } as const;
const quarterKinds = ['up', 'down', 'unknown'] as const;
const parts = ['sign_in', 'api', 'database', 'media'] as const satisfies readonly StatusPart[];
const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const quartersShown = 96;
const maxInterruptions = 10;

/** `history`: undefined if it was never read. The current minute counts only for what works now, because it is not over. */
export function toServiceStatus(history: StatusHistory | undefined, isCutOff: boolean): ServiceStatus {
  const until = Math.floor((history?.now.getTime() ?? 0) / minuteMs) * minuteMs;
  const dayStart = until - quartersShown * quarterMs;
  const setUp = Math.ceil((history?.since.getTime() ?? 0) / minuteMs) * minuteMs;
  const from = Math.max(dayStart, Math.min(setUp, until));
  const isKnown = history !== undefined && from < until;
  return {
    isCutOff,
    known: isKnown ? { from: new Date(from), until: new Date(until), isWholeDay: from === dayStart } : undefined,
    parts: parts.map((part) => {
      const spans = history?.spans.filter((span) => span.part === part) ?? [];
      const gaps = findGaps(spans, isKnown ? { from, until } : { from: until, until });
      const missed = gaps.reduce((sum, gap) => sum + gap.until - gap.from, 0);
      const last = spans.at(-1)?.until.getTime() ?? 0;
      return {
        part,
        isAvailable: !isCutOff && (!isKnown || last >= until),
        share: isKnown ? Math.floor((1 - missed / (until - from)) * 10_000) / 10_000 : undefined,
        quarters: Array.from({ length: quartersShown }, (_, index) => {
          const start = dayStart + index * quarterMs;
          if (gaps.some((gap) => gap.from < start + quarterMs && gap.until > start)) return 'down';
          return isKnown && start + quarterMs > from ? 'up' : 'unknown';
        }),
        interruptions: gaps
          .toReversed()
          .map((gap) => ({
            from: new Date(gap.from),
            until: gap.until === until && last <= until ? undefined : new Date(gap.until),
          }))
          .slice(0, maxInterruptions),
      };
    }),
  };
}

interface Period {
  readonly from: number;
  readonly until: number;
}

/** What the spans leave out of the period. */
function findGaps(spans: StatusHistory['spans'], { from, until }: Period): readonly Period[] {
  const gaps: Period[] = [];
  let end = from;
  for (const span of spans) {
    if (span.from.getTime() > end) gaps.push({ from: end, until: Math.min(span.from.getTime(), until) });
    end = Math.max(end, span.until.getTime());
  }
  if (end < until) gaps.push({ from: end, until });
  return gaps.filter((gap) => gap.from < gap.until);
}

/** How long a page may be kept, here and by browsers and caches. */
const keptSeconds = 15;

interface StatusOptions {
  readonly db: Queryable;
  readonly createFrame: CreateFrame;
}

/** Without the database it shows what it read last, and that the database does not respond. */
export function statusRoute({ db, createFrame }: StatusOptions): Koa.Middleware {
  let latest: StatusHistory | undefined;
  let kept: { readonly status: Promise<ServiceStatus>; readonly until: number } | undefined;
  const read = async (): Promise<ServiceStatus> => {
    try {
      latest = await findStatusHistory(db);
      return toServiceStatus(latest, false);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      return toServiceStatus(latest, true);
    }
  };
  const readKept = async (): Promise<ServiceStatus> => {
    if (kept === undefined || kept.until < performance.now()) {
      const status = read();
      kept = { status, until: performance.now() + keptSeconds * 1000 };
      status.catch(() => (kept = undefined));
    }
    return await kept.status;
  };
  return async (ctx, next) => {
    const isPage = ctx.path === pagePaths.status;
    if ((!isPage && ctx.path !== pagePaths.statusFile) || !['GET', 'HEAD'].includes(ctx.method)) {
      await next();
      return;
    }
    nameRoute(ctx, ctx.path);
    const status = await readKept();
    if (isPage) {
      renderPage(ctx, <StatusPage frame={createFrame(ctx)} status={status} />);
      ctx.vary('Accept-Language');
      ctx.vary('Cookie');
    } else {
      ctx.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
      ctx.body = toDocument(status);
    }
    // A response that sets the cookie of the language is for one browser.
    if (!ctx.res.hasHeader('Set-Cookie')) ctx.set('Cache-Control', `public, max-age=${String(keptSeconds)}`);
  };
}

function isEverythingAvailable({ parts: all }: ServiceStatus): boolean {
  return all.every(({ isAvailable }) => isAvailable);
}

/** `/status.json` */
function toDocument(status: ServiceStatus): object {
  const { parts: all, known, isCutOff } = status;
  return {
    status: isEverythingAvailable(status) ? 'available' : 'impaired',
    known_from: known?.from ?? null,
    known_until: known?.until ?? null,
    database_responds: !isCutOff,
    parts: Object.fromEntries(
      all.map(({ part, isAvailable, share, interruptions }) => [
        part,
        {
          available: isAvailable,
          availability: share ?? null,
          interruptions: interruptions.map(({ from, until }) => ({ from, until: until ?? null })),
        },
      ]),
    ),
  };
}

interface StatusPageProps {
  readonly frame: Frame;
  readonly status: ServiceStatus;
}

/** What works, part by part. */
export function StatusPage({ frame, status }: StatusPageProps): VNode {
  const { formatMinute, status: texts } = frame.messages;
  const { isCutOff, known } = status;
  const isWell = isEverythingAvailable(status);
  const missing = status.parts.filter(({ isAvailable }) => !isAvailable).map(({ part }) => texts.parts[part]);
  const now = isWell ? texts.allWell : texts.notAll(missing.join(', '));
  return (
    <Layout frame={frame} title={texts.title} kind="area" section="front" description={texts.lead}>
      <h1>{texts.title}</h1>
      <p class="lead">{texts.lead}</p>
      <Notice kind={isWell ? 'done' : 'warning'}>
        {isCutOff ? texts.outage(known && formatMinute(known.until)) : now}
      </Notice>
      <div class="charts">
        {status.parts.map((part) => (
          <Part key={part.part} frame={frame} known={known} of={part} />
        ))}
      </div>
      <p class="quiet small">
        {texts.note} <a href={pagePaths.statusFile}>{texts.machine}</a>
      </p>
    </Layout>
  );
}

interface PartProps extends Pick<ServiceStatus, 'known'> {
  readonly frame: Frame;
  readonly of: PartStatus;
}

function Part({ frame, known, of: { part, isAvailable, share, quarters, interruptions } }: PartProps): VNode {
  const { formatMinute, status: texts } = frame.messages;
  const name = texts.parts[part];
  const shown = describeShare();
  return (
    <section class="chart" data-testid={`status-${part}`}>
      <div class="title-line">
        <h2>{name}</h2>
        <span class={isAvailable ? 'badge' : 'badge error'}>{texts.now[isAvailable ? 'up' : 'down']}</span>
      </div>
      <svg viewBox="0 0 96 10" preserveAspectRatio="none" role="img" aria-label={texts.strip(name, shown)}>
        {quarterKinds.map((kind) => (
          <path key={kind} class={kind} d={drawBars(quarters, kind)} />
        ))}
      </svg>
      <div class="ends" aria-hidden="true">
        <span>{texts.ends[0]}</span>
        <span>{texts.ends[1]}</span>
      </div>
      <p>{shown}</p>
      {known === undefined ? null : (
        <div>
          <h3>{texts.interruptions}</h3>
          <Interruptions frame={frame} of={interruptions} until={known.until} />
        </div>
      )}
    </section>
  );

  function describeShare(): string {
    if (known === undefined || share === undefined) return texts.unknown;
    return known.isWholeDay ? texts.share(share) : texts.since(share, formatMinute(known.from));
  }
}

function drawBars(quarters: PartStatus['quarters'], kind: (typeof quarterKinds)[number]): string {
  const height = barHeights[kind];
  return quarters
    .map((quarter, index) => (quarter === kind ? `M${String(index)} 10v-${String(height)}h.7v${String(height)}z` : ''))
    .join('');
}

interface InterruptionsProps {
  readonly frame: Frame;
  readonly of: readonly Interruption[];
  /** The end of what is known. */
  readonly until: Date;
}

function Interruptions({ frame, of, until: end }: InterruptionsProps): VNode {
  const { formatMinute, status: texts } = frame.messages;
  if (of.length === 0) return <p class="quiet">{texts.none}</p>;
  return (
    <ul class="plain">
      {of.map(({ from, until }) => (
        <li key={from.getTime()}>
          <time datetime={from.toISOString()}>{formatMinute(from)}</time>
          {' · '}
          {texts.duration(((until ?? end).getTime() - from.getTime()) / minuteMs)}
          {until === undefined ? ` · ${texts.ongoing}` : ''}
        </li>
      ))}
    </ul>
  );
}
