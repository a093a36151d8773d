// Clients whose client_id is the URL of their metadata document, over real HTTP.
import { findLastAuditEvents } from '@linnet/audit/audit-store';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { authorizationAddress, startDocumentWorld } from '@linnet/test/auth/document-world';
import type { DocumentWorld } from '@linnet/test/auth/document-world';
import { mailTo } from '@linnet/test/auth/mailbox';
import { basic } from '@linnet/test/auth/running-auth';

let world: DocumentWorld;
beforeAll(async () => {
  world = await startDocumentWorld(inject('databaseServer'));
});
afterAll(async () => await world[Symbol.asyncDispose]());

describe('a client with a document', () => {
  test('D118 a person signs in; the pages show the host and say that it is not verified', async () => {
    const { path, clientId } = world.serveClient();
    const { host } = new URL(clientId);
    const page = await world.open(clientId);
    expect(page.html).toContain('data-testid="unverified-host"');
    expect(page.text).toContain('Weather agent');
    expect(page.text).toContain(`Developer ${host} , not verified`);
    expect(page.text).toContain('other programs can claim to come from');
    const connected = await world.connectTo(clientId);
    expect(decodeJwt(connected.accessToken)).toMatchObject({ client_id: clientId, acct: world.person.id });
    const refreshed = await connected.refresh(connected.refreshToken);
    expect([refreshed.status, refreshed.json['app_id']]).toEqual([200, clientId]);
    expect(world.server.requests(path)).toHaveLength(1);
    const list = await world.browser.open('/account/applications');
    expect(list.text).toContain(`from ${host} , not verified`);
    await world.auth.deliverMail();
    const mails = await mailTo(world.auth.mailDirectory, world.person.email);
    expect(mails.map(({ text }) => text)).toContainEqual(expect.stringContaining(`“Weather agent” from ${host}`));
    const events = await findLastAuditEvents(world.auth.db, 1000);
    expect(
      events.filter((event) => event.clientId === clientId).map(({ event, actor }) => [event, actor]),
    ).toContainEqual(['application.created', 'application']);
  });

  test('its person changes and revokes its access under “Connected apps”', async () => {
    const { clientId } = world.serveClient();
    const connected = await world.connectTo(clientId);
    const list = await world.browser.open('/account/applications');
    const page = await world.browser.open(`/account/applications/${encodeURIComponent(clientId)}`, list);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(clientId)]);
    const changed = await world.browser.submit(page, page.formOf('change-application'), {
      scope: [],
      duration: 'month',
    });
    expect(changed.status).toBe(200);
    await world.browser.submit(changed, changed.formOf('revoke-application'));
    expect((await connected.refresh(connected.refreshToken)).json['error']).toBe('invalid_grant');
  });

  test('pushes its requests, revokes its tokens, and may name itself with HTTP Basic', async () => {
    const { clientId } = world.serveClient();
    const pushed = await world.auth.send({
      method: 'POST',
      path: '/oauth/par',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: authorizationAddress(clientId).replace(/^.*\?/, ''),
    });
    expect(pushed.status).toBe(201);
    const connected = await world.connectTo(clientId);
    const encoded = encodeURIComponent(clientId);
    const form = { grant_type: 'refresh_token', refresh_token: connected.refreshToken };
    const refreshed = await world.auth.requestToken(form, basic(encoded, ''));
    expect(refreshed.status).toBe(200);
    const revoked = await world.auth.send({
      method: 'POST',
      path: '/oauth/revoke',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: clientId, token: String(refreshed.json['refresh_token']) }).toString(),
    });
    expect(revoked.status).toBe(200);
    expect((await connected.refresh(String(refreshed.json['refresh_token']))).json['error']).toBe('invalid_grant');
  });
});
