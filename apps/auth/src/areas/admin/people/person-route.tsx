import { findAccountSessions } from '@linnet/accounts/account-sessions-store';
import { findPersonFacts } from '@linnet/accounts/operators/person-store';
import { findConnectedApplications } from '@linnet/applications/grants/connected-applications-store';
import { searchAuditEvents } from '@linnet/audit/audit-search-store';
import type { Db } from '@linnet/db/database';
import type { Transactional } from '@linnet/db/statement/transaction';

import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import type { Form } from '../../../pages/form/form.ts';
import { copyScript } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaForm, AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { accessActNames, runAccessAct } from './access-acts.ts';
import type { AccessActName } from './access-acts.ts';
import { act } from '../operator-door.tsx';
import { personActNames, runPersonAct } from './person-acts.ts';
import type { PersonActName } from './person-acts.ts';
import { PersonPage } from './person-page.tsx';
import type { PersonPageProps } from './person-page.tsx';
import { parseId, readReason, rowKey, targetField } from '../act-form.tsx';

/** Each row has a form. */
const listed = { limit: 10, offset: 0 };
const eventsShown = 20;

interface PersonRouteOptions {
  readonly db: Pick<Db, 'prisma' | 'query'>;
  /** Resolves when token requests see a change of an application. */
  readonly changed: (clientId: string) => Promise<void>;
}

interface PersonChange {
  readonly name: PersonActName | AccessActName;
  /** What the field of the reason is named after. */
  readonly field: string;
  readonly run: (within: Transactional, accountId: number) => Promise<boolean>;
}

/** `/admin/people/{id}`: one account, and what operators can do with it. */
export function personRoute({ db, changed }: PersonRouteOptions): AreaPage {
  const toForm = (name: PersonActName): AreaForm => ({
    stepUp: 'recent',
    act: async (visit, form) => {
      const { shownReason } = readReason(form, name);
      const run = (within: Transactional, id: number) => runPersonAct(within, name, { id, shownReason });
      await change(visit, form, { name, field: name, run });
    },
  });

  const toAccessForm = (name: AccessActName): AreaForm => ({
    stepUp: 'recent',
    act: async (visit, form) => {
      const target = form.text(targetField);
      const run = async (within: Transactional, accountId: number) =>
        await runAccessAct(within, name, { accountId, target });
      const isDone = await change(visit, form, { name, field: rowKey(name, target), run });
      if (isDone && name === 'end-grant') await changed(target);
    },
  });

  /** Returns whether the act was done. */
  async function change(visit: Visit, form: Form, { name, field, run }: PersonChange): Promise<boolean> {
    const accountId = parseId(visit.param('accountId'));
    if (accountId === undefined) return false;
    const { problem, ...reasons } = readReason(form, field);
    if (problem !== undefined) {
      await show(visit, { refused: { action: field, ...reasons, problem } }, 422);
      return false;
    }
    const isChanged = await act(visit, reasons.reason, async (within) => await run(within, accountId));
    if (isChanged === undefined) return false;
    if (isChanged) redirectTo(visit.ctx, pagePaths.adminPerson(accountId), name);
    else await show(visit, { isChangedSince: true }, 409);
    return isChanged;
  }

  async function show(visit: Visit, state: Partial<PersonPageProps>, status = 200): Promise<void> {
    const { ctx, frame } = visit;
    const found = await findPerson(db, parseId(visit.param('accountId')));
    if (found === undefined) return;
    renderPage(ctx, <PersonPage frame={frame} {...found} {...state} />, { status, script: copyScript(frame) });
  }

  return {
    path: '/admin/people/:accountId',
    show: async (visit) => await show(visit, { done: findDone(visit.ctx, [...personActNames, ...accessActNames]) }),
    forms: Object.fromEntries([
      ...personActNames.map((name) => [name, toForm(name)] as const),
      ...accessActNames.map((name) => [name, toAccessForm(name)] as const),
    ]),
  };
}

/** Everything that the page shows; undefined if there is no such account. */
async function findPerson(db: PersonRouteOptions['db'], accountId: number | undefined) {
  const person = accountId === undefined ? undefined : await findPersonFacts(db, accountId);
  if (person === undefined) return undefined;
  const [sessions, grants, { events }] = await Promise.all([
    findAccountSessions(db, person.id, listed),
    findConnectedApplications(db, person.id, listed),
    searchAuditEvents(db, { accountId: person.id }, { limit: eventsShown }),
  ]);
  return { person, sessions, grants, events };
}
