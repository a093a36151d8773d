/** The web client notes who is signed in to it in this browser (packages/web-client/src/session/person.ts). Other visitors load nothing else. */
try {
  if (localStorage.getItem('linnet-client-person') !== null) {
    import(new URL('/home/public-page.js', location.href).href).catch(() => undefined);
  }
} catch {
  // Without storage, nobody is signed in.
}
