/** Who is signed in in this browser, so that pages are shown before the service has said so. */
export interface SignedIn {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly avatar: string;
}

const key = 'linnet-client-person';

export function findPerson(): SignedIn | undefined {
  const text = localStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as SignedIn); // `keepPerson` wrote it
}

export function keepPerson({ id, username, displayName, avatar }: SignedIn): void {
  localStorage.setItem(key, JSON.stringify({ id, username, displayName, avatar }));
}

export function forgetPerson(): void {
  localStorage.removeItem(key);
}
