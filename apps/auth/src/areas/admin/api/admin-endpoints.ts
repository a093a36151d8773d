/** What each endpoint of the admin API does. The pages do the same with the same functions. */
import { findAccountSessions } from '@linnet/accounts/account-sessions-store';
import { searchAccounts } from '@linnet/accounts/account-search-store';
import { toMailDomain } from '@linnet/accounts/mailbox';
import { findPersonFacts } from '@linnet/accounts/operators/person-store';
import type { PersonFacts } from '@linnet/accounts/operators/person-store';
import { blockFieldRules, parseMoment, toBlockValue } from '@linnet/accounts/registrations/block';
import { findChosenApplications, searchApplications } from '@linnet/applications/application/application-facts-store';
import { findConnectedApplications } from '@linnet/applications/grants/connected-applications-store';
import * as routes from '@linnet/contract/admin/admin-routes';
import { isPrintable } from '@linnet/contract/name-text';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';

import { runApplicationAct } from '../applications/application-acts.ts';
import { runAccessAct } from '../people/access-acts.ts';
import type { AccessActName, EndedAccess } from '../people/access-acts.ts';
import { runPersonAct } from '../people/person-acts.ts';
import type { PersonActInput, PersonActName } from '../people/person-acts.ts';
import { done, endpoint, refuseUnknown, requireDone } from './admin-endpoint.ts';
import type { AdminEndpoint } from './admin-endpoint.ts';
import { refuseParameter } from './admin-problem.ts';
import { readPosition, toPage } from './admin-page.ts';
import { queueEndpoints } from './admin-queue-endpoints.ts';
import { serviceEndpoints } from './admin-service-endpoints.ts';
import * as views from './admin-views.ts';

async function getAccount(db: Queryable, id: number): Promise<PersonFacts> {
  return (await findPersonFacts(db, id)) ?? refuseUnknown();
}

async function getApplication(db: Queryable, clientId: string) {
  const [found = refuseUnknown()] = await findChosenApplications(db, [clientId]);
  return views.toApplication(found);
}

async function changeAccount(within: Transactional, name: PersonActName, input: PersonActInput) {
  await getAccount(within, input.id);
  requireDone(await runPersonAct(within, name, input));
  return views.toAccount(await getAccount(within, input.id));
}

const change = (route: typeof routes.accountsRestore, name: PersonActName) =>
  endpoint(
    route,
    async ({ id, reason }, { act }) => await act(reason, (within) => changeAccount(within, name, { id })),
  );

const accounts: readonly AdminEndpoint[] = [
  endpoint(routes.accountsList, async ({ q: text, state, count, cursor, ...origin }, { db }) => {
    const [before] = readPosition(cursor, 1) ?? [];
    const found = await searchAccounts(db, { text, state, before, limit: count + 1, ...toOrigin(origin) });
    return toPage(found, count, { toItem: views.toListedAccount, toPosition: ({ id }) => [id] });
  }),
  endpoint(routes.accountsShow, async ({ id }, { db }) => views.toAccount(await getAccount(db, id))),
  endpoint(routes.accountsSuspend, async ({ id, reason, shown_reason: shown }, { act }) => {
    const shownReason = toShownReason(shown);
    return await act(reason, (within) => changeAccount(within, 'suspend', { id, shownReason }));
  }),
  change(routes.accountsLimit, 'limit'),
  change(routes.accountsUnlimit, 'unlimit'),
  change(routes.accountsRestore, 'restore'),
  change(routes.accountsDelete, 'delete'),
];

interface OriginInput {
  readonly email_domain: string;
  readonly network: string;
  readonly registered_after: string;
}

/** @throws AdminRefused */
function toOrigin({ email_domain: domain, network, registered_after: after }: OriginInput) {
  const given = {
    email_domain: domain === '' ? null : toMailDomain(domain),
    network: network === '' ? null : toBlockValue('network', network),
    registered_after: parseMoment(after),
  };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) throw refuseParameter(name, 'invalid', originRules[name as keyof OriginInput]); // a key of `given`
  }
  return {
    emailDomain: given.email_domain ?? undefined,
    network: given.network ?? undefined,
    registeredAfter: given.registered_after ?? undefined,
  };
}

const originRules = {
  email_domain: 'must be a domain such as example.org',
  network: 'must be a network such as 192.0.2.0/24 or 2001:db8::/32 (at least /8 or /16)',
  registered_after: `must be ${blockFieldRules.until}`,
} as const;

/** @throws AdminRefused */
function toShownReason(text = ''): string | undefined {
  const shown = text.trim().replaceAll(/\s+/g, ' ');
  if (shown === '') return undefined;
  if (isPrintable(shown)) return shown;
  throw refuseParameter('shown_reason', 'invalid', 'contains a character that cannot be displayed');
}

async function endAccess(within: Transactional, name: AccessActName, ended: EndedAccess) {
  await getAccount(within, ended.accountId);
  requireDone(await runAccessAct(within, name, ended));
  return done;
}

const access: readonly AdminEndpoint[] = [
  endpoint(routes.sessionsList, async ({ id, count, cursor }, { db }) => {
    await getAccount(db, id);
    const [offset = 0] = readPosition(cursor, 1) ?? [];
    const found = await findAccountSessions(db, id, { limit: count + 1, offset });
    return toPage(found, count, { toItem: views.toSession, toPosition: () => [offset + count] });
  }),
  endpoint(
    routes.sessionsEnd,
    async ({ id: accountId, uid: target, reason }, { act }) =>
      await act(reason, (within) => endAccess(within, 'end-session', { accountId, target })),
  ),
  endpoint(routes.grantsList, async ({ id, count, cursor }, { db }) => {
    await getAccount(db, id);
    const [offset = 0] = readPosition(cursor, 1) ?? [];
    const found = await findConnectedApplications(db, id, { limit: count + 1, offset });
    return toPage(found, count, { toItem: views.toGrant, toPosition: () => [offset + count] });
  }),
  endpoint(routes.grantsEnd, async ({ id: accountId, client_id: target, reason }, { act, changed }) => {
    const response = await act(reason, (within) => endAccess(within, 'end-grant', { accountId, target }));
    await changed(target);
    return response;
  }),
];

const changeApplication = (route: typeof routes.applicationsSuspend, name: 'suspend' | 'restore') =>
  endpoint(route, async ({ client_id: clientId, reason }, { act, changed }) => {
    const response = await act(reason, async (within) => {
      await getApplication(within, clientId);
      requireDone(await runApplicationAct(within, name, clientId));
      return await getApplication(within, clientId);
    });
    await changed(clientId);
    return response;
  });

const applications: readonly AdminEndpoint[] = [
  endpoint(routes.applicationsList, async ({ q, count, cursor }, { db }) => {
    const found = await searchApplications(db, { text: q, before: cursor, limit: count + 1 });
    const next = found.length > count ? (found[count - 1]?.clientId ?? null) : null;
    return { items: found.slice(0, count).map(views.toApplication), next };
  }),
  endpoint(routes.applicationsShow, async ({ client_id: clientId }, { db }) => await getApplication(db, clientId)),
  changeApplication(routes.applicationsSuspend, 'suspend'),
  changeApplication(routes.applicationsRestore, 'restore'),
];

export const adminEndpoints = [...accounts, ...access, ...queueEndpoints, ...applications, ...serviceEndpoints];
