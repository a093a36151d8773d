// Hands the authorization response to the reference that opened this window. It closes the window when it has the response.
if (globalThis.opener) {
  globalThis.opener.postMessage({ kind: 'authorization', search: location.search }, location.origin);
  history.replaceState(null, '', location.pathname);
  setTimeout(() => globalThis.close(), 2000);
}
