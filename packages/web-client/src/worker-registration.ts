/** Keeps the files of the client for use without a connection. The worker never touches tokens or the API. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  // Without it, the client works with a connection only.
  navigator.serviceWorker.register('/home/worker.js', { scope: '/home' }).catch(() => undefined);
}
