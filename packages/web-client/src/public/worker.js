// Keeps the files of the client itself, so that it opens without a connection. It leaves alone everything else
// (the API, the tokens, pictures), everything but GET, and every address with parameters (the sign-in).
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
