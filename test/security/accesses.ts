import { takeInvitation } from '@linnet/accounts/registrations/invitation-store';

import { basic } from '../support/auth/running-auth.ts';
import { dispatchNow } from '../support/auth/dispatching.ts';
import type { Answer } from '../support/auth/running-auth.ts';

import type { RevocationServers } from '../support/revocation-servers.ts';
import { eventually } from '../support/service.ts';
import { waysToLearn } from './listening-api.ts';
import { deviceGrant, issueToken } from './takeover.ts';
import type { Takeover } from './takeover.ts';

export type State = 'works' | 'ended';

/** How one kind of access responds; undefined: neither, for example while a process has not read a change. */
export interface Access {
  /** Asked exactly once, because a second use fails in any case. */
  readonly isSingleUse?: true;
  readonly ask: (servers: RevocationServers, takeover: Takeover) => Promise<State | undefined>;
}

function find<Value>(value: Value, works: Value, ...ended: readonly Value[]): State | undefined {
  if (value === works) return 'works';
  return ended.includes(value) ? 'ended' : undefined;
}

const refusals = new Set(['invalid_grant', 'invalid_client', 'access_denied', 'expired_token']);

function findToken({ status, json }: Answer): State | undefined {
  if (status === 200) return 'works';
  return refusals.has(String(json['error'])) ? 'ended' : undefined;
}

async function open({ reader, other }: Takeover, whose: 'reader' | 'other', path: string): Promise<State> {
  const page = await { reader, other }[whose].open(path);
  return page.isElsewhere || page.status === 200 ? 'works' : 'ended';
}

let lastPost = 0;

/** Whether an event of the account has a delivery to the application. */
async function askWebhook(
  { database: { db } }: RevocationServers,
  clientId: string,
  accountId: number,
): Promise<State> {
  lastPost += 1;
  const postId = BigInt(lastPost);
  await db.prisma.outbox.create({ data: { kind: 'post_deleted', actorId: accountId, postId } });
  const isDispatched = async () => {
    // The servers do the same on their timers; this does not wait for them.
    await dispatchNow(db);
    const [event, cursor] = await Promise.all([
      db.prisma.event.findFirst({ where: { postId, kind: 'post_deleted' } }),
      db.prisma.webhookCursor.findFirst(),
    ]);
    return event !== null && cursor !== null && cursor.position >= event.position;
  };
  if (!(await isDispatched())) await eventually('the event is dispatched', isDispatched);
  const where = { accountId, postId, endpoint: { clientId } };
  return (await db.prisma.webhookDelivery.count({ where })) > 0 ? 'works' : 'ended';
}

/** Every kind of access, by the name of its row in `docs/evidence/guarantees.md`. */
export const accesses: Readonly<Record<string, Access>> = {
  'sessions in other browsers': {
    ask: async (_, { other }) => find((await other.open('/account')).url.pathname, '/account', '/login'),
  },
  'access tokens': {
    ask: async (servers, { app }) => find(await servers.decideApi(0, app.accessToken), 200, 401),
  },
  'access tokens at `/mcp`': {
    ask: async (servers, { app }) => {
      const headers = {
        authorization: `Bearer ${app.accessToken}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      return find((await servers.sendApi(0, { method: 'POST', path: '/mcp', headers, body })).status, 200, 401);
    },
  },
  'event streams': {
    ask: (_, { stream }) => Promise.resolve(stream.isEnded() ? 'ended' : 'works'),
  },
  'refresh tokens': {
    isSingleUse: true,
    ask: async (_, { app }) => findToken(await app.refresh(app.refreshToken)),
  },
  'authorization codes': {
    isSingleUse: true,
    ask: async (_, { app, callback }) => findToken(await app.exchange(callback)),
  },
  'approved device codes': {
    isSingleUse: true,
    ask: async (servers, { app: { clientId, clientSecret }, deviceCode }) => {
      const form = { grant_type: deviceGrant, device_code: deviceCode };
      return findToken(await servers.auth.requestToken(form, basic(clientId, clientSecret)));
    },
  },
  'tokens of applications that registered themselves': {
    ask: async (servers, { agent }) => find(await servers.decideApi(1, agent.accessToken), 200, 401),
  },
  'tokens of clients with a metadata document': {
    ask: async (servers, { documented }) => find(await servers.decideApi(0, documented.accessToken), 200, 401),
  },
  ...Object.fromEntries(
    waysToLearn.map((way) => [
      `tokens for registered APIs that ${way}`,
      { ask: async (_: unknown, { api, apiToken }: Takeover) => await api.ask(way, apiToken) },
    ]),
  ),
  'webhooks of connected apps': {
    ask: async (servers, { app, person }) => await askWebhook(servers, app.clientId, person.id),
  },
  'webhooks of own applications about other people': {
    ask: async (servers, { bot, readerId }) => await askWebhook(servers, bot.clientId, readerId),
  },
  'open consent pages': {
    isSingleUse: true,
    ask: async (_, { other, consentPage }) => {
      const values = { decision: 'allow', scope: ['email'] };
      const page = await other.submit(consentPage, consentPage.formWith('decision', 'allow'), values);
      return page.isElsewhere && page.url.searchParams.has('code') ? 'works' : 'ended';
    },
  },
  'pushed requests of connected apps': {
    isSingleUse: true,
    ask: async (_, takeover) => await open(takeover, 'other', takeover.pushed),
  },
  'tokens that act as the owner': {
    ask: async (servers, { botToken }) => find(await servers.decideApi(1, botToken), 200, 401),
  },
  // An application that may no longer act as its owner still gets tokens, but they carry no account: 400.
  'getting more of them': {
    ask: async (servers, { bot }) => {
      const token = await issueToken(servers, bot);
      return token === undefined ? 'ended' : find(await servers.decideApi(1, token), 200, 400);
    },
  },
  'other people’s tokens of own applications': {
    ask: async (servers, { bot }) => find(await servers.decideApi(0, bot.accessToken), 200, 401),
  },
  // As far as the API knows, in every way.
  'other people’s tokens of own applications for registered APIs': {
    ask: async (_, { api, botApiToken }) => {
      const [state, ...others] = await Promise.all(waysToLearn.map((way) => api.ask(way, botApiToken)));
      return others.every((one) => one === state) ? state : undefined;
    },
  },
  'pushed requests of own applications': {
    isSingleUse: true,
    ask: async (_, takeover) => await open(takeover, 'reader', takeover.botPushed),
  },
  'second factors': {
    ask: async ({ database: { db } }, { person: { id: accountId } }) => {
      const { passkey, totp, upstreamIdentity } = db.prisma;
      const where = { accountId };
      const [keys, apps] = [await passkey.count({ where }), await totp.count({ where })];
      if (keys + apps + (await upstreamIdentity.count({ where })) === 0) return 'ended';
      return keys === 1 && apps === 1 ? 'works' : undefined;
    },
  },
  'links that change the address': {
    ask: async (_, { reader, changeLink }) => find((await reader.open(changeLink)).status, 200, 404, 410),
  },
  'links that reset the password': {
    ask: async (_, { reader, resetLink }) => find((await reader.open(resetLink)).status, 200, 404),
  },
  'links that invite others': {
    ask: async ({ database: { db } }, { invitation }) =>
      (await takeInvitation(db, invitation, true)) === undefined ? 'ended' : 'works',
  },
  'the public page': {
    ask: async (servers, { person: { username } }) => {
      const headers = { accept: 'text/html' };
      return find((await servers.sendApi(0, { path: `/@${username}`, headers })).status, 200, 404);
    },
  },
  'media addresses': {
    ask: async (servers, { mediaPath }) => find((await servers.sendApi(0, { path: mediaPath })).status, 200, 404),
  },
};
