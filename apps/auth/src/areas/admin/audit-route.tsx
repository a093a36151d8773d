import { createAccounts } from '@linnet/accounts/accounts';
import { searchAuditEvents } from '@linnet/audit/audit-search-store';
import type { AuditFilter } from '@linnet/audit/audit-search-store';
import type { Db } from '@linnet/db/database';
import type { Context } from 'koa';

import { renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaPage } from '../../sign-in/visit/area.ts';
import { AuditPage, auditActors, auditFields } from './audit-page.tsx';
import type { AuditField, AuditPageProps } from './audit-page.tsx';
import { parseId, readNumber, readText, withQuery } from './query.ts';

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
