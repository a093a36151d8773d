/** Who is signed in in this browser, so that pages are shown before the service has said so. */
export interface SignedIn {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly avatar: string;
}

const key = 'linnet-client-person';
/** Copies of what the person read (data/read-copies.ts). */
export const copiesCache = 'linnet-read';

export function findPerson(): SignedIn | undefined {
  const text = localStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as SignedIn); // `keepPerson` wrote it
}

export function keepPerson({ id, username, displayName, avatar }: SignedIn): void {
  if (findPerson()?.id !== id) forgetCopies();
  localStorage.setItem(key, JSON.stringify({ id, username, displayName, avatar }));
}

export function forgetPerson(): void {
  localStorage.removeItem(key);
  forgetCopies();
}

function forgetCopies(): void {
  // Without storage there are none.
  caches.delete(copiesCache).catch(() => undefined);
}
