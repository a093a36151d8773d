/** Keeps the files of Warbler for use without a connection. The worker never touches tokens or the API. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  // Without it, Warbler works with a connection only.
  navigator.serviceWorker.register('/worker.js').catch(() => undefined);
}
