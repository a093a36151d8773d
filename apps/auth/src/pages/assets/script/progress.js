// Refreshes the part of a page with `data-progress="true"` until the work that it shows has ended.
const part = document.querySelector('[data-progress="true"]');

const show = (current) => {
  const { activeElement } = document;
  const held = part.contains(activeElement) ? activeElement.value : undefined;
  part.replaceChildren(...current.childNodes);
  part.querySelector(`button[value="${held}"]`)?.focus();
};

const update = async () => {
  const response = await fetch(location.pathname).catch(() => undefined);
  // What is being pressed stays.
  if (response?.ok === true && !part.matches(':active')) {
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const current = page.querySelector('[data-progress]');
    if (current === null) return location.reload(); // Leads to the sign-in.
    const hasEnded = current.dataset.progress !== 'true';
    if (hasEnded) part.ariaLive = 'polite';
    show(current);
    if (hasEnded) return;
  }
  setTimeout(update, 2000);
};

setTimeout(update, 2000);
