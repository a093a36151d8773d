// Hands the authorization response to the reference that opened this window, and closes it.
if (globalThis.opener) {
  globalThis.opener.postMessage({ kind: 'authorization', search: location.search }, location.origin);
  history.replaceState(null, '', location.pathname);
  globalThis.close();
}
