/** The person's part of the device flow (RFC 8628 §3.3). The provider responds to the device. */

import { randomUUID } from 'node:crypto';

import type { EarlierConsent } from '@linnet/applications/grants/earlier-consent-store';
import { compareScopes, describeScopes } from '@linnet/applications/grants/requested-scope';
import type { RequestedScope } from '@linnet/applications/grants/requested-scope';
import { deviceGrantType } from '@linnet/applications/settings/protocol-settings';
import type { Db } from '@linnet/db/database';
import { errors } from 'oidc-provider';
import type { Adapter, Provider } from 'oidc-provider';
import { z } from 'zod';

import type { Consent, RequestingApplication } from '../authorize/interaction.ts';
import { contextClassOf } from '../claims/claims.ts';
import { registrationOf } from '../client/client.ts';
import { groupByResource } from '../grant/consent-grant.ts';
import type { ConsentGrants } from '../grant/consent-grant.ts';
import { endReused } from '../grant/reuse.ts';
import type { ReuseOptions } from '../grant/reuse.ts';
import type { PendingStorage } from '../limits/limit-requests.ts';
import type { BrowserSession } from '../session/session.ts';
import { consumeArtifact, findArtifact, insertArtifact } from '../storage/artifact-store.ts';
import { afterSeconds, sha256, withId } from '../storage/stored-payload.ts';
import type { FindAskedScopes } from '../token/asked-scopes.ts';
import { agentParameter, listResources } from '../token/resource-server.ts';
import { decideDevice, deviceKind, findPendingDevice, pollDevice } from './device-store.ts';

/** A device that waits for a person's decision. */
export interface PendingDevice {
  /** As the device shows it. */
  readonly userCode: string;
  /** It has an owner: applications that registered themselves cannot use the device flow. */
  readonly application: RequestingApplication & { readonly owner: string };
  /** In the order requested. */
  readonly scopes: readonly RequestedScope[];
  /** The audiences that the device may get tokens for. */
  readonly resource: readonly string[];
  /** What the account has granted the application before. */
  readonly earlier: EarlierConsent | undefined;
  /** The request comes from an agent. */
  readonly isAgent: boolean;
}

export interface Devices {
  /** The pending device with this user code, with the scopes compared to the account's grant. */
  find(userCode: string, accountId: number): Promise<PendingDevice | undefined>;
  /** Returns false if it was decided or expired in between. */
  authorize(device: PendingDevice, session: BrowserSession, consent: Consent): Promise<boolean>;
  /** Returns false if it was decided or expired in between. */
  deny(device: PendingDevice): Promise<boolean>;
}

const devicePayload = z.object({
  clientId: z.string(),
  params: z.object({
    scope: z.string().optional(),
    resource: z.union([z.string(), z.array(z.string())]).optional(),
    [agentParameter]: z.string().optional(),
  }),
});

const userCode = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/;

interface DevicesOptions {
  readonly provider: Provider;
  readonly db: Pick<Db, 'query'>;
  readonly grants: ConsentGrants;
  /** That of our own API. */
  readonly audience: string;
  readonly findAskedScopes: FindAskedScopes;
}

export function createDevices({ provider, db, grants, audience, findAskedScopes }: DevicesOptions): Devices {
  return {
    find: async (typed, accountId) => {
      const code = normalize(typed);
      const found = userCode.test(code) ? await findPendingDevice(db, code) : undefined;
      if (found === undefined) return undefined;
      const { clientId, params } = devicePayload.parse(found.payload);
      const client = await provider.Client.find(clientId);
      if (client?.grantTypeAllowed(deviceGrantType) !== true) return undefined;
      const registration = registrationOf(client);
      const { name, owner, type, links, logo } = registration;
      if (owner === null) return undefined;
      const asked = await findAskedScopes(params);
      const requested = describeScopes(asked.scopes, registration, asked.apis);
      const earlier = await grants.findEarlier(accountId, clientId);
      const scopes = compareScopes(requested, earlier);
      const resource = listResources(params.resource ?? audience);
      const application = { clientId, name, owner, type, links, logo };
      return { userCode: display(code), application, scopes, resource, earlier, isAgent: asked.isAgent };
    },
    authorize: async (device, session, { scopes, shownEarlier, duration }) => {
      const found = await findPendingDevice(db, normalize(device.userCode));
      if (found === undefined) return false;
      const accountId = String(session.accountId);
      // Each concurrent decision creates its own grant, so that the losing one revokes only its own.
      const interactionUid = randomUUID();
      const { clientId } = device.application;
      const requested = device.scopes.map(({ scope }) => scope);
      const parties = { sessionUid: session.uid, interactionUid, accountId, clientId, redirectUri: undefined };
      const grantId = await grants.save({ ...parties, requested, granted: scopes, shownEarlier, duration });
      if (grantId === undefined) return false;
      const decision = {
        accountId,
        amr: session.methods,
        acr: contextClassOf(session.methods),
        authTime: Math.floor(session.signedInAt.getTime() / 1000),
        sessionUid: session.uid,
        scope: [...groupByResource(scopes, audience).values()].flat().join(' '),
        resource: device.resource.length === 1 ? device.resource[0] : device.resource,
      };
      if (await decideDevice(db, { idSha256: found.idSha256, decision, grantId })) return true;
      await grants.revoke(interactionUid);
      return false;
    },
    deny: async (device) => {
      const found = await findPendingDevice(db, normalize(device.userCode));
      const decision = { error: 'access_denied', errorDescription: 'the person denied the request' };
      return found !== undefined && (await decideDevice(db, { idSha256: found.idSha256, decision }));
    },
  };
}

/** People may type it in lower case, with or without the hyphen. */
function normalize(typed: string): string {
  return typed.replaceAll(/[\s_-]/g, '').toUpperCase();
}

function display(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The provider creates and exchanges device codes; `device.ts` has the person's decision. */
export function deviceAdapter(options: PendingStorage & ReuseOptions): Partial<Adapter> {
  const { db, admitPending } = options;
  return {
    upsert: async (id, { jti: _jti, ...payload }, ttlSeconds?: number) => {
      await admitPending(deviceKind, payload);
      const expiresAt = afterSeconds(ttlSeconds);
      const artifact = { kind: deviceKind, idSha256: sha256(id), payload, grantId: undefined, expiresAt };
      // Another device shows the same user code, which happens once in billions.
      if (!(await insertArtifact(db, artifact))) throw new errors.TemporarilyUnavailable('try again');
    },
    // The provider calls this when a device polls, and does not limit the rate (RFC 8628 §3.5).
    find: async (id) => {
      if (await pollDevice(db, sha256(id))) throw new errors.SlowDown();
      const found = await findArtifact(db, deviceKind, sha256(id));
      return withId(id, found && { ...found.payload, ...(found.isConsumed ? { consumed: true } : {}) });
    },
    consume: async (id) => {
      if (await consumeArtifact(db, deviceKind, sha256(id))) return;
      await endReused(options, { kind: deviceKind, id, label: 'device code' });
    },
  };
}
