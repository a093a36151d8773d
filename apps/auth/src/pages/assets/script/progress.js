// Keeps the part of a page that work in the background changes current until that has ended: `data-progress="true"`.
const part = document.querySelector('[data-progress="true"]');

const update = async () => {
  const response = await fetch(location.pathname).catch(() => undefined);
  if (response?.ok === true) {
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const current = page.querySelector('[data-progress]');
    if (current === null) location.reload(); // Leads to the sign-in.
    const hasEnded = current?.dataset.progress !== 'true';
    if (hasEnded) part.ariaLive = 'polite';
    // Nobody loses their place.
    if (current !== null && !part.contains(document.activeElement)) part.replaceChildren(...current.childNodes);
    if (hasEnded) return;
  }
  setTimeout(update, 2000);
};

setTimeout(update, 2000);
