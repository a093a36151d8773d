// Asks the browser for a passkey, puts its answer into the form around the question, and sends the form.
const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const withBytes = (list = []) => list.map((one) => ({ ...one, id: toBytes(one.id) }));
let waiting = new AbortController();

async function ask({ question, passkey: act }, mediation) {
  waiting.abort();
  waiting = new AbortController();
  const publicKey = JSON.parse(question);
  publicKey.challenge = toBytes(publicKey.challenge);
  publicKey.allowCredentials = withBytes(publicKey.allowCredentials);
  publicKey.excludeCredentials = withBytes(publicKey.excludeCredentials);
  if (publicKey.user !== undefined) publicKey.user.id = toBytes(publicKey.user.id);
  const { id, rawId, type, response } = await navigator.credentials[act]({
    publicKey,
    mediation,
    signal: waiting.signal,
  });
  const answer = { transports: response.getTransports?.() };
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
    if (response[name]) answer[name] = toText(response[name]);
  }
  return JSON.stringify({ id, rawId: toText(rawId), type, clientExtensionResults: {}, response: answer });
}

for (const place of document.querySelectorAll('[data-passkey]')) {
  const form = place.closest('form');
  const show = (name) => form.querySelector(`[data-passkey-${name}]`).removeAttribute('hidden');
  const send = (asking) =>
    asking.then((answer) => {
      form.elements.passkey.value = answer;
      form.submit();
    });
  if (globalThis.PublicKeyCredential === undefined) show('impossible');
  else place.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(ask(place.dataset)).catch(() => show('failed'));
  });
  // Beside the names that the browser fills in by itself, where it can.
  const canOffer = place.dataset.offer === 'yes' && globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.();
  if (canOffer && (await canOffer)) send(ask(place.dataset, 'conditional')).catch(() => {});
}
