// Keeps the files of the client itself, so that it opens without a connection. It leaves alone everything else
// (the API, the tokens, pictures), everything but GET, and every address with parameters (the sign-in).
// It also shows what the service pushes.
const cacheName = 'linnet-client-%version%';
const files = JSON.parse('%files%');

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)));
});

self.addEventListener('activate', (event) => {
  const removeOld = caches
    .keys()
    .then((names) =>
      Promise.all(
        names
          .filter((name) => name.startsWith('linnet-client-') && name !== cacheName)
          .map((name) => caches.delete(name)),
      ),
    );
  event.waitUntil(removeOld);
});

self.addEventListener('fetch', (event) => {
  const { method, url, mode } = event.request;
  const { origin, pathname, search } = new URL(url);
  if (method !== 'GET' || origin !== self.location.origin || search !== '') return;
  if (mode === 'navigate' && /^\/home(?:\/|$)/.test(pathname)) {
    // The newest page if there is a connection; every page is the same file.
    event.respondWith(fetch(event.request).catch(() => caches.match('/home')));
  } else if (files.includes(pathname)) {
    event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(event.request)));
  }
});

self.addEventListener('push', (event) => event.waitUntil(announce(event.data.json())));

async function announce(item) {
  const windows = await self.clients.matchAll({ type: 'window' });
  // The person is looking at it.
  if (windows.some((one) => one.focused)) return;
  await self.registration.showNotification(await titleOf(item), {
    body: item.text,
    icon: item.user?.avatar ?? '/home/icon-192.png',
    badge: '/home/icon-192.png',
    // A later one about the same post replaces it.
    tag: `${item.type} ${item.post_id ?? item.id}`,
    timestamp: Date.parse(item.created_at),
    data: { path: pathOf(item) },
  });
}

/** In the language that the person reads the client in (src/session/push.ts). */
async function titleOf({ type, count, user, application }) {
  const name = user?.displayName ?? application ?? '';
  const kept = await caches.match('/home/push-texts', { cacheName: 'linnet-push' });
  if (kept === undefined) return name;
  const texts = await kept.json();
  if (name === '') return texts.own;
  const who = count > 1 && user !== undefined ? texts.others.replace('%count%', count - 1) : '%who%';
  return texts[type].replace('%who%', () => who).replace('%who%', () => name);
}

function pathOf({ type, post_id: post, user }) {
  if (type === 'proposal' || type === 'draft_failed') return '/home/drafts';
  if (post !== undefined) return `/home/p/${post}`;
  return type === 'follow_request' ? '/home/requests' : `/home/@${user.username}`;
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

async function open(path) {
  const [shown] = await self.clients.matchAll({ type: 'window' });
  if (shown === undefined) await self.clients.openWindow(path);
  else await (await shown.focus()).navigate(path);
}
