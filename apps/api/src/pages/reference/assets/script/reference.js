// Sends requests from the reference. The access token is in memory only, and no request carries cookies.
const panel = document.querySelector('#authorize');
const report = document.querySelector('#authorized');
let token = '';

const show = (element) => element?.removeAttribute('hidden');
show(panel);
for (const form of document.querySelectorAll('.try')) show(form);
// On narrow screens the contents would push the page down.
if (matchMedia('(max-width: 60rem)').matches) document.querySelector('.contents details')?.removeAttribute('open');

const element = (name, text, kind = '') => {
  const created = document.createElement(name);
  created.textContent = text;
  created.className = kind;
  return created;
};

// Buttons that copy the examples.
for (const example of document.querySelectorAll('[data-copy]')) {
  const button = element('button', 'Copy', 'copy');
  button.type = 'button';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(example.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  // Only https and localhost have a clipboard.
  if (navigator.clipboard !== undefined) example.append(button);
}

// Authorization: code flow with PKCE (RFC 7636), in a window of its own.
const toBase64Url = (bytes) =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const random = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

const begin = async () => {
  const { clientId, redirectUri } = panel.dataset;
  const [state, verifier] = [random(), random()];
  const opened = open('about:blank', 'linnet-authorization', 'left=100,top=100,width=760,height=820');
  if (opened === null) throw new Error('The browser blocked the window. Allow it and try again.');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const chosen = [...panel.querySelectorAll('[name=scope]:checked')].map(({ value }) => value);
  opened.location.href = `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: chosen.join(' '),
    state,
    code_challenge: toBase64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  })}`;
  return await exchange(await receive(opened, state), { clientId, redirectUri, verifier });
};

// The response must come from the window that this page opened, on our origin, with our state and issuer.
const receive = (opened, state) =>
  new Promise((resolve, reject) => {
    const finish = (settle, value) => {
      clearInterval(timer);
      removeEventListener('message', listen);
      settle(value);
    };
    const listen = ({ source, origin, data }) => {
      if (source !== opened || origin !== location.origin || data?.kind !== 'authorization') return;
      const response = new URLSearchParams(data.search);
      if (response.get('state') !== state || response.get('iss') !== location.origin) return;
      const code = response.get('code');
      if (code === null) finish(reject, new Error(response.get('error_description') ?? 'Not authorized.'));
      else finish(resolve, code);
      opened.close();
    };
    // The response may arrive after the window was closed, so it counts as closed the second time.
    let wasClosed = false;
    const timer = setInterval(() => {
      if (wasClosed) finish(reject, new Error('The window was closed before you authorized.'));
      wasClosed = opened.closed;
    }, 500);
    addEventListener('message', listen);
  });

const exchange = async (code, { clientId, redirectUri, verifier }) => {
  const response = await fetch('/oauth/token', {
    method: 'POST',
    credentials: 'omit',
    headers: { Accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error_description ?? body.error);
  return body;
};

const authorize = async () => {
  try {
    const { access_token: received, scope, expires_in: seconds } = await begin();
    token = received;
    report.textContent = `Authorized for ${Math.round(seconds / 60)} minutes: ${scope}.`;
  } catch (error) {
    report.textContent = error.message;
  }
};

panel?.addEventListener('submit', (event) => {
  event.preventDefault();
  if (panel.dataset.clientId !== undefined) void authorize();
});
panel?.elements.token.addEventListener('input', ({ target }) => {
  token = target.value.trim();
  report.textContent = token === '' ? '' : 'This token is used for the requests of this page.';
});

// Requests
const toValue = (kind, text) => {
  if (kind === 'number' && /^\d{1,15}$/.test(text)) return Number(text);
  if (kind === 'flag' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

const readForm = (form) => {
  const [values, headers, files] = [{}, {}, {}];
  for (const [key, value] of new FormData(form)) {
    const [kind, ...rest] = key.split(':');
    const name = rest.join(':');
    if (value instanceof File) {
      if (value.size > 0) files[name] = value;
    } else if (value !== '') {
      if (kind === 'header') headers[name] = value;
      else values[name] = toValue(kind, value);
    }
  }
  return { values, headers, files };
};

const toRequest = (form) => {
  const { method, url } = form.dataset;
  const { values, headers, files } = readForm(form);
  Object.assign(headers, { Accept: 'application/json' }, token === '' ? {} : { Authorization: `Bearer ${token}` });
  const init = { method, headers, credentials: 'omit' };
  if (method === 'GET') {
    const query = new URLSearchParams(values).toString();
    return [query === '' ? url : `${url}?${query}`, init];
  }
  if (Object.keys(files).length === 0) {
    headers['Content-Type'] = 'application/json';
    return [url, { ...init, body: JSON.stringify(values) }];
  }
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...values, ...files })) body.append(name, value);
  return [url, { ...init, body }];
};

const showResult = (place, { title, text, kind }) => {
  const code = element('pre', text);
  code.tabIndex = 0;
  code.setAttribute('role', 'region');
  code.setAttribute('aria-label', 'Response');
  place.replaceChildren(element('p', title, kind), code);
};

const send = async (form) => {
  const place = form.querySelector('.result');
  const [address, init] = toRequest(form);
  try {
    const response = await fetch(address, init);
    const text = JSON.stringify(await response.json(), null, 2);
    const kind = response.ok ? 'done' : 'failed';
    showResult(place, { title: `${response.status} ${response.statusText}`.trim(), text, kind });
  } catch (error) {
    showResult(place, { title: 'No response', text: error.message, kind: 'failed' });
  }
};

for (const form of document.querySelectorAll('[data-try]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}
