/**
 * What `linnet demo seed` does: accounts and applications by the rooms that own them, everything else through the
 * running service, as people and applications do it. Each step may be done again: a seed that was interrupted goes on.
 */
import { createAccounts } from '@linnet/accounts/accounts';
import type { Accounts } from '@linnet/accounts/accounts';
import { createApplications } from '@linnet/applications/applications';
import type { ApplicationRequest } from '@linnet/applications/applications';
import type { Db } from '@linnet/db/database';
import { createApplication, memoryStore } from '@linnet/sdk';
import type { Linnet } from '@linnet/sdk';

import { CommandError } from '../failure.ts';
import { agree } from './consent.ts';
import { drawAvatar, drawScene } from './draw.ts';
import { approved, demoPassword, emailOf, follows, people } from './people.ts';
import type { DemoPerson } from './people.ts';
import { posts } from './posts.ts';

export interface DemoApplication {
  readonly clientId: string;
  /** Only in the run that made it. */
  readonly clientSecret: string | undefined;
  readonly name: string;
  readonly owner: string;
}

const redirectUri = 'http://127.0.0.1:4000/callback';

const usual = { scopes: ['users', 'posts'], redirectUris: [], actAsOwner: false, jwksUri: undefined, jwks: undefined };

/** The first is what everybody in the demo posts with. */
const applications: readonly ApplicationRequest[] = [
  { ...usual, owner: 'amina_haddad', name: 'Aviary', type: 'public', redirectUris: [redirectUri] },
  { ...usual, owner: 'rafael_costa', name: 'Porto weather', type: 'confidential', actAsOwner: true },
  {
    ...usual,
    owner: 'camille_roux',
    name: 'Birthday calendar',
    type: 'public',
    scopes: ['users:read', 'email'],
    redirectUris: [redirectUri],
  },
];

/** Who lets the calendar in, too. */
const calendarUsers = ['mara_okafor', 'jonas_feld', 'amina_haddad'];

/** @throws CommandError when the database is not for a demo */
export async function refuseOtherData(db: Db, isForced: boolean): Promise<void> {
  const accounts = createAccounts(db);
  const [first] = people;
  const found = first === undefined ? undefined : await accounts.findByUsername(first.username);
  const isOurs = found !== undefined && first !== undefined && found.email === emailOf(first);
  // The mark is set last: without it an earlier run was interrupted.
  if (isOurs && found.verified) throw new CommandError('demo-exists', 'The demo is there already.');
  if (isOurs || isForced || !(await accounts.hasAny())) return;
  throw new CommandError(
    'accounts-exist',
    'There are accounts already, and a demo should not stand among them. "--force" adds it all the same.',
  );
}

/** Makes the accounts and the applications that are not there yet. @throws AccountTaken */
export async function seedAccounts(db: Db): Promise<readonly DemoApplication[]> {
  const accounts = createAccounts(db);
  for (const person of people) await registerPerson(accounts, person);
  const made: DemoApplication[] = [];
  for (const request of applications) made.push(await registerApplication(db, request));
  return made;
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
  const found = (await registered.list(owner)).find((one) => one.name === name);
  if (found !== undefined) return { clientId: found.clientId, clientSecret: undefined, name, owner };
  const { clientId, clientSecret } = await registered.create(request);
  return { clientId, clientSecret, name, owner };
}

/** Lets the people of the demo live at the service `issuer`. */
export async function seedLife(issuer: string, made: readonly DemoApplication[]): Promise<void> {
  const [aviary, bot, calendar] = made;
  const linnets = new Map<string, Linnet>();
  for (const { username } of people) linnets.set(username, await signIn(issuer, aviary, username));
  for (const username of calendarUsers) await (await signIn(issuer, calendar, username)).users.show();
  for (const person of people) await furnish(linnetOf(linnets, person.username), person);
  await connectPeople(linnets);
  await writePosts(linnets);
  if (bot?.clientSecret === undefined) return;
  const weather = createApplication({ issuer, ...bot, clientSecret: bot.clientSecret }).asItself();
  await weather.posts.create(
    { message: 'Porto, 7:00: 11 °C, chuva fraca até às 10. #meteo' },
    { idempotencyKey: 'demo' },
  );
}

/** Marks the demo as complete; verified accounts are verified last. */
export async function markComplete(db: Db): Promise<void> {
  const accounts = createAccounts(db);
  for (const { username, isVerified } of people.toReversed()) {
    if (isVerified === true) await accounts.setVerified(username, true);
  }
}

function linnetOf(linnets: ReadonlyMap<string, Linnet>, username: string): Linnet {
  const linnet = linnets.get(username);
  if (linnet === undefined) throw new TypeError(`${username} is not in the demo`);
  return linnet;
}

async function signIn(issuer: string, app: DemoApplication | undefined, username: string): Promise<Linnet> {
  const application = createApplication({ issuer, clientId: app?.clientId ?? '' });
  const scope = app?.name === 'Aviary' ? 'users posts' : 'users:read email';
  const { url, attempt } = await application.beginSignIn({ redirectUri, scope });
  const callback = await agree(url, { username, password: demoPassword });
  return application.asPerson(memoryStore(await application.finishSignIn(callback, attempt)));
}

async function furnish(linnet: Linnet, person: DemoPerson): Promise<void> {
  const { username, description, country, language, isProtected } = person;
  const avatar = await upload(linnet, await drawAvatar(username), `avatar ${username}`);
  await linnet.account.update({ description, country, language, avatar, protected: isProtected === true });
}

async function upload(linnet: Linnet, picture: Buffer, key: string): Promise<number> {
  const media = new Blob([new Uint8Array(picture)], { type: 'image/png' });
  return (await linnet.media.upload({ media }, { idempotencyKey: `demo ${key}` })).finally.media_id;
}

async function connectPeople(linnets: ReadonlyMap<string, Linnet>): Promise<void> {
  const ids = new Map<string, number>();
  for (const [username, linnet] of linnets) ids.set(username, (await linnet.users.show()).id);
  const idOf = (username: string) => ids.get(username) ?? 0;
  for (const [username, others] of Object.entries(follows)) {
    for (const other of others) await linnetOf(linnets, username).follows.add({ id: idOf(other) });
  }
  const asked = new Set(approved.map(idOf));
  for (const { username, isProtected } of people) {
    if (isProtected !== true) continue;
    const linnet = linnetOf(linnets, username);
    for await (const { id } of linnet.follows.requests({})) {
      if (asked.has(id)) await linnet.follows.approve({ id });
    }
  }
}

async function writePosts(linnets: ReadonlyMap<string, Linnet>): Promise<void> {
  for (const [index, { by, text, picture, comments = [], reposts = [] }] of posts.entries()) {
    const author = linnetOf(linnets, by);
    const key = `picture ${String(index)}`;
    const media = picture === undefined ? undefined : await upload(author, await drawScene(picture, key), key);
    const create = author.posts.create({ message: text, media }, { idempotencyKey: `demo post ${String(index)}` });
    const { id } = (await create).items;
    for (const [number, [who, said]] of comments.entries()) {
      const idempotencyKey = `demo comment ${String(index)} ${String(number)}`;
      await linnetOf(linnets, who).comments.create({ item_id: id, text: said }, { idempotencyKey });
    }
    for (const who of reposts) await linnetOf(linnets, who).reposts.add({ item_id: id });
    for (const who of likersOf(index, by)) await linnetOf(linnets, who).likes.add({ item_id: id });
  }
}

/** Some of those who can see it: the protected account's posts are for its followers. */
function likersOf(index: number, author: string): readonly string[] {
  const isProtected = people.some((one) => one.username === author && one.isProtected === true);
  const readers = isProtected ? approved : people.map(({ username }) => username);
  return readers.filter((username, reader) => username !== author && (index * 5 + reader * 3) % 7 < 4);
}
