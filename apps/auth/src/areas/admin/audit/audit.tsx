import { createAccounts } from '@linnet/accounts/accounts';
import { searchAuditEvents } from '@linnet/audit/audit-search-store';
import type { AuditFilter } from '@linnet/audit/audit-search-store';
import type { AuditEvent } from '@linnet/audit/audit-store';
import type { Db } from '@linnet/db/database';
import type { Context } from 'koa';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { renderPage } from '../../../pages/frame/render.tsx';
import { ErrorSummary, TextField } from '../../../pages/views/field.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage } from '../../../sign-in/visit/area.ts';
import { Select, parseId, readNumber, readText, withQuery } from '../act-form.tsx';
import { AdminLayout, NextLink } from '../admin-layout.tsx';
import { EventList } from './event-list.tsx';

/** Who can act, in the order of the page. */
const auditActors = ['person', 'application', 'operator', 'service', 'unknown'] as const;

/** Query parameters. */
const auditFields = ['event', 'actor', 'account', 'operator', 'client', 'from', 'to'] as const;

type AuditField = (typeof auditFields)[number];

interface AuditPageProps {
  readonly frame: Frame;
  /** What was entered; empty fields match everything. */
  readonly typed: Readonly<Record<AuditField, string>>;
  readonly wrong: readonly AuditField[];
  /** Latest first. */
  readonly events: readonly AuditEvent[];
  /** Address of the next page. */
  readonly next: string | undefined;
}

export function AuditPage({ frame, typed, wrong, events, next }: AuditPageProps): VNode {
  const { audit: texts } = frame.messages.admin;
  const { errors } = texts;
  const found = Object.fromEntries(
    wrong.map((name) => [name, name === 'from' || name === 'to' ? errors.day : errors.account]),
  );
  return (
    <AdminLayout frame={frame} page="audit" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      <ErrorSummary frame={frame} errors={found} />
      <Filter frame={frame} typed={typed} errors={found} />
      <section>
        <h2>{texts.results}</h2>
        {events.length === 0 && next !== undefined ? (
          <p class="empty">{texts.continued}</p>
        ) : (
          <EventList frame={frame} events={events} />
        )}
      </section>
      <NextLink frame={frame} next={next} />
    </AdminLayout>
  );
}

interface FilterProps extends Pick<AuditPageProps, 'frame' | 'typed'> {
  readonly errors: Readonly<Record<string, string>>;
}

function Filter({ frame, typed, errors }: FilterProps): VNode {
  const { audit: texts, search } = frame.messages.admin;
  const { fields, hints } = texts;
  const field = (name: Exclude<AuditField, 'actor'>, hint?: string) => (
    <TextField
      name={name}
      label={fields[name]}
      hint={hint}
      value={typed[name]}
      error={errors[name]}
      optional={frame.messages.form.optional}
      autocomplete="off"
    />
  );
  return (
    <search>
      <form data-testid="search">
        <div class="filter">
          {field('event', hints.event)}
          <button class="button">{search.submit}</button>
        </div>
        <details open={auditFields.some((name) => name !== 'event' && typed[name] !== '')}>
          <summary>{texts.moreFilters}</summary>
          <div class="pair">
            <Select
              name="actor"
              label={fields.actor}
              chosen={typed.actor}
              options={['', ...auditActors]}
              texts={{ '': texts.anyActor, ...frame.messages.admin.events.actors }}
            />
            {field('client')}
            {field('account', hints.account)}
            {field('operator', hints.operator)}
            {field('from', hints.day)}
            {field('to', hints.day)}
          </div>
        </details>
      </form>
    </search>
  );
}

const pageSize = 50;
const dayMs = 86_400_000;

/** `/admin/audit`: searches the audit log. */
export function auditRoute(db: Db): AreaPage {
  return {
    path: pagePaths.adminAudit,
    show: async ({ ctx, frame }) => {
      const typed = readTyped(ctx);
      const { filter, wrong } = await toFilter(db, typed);
      if (wrong.length > 0) {
        renderPage(ctx, <AuditPage {...{ frame, typed, wrong }} events={[]} next={undefined} />, { status: 422 });
        return;
      }
      const { events, before } = await searchAuditEvents(db, filter, {
        before: readNumber(ctx, 'before'),
        limit: pageSize,
      });
      const next = before === undefined ? undefined : withQuery(ctx.path, { ...typed, before: String(before) });
      renderPage(ctx, <AuditPage {...{ frame, typed, wrong, events, next }} />);
    },
  };
}

function readTyped(ctx: Context): AuditPageProps['typed'] {
  const [event, actor, account, operator, client, from, to] = auditFields.map((name) => readText(ctx, name));
  return Object.fromEntries(
    Object.entries({ event, actor, account, operator, client, from, to }).map(([name, text = '']) => [name, text]),
  ) as AuditPageProps['typed']; // one text per field
}

interface Read {
  readonly filter: AuditFilter;
  readonly wrong: readonly AuditField[];
}

async function toFilter(db: Db, typed: AuditPageProps['typed']): Promise<Read> {
  const [accountId, operatorId] = await Promise.all([findId(db, typed.account), findId(db, typed.operator)]);
  const [from, to] = [parseDay(typed.from), parseDay(typed.to)];
  const actor = auditActors.find((one) => one === typed.actor);
  const wrong = Object.entries({ account: accountId, operator: operatorId, from, to }).flatMap(
    ([name, value]) => (value === 'wrong' ? [name as AuditField] : []), // by the object above
  );
  return {
    wrong,
    filter: {
      event: typed.event === '' ? undefined : typed.event,
      actor,
      accountId: toValue(accountId),
      operatorId: toValue(operatorId),
      clientId: typed.client === '' ? undefined : typed.client,
      from: toValue(from),
      to: toEnd(toValue(to)),
    },
  };
}

function toValue<Value>(read: Value | 'wrong' | undefined): Value | undefined {
  return read === 'wrong' ? undefined : read;
}

/** The whole day counts. */
function toEnd(day: Date | undefined): Date | undefined {
  return day === undefined ? undefined : new Date(day.getTime() + dayMs);
}

/** An id also of accounts that were erased. */
async function findId(db: Db, text: string): Promise<number | 'wrong' | undefined> {
  if (text === '') return undefined;
  const name = text.replace(/^@/, '');
  return parseId(name) ?? (await createAccounts(db).findByUsername(name))?.id ?? 'wrong';
}

function parseDay(text: string): Date | 'wrong' | undefined {
  if (text === '') return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) ? day : 'wrong';
}
