import { findChosenApplications, searchApplications } from '@linnet/applications/application/application-facts-store';
import type { FoundApplication } from '@linnet/applications/application/application-facts-store';
import { findApplication } from '@linnet/applications/application/application-store';
import { findUsageSummaries } from '@linnet/applications/usage/usage-report-store';
import { searchAuditEvents } from '@linnet/audit/audit-search-store';
import type { Db } from '@linnet/db/database';

import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import type { Form } from '../../../pages/form/form.ts';
import { copyScript } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaForm, AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { applicationActNames, bulkActNames, possibleApplicationActs, runApplicationAct } from './application-acts.ts';
import type { ApplicationActName, BulkActName } from './application-acts.ts';
import { ApplicationPage, ApplicationsPage, applicationList } from './application-page.tsx';
import type { ApplicationPageProps } from './application-page.tsx';
import { chosenRoute } from '../chosen.tsx';
import { act } from '../operator-door.tsx';
import { readText, withQuery, readReason } from '../act-form.tsx';

/** Also the most that one act is about: an address with so many client ids, each of up to 256 characters, passes through proxies. */
const pageSize = 20;
const eventsShown = 20;

/** `/admin/applications?q=`: finds applications; without `q` the newest. */
export function applicationsRoute(db: Db): AreaPage {
  return {
    path: pagePaths.adminApplications,
    show: async ({ ctx, frame }) => {
      const text = readText(ctx, 'q');
      const before = readText(ctx, 'before');
      const search = { text, before: before === '' ? undefined : before, limit: pageSize + 1 };
      const found = await searchApplications(db, search);
      const applications = found.slice(0, pageSize);
      const last = found.length > pageSize ? applications.at(-1)?.clientId : undefined;
      const next = last === undefined ? undefined : withQuery(ctx.path, { q: text, before: last });
      const all = withQuery(ctx.path, { q: text, before, all: '1' });
      const isAllChosen = readText(ctx, 'all') !== '';
      const done = findDone(ctx, bulkActNames);
      renderPage(ctx, <ApplicationsPage {...{ frame, text, applications, next, all, isAllChosen, done }} />);
    },
  };
}

/** `/admin/applications/chosen` */
export function chosenApplicationsRoute({ db, changed }: ApplicationRouteOptions): AreaPage {
  return chosenRoute<FoundApplication, BulkActName>({
    list: applicationList,
    isPossible: ({ owner, ...state }, name) =>
      possibleApplicationActs({ ...state, hasOwner: owner !== null }).includes(name),
    most: pageSize,
    toId: (text) => (text === '' || text.length > maxClientId || text.includes('\0') ? undefined : text),
    find: async (ids) => await findChosenApplications(db, ids),
    run: async (within, name, { id }) => await runApplicationAct(within, name, id),
    afterwards: async (ids) => await Promise.all(ids.map(changed)),
  });
}

const maxClientId = 256;

interface ApplicationRouteOptions {
  readonly db: Db;
  readonly changed: (clientId: string) => Promise<void>;
}

/** `/admin/applications/{client_id}`: one application, and what operators can do with it. */
export function applicationRoute({ db, changed }: ApplicationRouteOptions): AreaPage {
  const toForm = (name: ApplicationActName): AreaForm => ({
    stepUp: 'recent',
    act: async (visit, form) => await change(visit, name, form),
  });

  async function change(visit: Visit, name: ApplicationActName, form: Form): Promise<void> {
    const clientId = visit.param('clientId');
    const { reason, problem } = readReason(form, name);
    if (problem !== undefined) {
      await show(visit, { refused: { action: name, reason, problem } }, 422);
      return;
    }
    const isChanged = await act(visit, reason, (within) => runApplicationAct(within, name, clientId));
    if (isChanged === undefined) return;
    if (isChanged) {
      await changed(clientId);
      redirectTo(visit.ctx, pagePaths.adminApplication(clientId), name);
    } else await show(visit, { isChangedSince: true }, 409);
  }

  async function show(visit: Visit, state: Partial<ApplicationPageProps>, status = 200): Promise<void> {
    const { ctx, frame } = visit;
    const application = await findApplication(db, visit.param('clientId'));
    if (application === undefined) return;
    const { clientId } = application;
    const [summaries, { events }] = await Promise.all([
      findUsageSummaries(db, [clientId]),
      searchAuditEvents(db, { clientId }, { limit: eventsShown }),
    ]);
    const usage = summaries.get(clientId);
    const page = <ApplicationPage {...{ frame, application, usage, events }} {...state} />;
    renderPage(ctx, page, { status, script: copyScript(frame) });
  }

  return {
    path: '/admin/applications/:clientId',
    show: async (visit) => await show(visit, { done: findDone(visit.ctx, applicationActNames) }),
    forms: Object.fromEntries(applicationActNames.map((name) => [name, toForm(name)])),
  };
}
