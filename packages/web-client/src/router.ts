import { createCell } from './data/cell.ts';

export type ProfileTab = 'posts' | 'likes' | 'followers' | 'following';

const pages = [
  'feed',
  'explore',
  'requests',
  'notifications',
  'bookmarks',
  'drafts',
  'hashtags',
  'filters',
  'muted',
  'blocked',
  'settings',
] as const;

export type Route =
  | { readonly page: (typeof pages)[number] | 'missing' }
  | { readonly page: 'profile'; readonly username: string; readonly tab: ProfileTab }
  | { readonly page: 'post'; readonly id: number }
  | { readonly page: 'hashtag'; readonly hashtag: string };

const base = '/home';

/** The addresses of the pages. */
export const paths = {
  feed: base,
  /** Where the answer to a sign-in arrives. */
  callback: `${base}/callback`,
  explore: `${base}/explore`,
  requests: `${base}/requests`,
  notifications: `${base}/notifications`,
  bookmarks: `${base}/bookmarks`,
  drafts: `${base}/drafts`,
  hashtags: `${base}/hashtags`,
  filters: `${base}/filters`,
  muted: `${base}/muted`,
  blocked: `${base}/blocked`,
  settings: `${base}/settings`,
  profile: (username: string, tab: ProfileTab = 'posts') => `${base}/@${username}${tab === 'posts' ? '' : `/${tab}`}`,
  post: (id: number) => `${base}/p/${String(id)}`,
  /** Without the # sign. */
  hashtag: (hashtag: string) => `${base}/tags/${encodeURIComponent(hashtag)}`,
};

const hashtagPath = /^\/home\/tags\/([^/]+)$/;
const profilePath = /^\/home\/@(\w+)(?:\/(likes|followers|following))?$/;

export function parseRoute(path: string): Route {
  const page = pages.find((one) => path === paths[one]);
  if (page !== undefined) return { page };
  const post = /^\/home\/p\/(\d{1,16})$/.exec(path);
  if (post !== null) return { page: 'post', id: Number(post[1]) };
  const hashtag = parseHashtag(path);
  if (hashtag !== undefined) return { page: 'hashtag', hashtag };
  const [, username, tab = 'posts'] = profilePath.exec(path) ?? [];
  if (username === undefined) return { page: 'missing' };
  return { page: 'profile', username, tab: tab as ProfileTab }; // the pattern allows no other
}

/** Addresses that people type can contain a % that encodes nothing. */
function parseHashtag(path: string): string | undefined {
  try {
    return hashtagPath.exec(decodeURIComponent(path))?.[1];
  } catch {
    return undefined;
  }
}

/** The path that is shown; people type a slash at the end, too. */
export const currentPath = createCell(readPath());

function readPath(): string {
  return location.pathname.replace(/\/+$/, '');
}

/** Scroll positions by entry of the history: pages load their lists from memory, so going back restores both. */
const scrollPositions = new Map<number, number>();
let entry = 0;

export function navigate(path: string): void {
  scrollPositions.set(entry, scrollY);
  entry += 1;
  history.pushState({ entry }, '', path);
  currentPath.set(path);
  scrollTo(0, 0);
}

/** Shows the page that belongs to the address, also after "back". */
export function startRouter(): void {
  history.scrollRestoration = 'manual';
  currentPath.set(readPath());
  history.replaceState({ entry }, '', currentPath.get());
  addEventListener('popstate', ({ state }) => {
    scrollPositions.set(entry, scrollY);
    entry = Number(Reflect.get(Object(state), 'entry') ?? 0);
    currentPath.set(readPath());
    requestAnimationFrame(() => scrollTo(0, scrollPositions.get(entry) ?? 0));
  });
  document.addEventListener('click', (event) => {
    const path = pathOfClick(event);
    if (path === undefined) return;
    event.preventDefault();
    navigate(path);
  });
}

/** To the previous page of the client, or to the feed if this is the first. */
export function goBack(): void {
  if (entry > 0) history.back();
  else navigate(paths.feed);
}

/** The path of a link of the client, or of a card with `data-href`, that was clicked to be opened in this tab. */
function pathOfClick(event: MouseEvent): string | undefined {
  const { target } = event;
  if (!(target instanceof Element) || event.defaultPrevented || !isPlain(event)) return undefined;
  const link = target.closest('a');
  if (link === null) return pathOfCard(target);
  const isOwn = link.origin === location.origin && link.target === '' && link.hash === '';
  return isOwn && isClientPath(link.pathname) ? link.pathname : undefined;
}

/** Other pages of the service are loaded as such. */
function isClientPath(path: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

/** Not one of the clicks that open another tab or window. */
function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && ![ctrlKey, metaKey, shiftKey, altKey].includes(true);
}

/** Cards open as a whole, except where they have controls, and while text is being selected. */
function pathOfCard(target: Element): string | undefined {
  if (target.closest('button, input, textarea, label, dialog') !== null) return undefined;
  if (getSelection()?.isCollapsed === false) return undefined;
  return target.closest<HTMLElement>('[data-href]')?.dataset['href'];
}
