/**
 * `linnet demo seed`: creates accounts and applications in the database, and everything else through the API of the
 * running service. Every step can be repeated, so a second run completes an interrupted one.
 */
import { createAccounts } from '@linnet/accounts/accounts';
import type { Accounts } from '@linnet/accounts/accounts';
import { createApplications } from '@linnet/applications/applications';
import type { ApplicationRequest } from '@linnet/applications/applications';
import type { Db } from '@linnet/db/database';
import { createApplication, memoryStore } from '@linnet/sdk';
import type { Linnet } from '@linnet/sdk';

import { CommandError } from '../failure.ts';
import { authorize } from './authorize.ts';
import { drawAvatar, drawScene } from './draw.ts';
import { approvedFollowers, demoPassword, emailOf, follows, people } from './people.ts';
import type { DemoPerson } from './people.ts';
import { posts } from './posts.ts';

export interface DemoApplication {
  readonly clientId: string;
  /** Only in the run that created it. */
  readonly clientSecret: string | undefined;
  readonly name: string;
  readonly owner: string;
}

/** The created applications. */
export interface DemoApplications {
  readonly aviary: DemoApplication;
  readonly weatherBot: DemoApplication;
  readonly calendar: DemoApplication;
}

const redirectUri = 'http://127.0.0.1:4000/callback';

const defaults = {
  scopes: ['users', 'posts'],
  redirectUris: [],
  actAsOwner: false,
  jwksUri: undefined,
  jwks: undefined,
};

/** What everyone in the demo posts with. */
const aviary: ApplicationRequest = {
  ...defaults,
  owner: 'amina_haddad',
  name: 'Aviary',
  type: 'public',
  redirectUris: [redirectUri],
};
/** Posts as its owner, with client credentials. */
const weatherBot: ApplicationRequest = {
  ...defaults,
  owner: 'rafael_costa',
  name: 'Porto weather',
  type: 'confidential',
  actAsOwner: true,
};

const calendar: ApplicationRequest = {
  ...defaults,
  owner: 'camille_roux',
  name: 'Birthday calendar',
  type: 'public',
  scopes: ['users:read', 'email'],
  redirectUris: [redirectUri],
};

/** People who also authorize the calendar. */
const calendarUsers = ['mara_okafor', 'jonas_feld', 'amina_haddad'];

/** @throws CommandError if the database already has the demo data, or other accounts and `isForced` is false */
export async function requireDemoDatabase(db: Db, isForced: boolean): Promise<void> {
  const accounts = createAccounts(db);
  const [first] = people;
  const found = first === undefined ? undefined : await accounts.findByUsername(first.username);
  const isDemo = found !== undefined && first !== undefined && found.email === emailOf(first);
  // A run verifies this account last. If it is not verified, an earlier run was interrupted.
  if (isDemo && found.verified) throw new CommandError('demo-exists', 'The demo data already exists.');
  if (isDemo || isForced || !(await accounts.hasAny())) return;
  throw new CommandError('accounts-exist', 'The database has other accounts. "--force" adds the demo data anyway.');
}

/** Creates missing accounts and applications. @throws AccountTaken */
export async function seedAccounts(db: Db): Promise<DemoApplications> {
  const accounts = createAccounts(db);
  for (const person of people) await registerPerson(accounts, person);
  return {
    aviary: await registerApplication(db, aviary),
    weatherBot: await registerApplication(db, weatherBot),
    calendar: await registerApplication(db, calendar),
  };
}

async function registerPerson(accounts: Accounts, person: DemoPerson): Promise<void> {
  const { username, firstName, lastName } = person;
  const email = emailOf(person);
  const found = await accounts.findByUsername(username);
  if (found?.email === email) return;
  await accounts.register({ username, firstName, lastName, email, password: demoPassword });
}

async function registerApplication(db: Db, request: ApplicationRequest): Promise<DemoApplication> {
  const { owner, name } = request;
  const registered = createApplications(db);
  const found = (await registered.list(owner)).find((application) => application.name === name);
  if (found !== undefined) return { clientId: found.clientId, clientSecret: undefined, name, owner };
  const { clientId, clientSecret } = await registered.create(request);
  return { clientId, clientSecret, name, owner };
}

/** Creates profiles, follows, posts and reactions through the API of the service at `issuer`. */
export async function seedContent(issuer: string, applications: DemoApplications): Promise<void> {
  const { aviary: app, weatherBot: bot, calendar: birthdays } = applications;
  const linnets = new Map<string, Linnet>();
  for (const { username } of people) linnets.set(username, await signIn(issuer, app, username));
  for (const username of calendarUsers) await (await signIn(issuer, birthdays, username)).users.show();
  for (const person of people) await updateProfile(linnetOf(linnets, person.username), person);
  await connectPeople(linnets);
  await writePosts(linnets);
  if (bot.clientSecret === undefined) return;
  const weather = createApplication({ issuer, ...bot, clientSecret: bot.clientSecret }).asItself();
  await weather.posts.create(
    { message: 'Porto, 7:00: 11 °C, chuva fraca até às 10. #meteo' },
    { idempotencyKey: 'demo' },
  );
}

/** Verifies accounts, the first one last: `requireDemoDatabase` takes it as the sign of a complete run. */
export async function markComplete(db: Db): Promise<void> {
  const accounts = createAccounts(db);
  for (const { username, isVerified } of people.toReversed()) {
    if (isVerified === true) await accounts.setVerified(username, true);
  }
}

function linnetOf(linnets: ReadonlyMap<string, Linnet>, username: string): Linnet {
  const linnet = linnets.get(username);
  if (linnet === undefined) throw new TypeError(`${username} is not a demo account`);
  return linnet;
}

async function signIn(issuer: string, { clientId, name }: DemoApplication, username: string): Promise<Linnet> {
  const application = createApplication({ issuer, clientId });
  const scope = name === aviary.name ? 'users posts' : 'users:read email';
  const { url, attempt } = await application.beginSignIn({ redirectUri, scope });
  const callback = await authorize(url, { username, password: demoPassword });
  return application.asPerson(memoryStore(await application.finishSignIn(callback, attempt)));
}

async function updateProfile(linnet: Linnet, person: DemoPerson): Promise<void> {
  const { username, description, country, language, isProtected } = person;
  const avatar = await upload(linnet, await drawAvatar(username), `avatar ${username}`);
  await linnet.account.update({ description, country, language, avatar, protected: isProtected === true });
}

async function upload(linnet: Linnet, picture: Buffer, key: string): Promise<number> {
  const media = new Blob([new Uint8Array(picture)], { type: 'image/png' });
  return (await linnet.media.upload({ media }, { idempotencyKey: `demo ${key}` })).media_id;
}

async function connectPeople(linnets: ReadonlyMap<string, Linnet>): Promise<void> {
  const ids = new Map<string, number>();
  for (const [username, linnet] of linnets) ids.set(username, (await linnet.users.show()).id);
  const idOf = (username: string) => {
    const id = ids.get(username);
    if (id === undefined) throw new TypeError(`${username} is not a demo account`);
    return id;
  };
  for (const [username, others] of Object.entries(follows)) {
    for (const other of others) await linnetOf(linnets, username).follows.add({ id: idOf(other) });
  }
  const approvedIds = new Set(approvedFollowers.map(idOf));
  for (const { username, isProtected } of people) {
    if (isProtected !== true) continue;
    const linnet = linnetOf(linnets, username);
    for await (const { id } of linnet.follows.requests({})) {
      if (approvedIds.has(id)) await linnet.follows.requestsApprove({ id });
    }
  }
}

async function writePosts(linnets: ReadonlyMap<string, Linnet>): Promise<void> {
  for (const [index, { by, text, picture, comments = [], reposts = [] }] of posts.entries()) {
    const author = linnetOf(linnets, by);
    const key = `picture ${String(index)}`;
    const media = picture === undefined ? undefined : await upload(author, await drawScene(picture, key), key);
    const { id } = await author.posts.create(
      { message: text, media },
      { idempotencyKey: `demo post ${String(index)}` },
    );
    for (const [number, [who, comment]] of comments.entries()) {
      const idempotencyKey = `demo comment ${String(index)} ${String(number)}`;
      await linnetOf(linnets, who).comments.create(id, comment, { idempotencyKey });
    }
    for (const who of reposts) await linnetOf(linnets, who).reposts.add(id);
    for (const who of likersOf(index, by)) await linnetOf(linnets, who).likes.add(id);
  }
}

/** Some of the people who can see the post. Only approved followers see the posts of the protected account. */
function likersOf(index: number, author: string): readonly string[] {
  const isProtected = people.some((person) => person.username === author && person.isProtected === true);
  const readers = isProtected ? approvedFollowers : people.map(({ username }) => username);
  return readers.filter((username, reader) => username !== author && (index * 5 + reader * 3) % 7 < 4);
}
