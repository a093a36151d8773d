/**
 * The scripts on both sides of the sandbox. Scalar's script runs in a document of an opaque origin: it has no cookies, no
 * storage, and cannot read our pages. `hostScript` runs in the page around it, and does two things on its request: it
 * opens the authorization page, always with consent, and it sends token requests without cookies.
 */

/** Runs in the page around the sandbox, on our origin. */
export const hostScript = `(() => {
  const frame = document.getElementById('reference');
  const query = new URLSearchParams(location.search);
  // The window that returns with a code; the one that opened it reads its address.
  if (query.has('code') || query.has('error')) return;

  const address = () => new URL(frame.dataset.source + location.hash, location.href).href;
  const post = (message) => frame.contentWindow.postMessage(message, '*');
  frame.src = address();
  addEventListener('hashchange', () => frame.contentWindow.location.replace(address()));

  const readCallback = (popup) => {
    try {
      const { origin, pathname, search, hash, href } = popup.location;
      const given = new URLSearchParams(search || hash.slice(1));
      const isCallback = origin === location.origin && pathname === location.pathname;
      return isCallback && (given.has('code') || given.has('error')) ? href : undefined;
    } catch {
      return undefined; // a page of another origin
    }
  };

  const authorize = (id, requested) => {
    const url = new URL(requested, location.href);
    if (url.origin !== location.origin || url.pathname !== '/oauth/authorize') return;
    url.searchParams.set('prompt', 'consent');
    // The parameters of a pushed request or a request object would replace this prompt.
    for (const name of ['request', 'request_uri']) url.searchParams.delete(name);
    const popup = open(url, 'authorization', 'left=100,top=100,width=800,height=600');
    if (popup === null) return post({ id, closed: true });
    const timer = setInterval(() => {
      const href = readCallback(popup);
      if (href === undefined && !popup.closed) return;
      clearInterval(timer);
      popup.close();
      post(href === undefined ? { id, closed: true } : { id, href });
    }, 200);
  };

  const requestToken = async (id, body, authorization) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' };
    if (typeof authorization === 'string') headers.Authorization = authorization;
    try {
      const response = await fetch('/oauth/token', { method: 'POST', credentials: 'omit', headers, body: String(body) });
      post({ id, status: response.status, text: await response.text() });
    } catch {
      post({ id, failed: true });
    }
  };

  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow || typeof data !== 'object' || data === null) return;
    if (data.kind === 'authorize') authorize(data.id, String(data.url));
    else if (data.kind === 'token') requestToken(data.id, data.body, data.authorization);
    else if (data.kind === 'hash' && /^#[^#]*$/.test(data.hash)) history.replaceState(null, '', data.hash);
  });
})();
`;

/** Runs in the sandbox before Scalar. Replaces what an opaque origin has not: storage, the popup, the token request. */
export const sandboxScript = `(() => {
  const createStorage = () => {
    const items = new Map();
    return {
      get length() { return items.size; },
      key: (index) => [...items.keys()][index] ?? null,
      getItem: (name) => items.get(String(name)) ?? null,
      setItem: (name, value) => void items.set(String(name), String(value)),
      removeItem: (name) => void items.delete(String(name)),
      clear: () => items.clear(),
    };
  };
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, { value: createStorage(), configurable: true });
  }

  const waiting = new Map();
  const ask = (message, answer) => {
    const id = crypto.getRandomValues(new Uint32Array(4)).join('-');
    waiting.set(id, answer);
    parent.postMessage({ ...message, id }, location.origin);
  };
  addEventListener('message', ({ source, data }) => {
    if (source !== parent) return;
    waiting.get(data?.id)?.(data);
    waiting.delete(data?.id);
  });

  const openWindow = window.open.bind(window);
  window.open = (url, ...options) => {
    const target = new URL(String(url), location.href);
    if (target.pathname !== '/oauth/authorize') return openWindow(url, ...options);
    const popup = { closed: false, location: { href: 'about:blank' }, close: () => undefined };
    ask({ kind: 'authorize', url: target.href }, ({ href }) => {
      if (href === undefined) popup.closed = true;
      else popup.location.href = href;
    });
    return popup;
  };

  const send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).pathname !== '/oauth/token') return await send(input, init);
    const body = await request.text();
    const authorization = request.headers.get('Authorization') ?? undefined;
    return await new Promise((resolve, reject) => {
      ask({ kind: 'token', body, authorization }, ({ failed, status, text }) => {
        if (failed) reject(new TypeError('the token request failed'));
        else resolve(new Response(text, { status, headers: { 'Content-Type': 'application/json' } }));
      });
    });
  };

  for (const name of ['pushState', 'replaceState']) {
    const change = history[name].bind(history);
    history[name] = (state, title, url) => {
      change(state, title, url);
      parent.postMessage({ kind: 'hash', hash: location.hash }, location.origin);
    };
  }
})();
`;
