import { webStore } from '@linnet/sdk';
import type { TokenStore } from '@linnet/sdk';

/** An account that is signed in in this tab. */
export interface SignedIn {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly avatar: string;
}

const peopleKey = 'warbler-people';
const currentKey = 'warbler-current';

/** One for each account: the SDK refreshes once for everything that shares a store. */
const stores = new Map<number, TokenStore>();

/** Tokens are in the `sessionStorage`: they end with the tab, and a duplicate of the tab shares them. */
export function storeOf(id: number): TokenStore {
  const store = stores.get(id) ?? webStore(sessionStorage, `warbler-tokens-${String(id)}`);
  stores.set(id, store);
  return store;
}

export function listPeople(): readonly SignedIn[] {
  return JSON.parse(sessionStorage.getItem(peopleKey) ?? '[]') as SignedIn[]; // `keepPerson` wrote it
}

export function findCurrent(): SignedIn | undefined {
  const id = Number(sessionStorage.getItem(currentKey));
  return listPeople().find((person) => person.id === id);
}

/** Adds or updates an account and makes it the current one. */
export function keepPerson({ id, username, displayName, avatar }: SignedIn): void {
  const others = listPeople().filter((person) => person.id !== id);
  save([...others, { id, username, displayName, avatar }]);
  choosePerson(id);
}

export function choosePerson(id: number): void {
  sessionStorage.setItem(currentKey, String(id));
}

/** Removes an account; another one, if any, becomes the current one. */
export function forgetPerson(id: number): void {
  const others = listPeople().filter((person) => person.id !== id);
  save(others);
  const [next] = others;
  if (next === undefined) sessionStorage.removeItem(currentKey);
  else choosePerson(next.id);
}

function save(people: readonly SignedIn[]): void {
  sessionStorage.setItem(peopleKey, JSON.stringify(people));
}
