import { createPersonalInvitation } from '@linnet/accounts/registrations/invitation-store';

import { openEvents } from '../support/api/event-client.ts';
import type { EventClient } from '../support/api/event-client.ts';
import { createBrowser } from '../support/auth/browser.ts';
import type { Browser, Page } from '../support/auth/browser.ts';
import { connect } from '../support/auth/connected.ts';
import type { Connected } from '../support/auth/connected.ts';
import type { DocumentServer } from '../support/auth/document-server.ts';
import { linkIn, mailTo } from '../support/auth/mailbox.ts';
import { registerPerson, signIn } from '../support/auth/person.ts';
import type { Person } from '../support/auth/person.ts';
import { createRegistrar } from '../support/auth/registrar.ts';
import { basic, forDevices } from '../support/auth/running-auth.ts';
import type { SignalReceiver } from '../support/auth/signal-receiver.ts';
import { pngImage } from '../support/media/images.ts';

import type { Credentials, RevocationServers } from '../support/revocation-servers.ts';
import { eventually } from '../support/service.ts';
import { registerListeningApi } from './listening-api.ts';
import type { ListeningApi } from './listening-api.ts';

/** What someone with the password of an account, or with its applications, can leave behind. */
export interface Takeover {
  readonly person: Person;
  /** The browser of the person who uses the remedy. */
  readonly own: Browser;
  readonly other: Browser;
  /** An application of another owner that the person authorized. */
  readonly app: Connected;
  readonly appOwner: Person;
  /** Of `app`, opened with its access token. */
  readonly stream: EventClient;
  /** A callback of `app` whose code was not exchanged. */
  readonly callback: Page;
  /** Of `app`, approved and not exchanged. */
  readonly deviceCode: string;
  /** An open consent page of `app` in `other`. */
  readonly consentPage: Page;
  /** URL that starts a pushed request of `app`. */
  readonly pushed: string;
  /** The person's own application, which acts as its owner and which another person authorized. */
  readonly bot: Connected;
  readonly botToken: string;
  /** URL that starts a pushed request of `bot`, for `reader`. */
  readonly botPushed: string;
  /** The browser of the other person. */
  readonly reader: Browser;
  readonly readerId: number;
  /** An application that registered itself and that the person authorized. */
  readonly agent: Connected;
  /** A client with a metadata document that the person authorized. */
  readonly documented: Connected;
  /** A registered API of another owner, and tokens of `app` and `bot` for it. */
  readonly api: ListeningApi;
  readonly apiToken: string;
  readonly botApiToken: string;
  readonly changeLink: string;
  readonly resetLink: string;
  /** The code of an invitation by the person. */
  readonly invitation: string;
  /** URL of an uploaded image. */
  readonly mediaPath: string;
}

/** Nobody listens there: whether an event has a delivery shows whether the application may receive it. */
async function addWebhook({ database: { db } }: RevocationServers, clientId: string): Promise<void> {
  await db.prisma.webhookEndpoint.create({
    data: { clientId, url: 'http://127.0.0.1:9/', events: ['post_deleted'], secretJwe: '-' },
  });
}

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Creates takeovers. Two other people take part in all of them: an owner of applications and a reader. Each has an API of another owner.
 */
export async function prepareTakeovers(
  servers: RevocationServers,
  { documents, receiver }: { readonly documents: DocumentServer; readonly receiver: SignalReceiver },
): Promise<(username: string) => Promise<Takeover>> {
  const { db } = servers.database;
  const appOwner = await registerPerson(db, 'remedy_app_owner');
  const readingPerson = await registerPerson(db, 'remedy_reader');
  const reader = createBrowser(servers.auth);
  await signIn(reader, readingPerson);

  return async (username) => {
    const person = await registerPerson(db, username);
    const [own, other] = [createBrowser(servers.auth), createBrowser(servers.auth)];
    await signIn(own, person);
    await signIn(other, person);
    const app = await connect(servers.auth, other, { owner: appOwner.username, ...forDevices });
    const bot = await connect(servers.auth, reader, { owner: username, actAsOwner: true });
    const agent = await connectAgent(servers, other);
    const documented = await connectDocumented(servers, other, documents);
    const api = await registerListeningApi(servers, receiver);
    const apiToken = await requestApiToken(other, app, api.identifier);
    const botApiToken = await requestApiToken(reader, bot, api.identifier);
    const botToken = (await issueToken(servers, bot)) ?? '';
    const thief = `thief_of_${username}@example.org`;
    await sendChangeForm(other, person, thief);
    await sendResetForm(servers, person);
    for (const { clientId } of [app, bot]) await addWebhook(servers, clientId);
    const takeover = {
      readerId: readingPerson.id,
      ...{ person, own, other, reader, app, appOwner, bot, botToken, agent, documented },
      ...{ api, apiToken, botApiToken },
      stream: await openStream(servers, app.accessToken),
      callback: await app.authorize(other),
      deviceCode: await approveDevice(servers, other, app),
      consentPage: await app.send(other, { prompt: 'consent' }),
      pushed: await push(servers, app),
      botPushed: await push(servers, bot),
      mediaPath: await upload(servers, botToken),
      changeLink: await waitForLink(servers, { to: thief, subject: changeSubject }),
      resetLink: await waitForLink(servers, { to: person.email, subject: resetSubject }),
    };
    await addFactors(servers, person);
    const invitation = await createPersonalInvitation(db, person.id, { note: '', maxUses: 10_000, days: 1 });
    return { ...takeover, invitation: invitation?.code ?? '' };
  };
}

async function openStream(servers: RevocationServers, token: string): Promise<EventClient> {
  const headers = {
    host: new URL(servers.auth.baseUrl).host,
    accept: 'text/event-stream',
    authorization: `Bearer ${token}`,
  };
  const stream = await openEvents({ port: servers.apiPort(0), path: '/api/v2.0/events', headers });
  if (stream.status !== 200) throw new Error(`the stream: ${String(stream.status)}`);
  return stream;
}

/** A confidential one, so that it has a secret that an operator can rotate. */
async function connectAgent({ auth }: RevocationServers, browser: Browser): Promise<Connected> {
  const redirectUris = ['https://agent.example/callback'];
  const { clientId, json } = await createRegistrar(auth).register({
    client_name: 'Agent',
    redirect_uris: redirectUris,
  });
  const clientSecret = String(json['client_secret']);
  const register = () => Promise.resolve({ clientId, clientSecret, name: 'Agent', redirectUris, scopes: [] });
  return await connect({ ...auth, register }, browser, { redirectUris });
}

let documentCount = 0;

/** Each client has a document of its own, because operators act on clients. */
async function connectDocumented(
  { auth }: RevocationServers,
  browser: Browser,
  documents: DocumentServer,
): Promise<Connected> {
  documentCount += 1;
  const redirectUris = ['http://127.0.0.1:9/callback'];
  const metadata = { client_name: 'Agent', application_type: 'web', redirect_uris: redirectUris };
  const clientId = documents.serveClient(`/client-${String(documentCount)}.json`, metadata);
  const register = () => Promise.resolve({ clientId, name: 'Agent', redirectUris, scopes: [] });
  return await connect({ ...auth, register }, browser, { type: 'public', redirectUris });
}

async function requestApiToken(browser: Browser, app: Connected, resource: string): Promise<string> {
  const page = await app.send(browser, { resource, scope: 'notes:read' });
  const callback = await browser.submit(page, page.formWith('decision', 'allow'), { decision: 'allow' });
  return (await app.exchange(callback)).json.access_token;
}

function credentialsOf({ clientId, clientSecret }: Connected): Credentials {
  return { clientId, clientSecret };
}

/** A token by client credentials; undefined if it is refused. */
export async function issueToken(servers: RevocationServers, bot: Connected): Promise<string | undefined> {
  const form = { grant_type: 'client_credentials' };
  const { status, json } = await servers.auth.requestToken(form, basic(bot.clientId, bot.clientSecret));
  return status === 200 ? json.access_token : undefined;
}

async function approveDevice(servers: RevocationServers, browser: Browser, app: Connected): Promise<string> {
  const { json } = await servers.manage('/oauth/device_authorization', credentialsOf(app), { scope: 'users posts' });
  const page = await browser.open('/oauth/device');
  const shown = await browser.submit(page, page.formWith('user_code'), { user_code: String(json['user_code']) });
  await browser.submit(shown, shown.formWith('decision', 'allow'), { decision: 'allow' });
  return String(json['device_code']);
}

async function push(servers: RevocationServers, app: Connected): Promise<string> {
  const form = Object.fromEntries(new URL(app.authorizationAddress(), servers.auth.baseUrl).searchParams);
  const { json } = await servers.manage('/oauth/par', credentialsOf(app), form);
  const query = new URLSearchParams({ client_id: app.clientId, request_uri: String(json['request_uri']) });
  return `/oauth/authorize?${query.toString()}`;
}

async function upload(servers: RevocationServers, token: string): Promise<string> {
  const form = new FormData();
  form.append('media', new Blob([new Uint8Array(await pngImage())]), 'pixel.png');
  const encoded = new Response(form);
  const body = Buffer.from(await encoded.arrayBuffer());
  const type = encoded.headers.get('content-type') ?? '';
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': type };
  const sent = { method: 'POST', path: '/api/v2.0/media/upload', headers, body };
  const { json } = await servers.sendApi(0, sent);
  const target = `GET /media/show?id=${String(Reflect.get(Object(json['finally']), 'media_id'))}`;
  const shown = JSON.stringify(await servers.requestApi(0, { target, token }));
  const path = /\/media\/display\/[0-9a-f]{32}\.png/.exec(shown)?.[0];
  if (path === undefined) throw new Error(`the record has no URL: ${shown}`);
  return path;
}

async function addFactors({ database: { db } }: RevocationServers, { id, username }: Person): Promise<void> {
  const credentialId = Buffer.from(username.padEnd(16));
  const passkey = { accountId: id, credentialId, publicKey: Buffer.alloc(77), name: 'Key' };
  await db.prisma.passkey.create({ data: passkey });
  await db.prisma.totp.create({ data: { accountId: id, secretJwe: '-', lastStep: 1 } });
  const identity = { accountId: id, issuer: 'https://id.example', subject: username, name: 'Example' };
  await db.prisma.upstreamIdentity.create({ data: identity });
  // As if each session of the person had begun with it.
  await db.prisma.session.updateMany({ where: { accountId: id }, data: { issuer: identity.issuer } });
}

/** The link of the newest mail to an address whose subject starts so, apart from `earlier`. */
export async function waitForLink(
  servers: RevocationServers,
  { to, subject, earlier }: { readonly to: string; readonly subject: string; readonly earlier?: string },
): Promise<string> {
  let link = '';
  await eventually(`the mail "${subject}" arrives`, async () => {
    const received = await mailTo(servers.mailDirectory, to);
    const links = received.filter((mail) => mail.subject.startsWith(subject)).map(linkIn);
    link = links.findLast((found) => found !== earlier) ?? '';
    return link !== '';
  });
  return link;
}

const changeSubject = 'Confirm your new';
const resetSubject = 'Reset';

async function sendChangeForm(browser: Browser, { password }: Person, email: string): Promise<void> {
  const page = await browser.open('/account/email');
  await browser.submit(page, page.formOf('change-email'), { email, current_password: password });
}

/** Requests another address on the page of the person. Returns the link that confirms it. */
export async function requestChange(
  servers: RevocationServers,
  { own, person }: Takeover,
  email: string,
): Promise<string> {
  await sendChangeForm(own, person, email);
  return await waitForLink(servers, { to: email, subject: changeSubject });
}

async function sendResetForm(servers: RevocationServers, { email }: Person): Promise<void> {
  const browser = createBrowser(servers.auth);
  const page = await browser.open('/password/forgot');
  await browser.submit(page, page.formWith('email'), { email });
}

/** Requests another link that resets the password. */
export async function requestReset(servers: RevocationServers, { person, resetLink }: Takeover): Promise<string> {
  await sendResetForm(servers, person);
  return await waitForLink(servers, { to: person.email, subject: resetSubject, earlier: resetLink });
}
