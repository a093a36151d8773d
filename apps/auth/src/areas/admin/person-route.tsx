import { findAccountSessions } from '@linnet/accounts/account-sessions-store';
import { findPersonFacts } from '@linnet/accounts/operator-person-store';
import { findConnectedApplications } from '@linnet/applications/connected-applications-store';
import { searchAuditEvents } from '@linnet/audit/audit-search-store';
import type { Queryable } from '@linnet/db/database';

import { findDone, redirectTo } from '../../pages/http/done.ts';
import type { Form } from '../../pages/http/form.ts';
import { renderPage } from '../../pages/http/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaForm, AreaPage, Visit } from '../../sign-in/visit/area.ts';
import { act } from './operator-door.tsx';
import { personActNames, runPersonAct } from './person-acts.ts';
import type { PersonActName } from './person-acts.ts';
import { PersonPage } from './person-page.tsx';
import type { PersonPageProps } from './person-page.tsx';
import { parseId } from './query.ts';
import { readReason } from './reason-form.tsx';

const listed = { limit: 20, offset: 0 };

/** `/admin/people/{id}`: one account, and what operators can do with it. */
export function personRoute(db: Queryable): AreaPage {
  const toForm = (name: PersonActName): AreaForm => ({
    stepUp: 'recent',
    act: async (visit, form) => await change(visit, name, form),
  });

  async function change(visit: Visit, name: PersonActName, form: Form): Promise<void> {
    const accountId = parseId(visit.param('accountId'));
    if (accountId === undefined) return;
    const { reason, problem } = readReason(form, name);
    if (problem !== undefined) {
      await show(visit, { refused: { action: name, reason, problem } }, 422);
      return;
    }
    const isChanged = await act(visit, reason, (within) => runPersonAct(within, name, accountId));
    if (isChanged === undefined) return;
    if (isChanged) redirectTo(visit.ctx, pagePaths.adminPerson(accountId), name);
    else await show(visit, { isChangedSince: true }, 409);
  }

  async function show(visit: Visit, state: Partial<PersonPageProps>, status = 200): Promise<void> {
    const { ctx, frame } = visit;
    const accountId = parseId(visit.param('accountId'));
    const person = accountId === undefined ? undefined : await findPersonFacts(db, accountId);
    if (person === undefined) return;
    const [sessions, grants, { events }] = await Promise.all([
      findAccountSessions(db, person.id, listed),
      findConnectedApplications(db, person.id, listed),
      searchAuditEvents(db, { accountId: person.id }, { limit: listed.limit }),
    ]);
    renderPage(ctx, <PersonPage {...{ frame, person, sessions, grants, events }} {...state} />, { status });
  }

  return {
    path: '/admin/people/:accountId',
    show: async (visit) => await show(visit, { done: findDone(visit.ctx, personActNames) }),
    forms: Object.fromEntries(personActNames.map((name) => [name, toForm(name)])),
  };
}
