// Solves the challenge of the page while the person fills in the form. Who sends the form earlier waits for it.
for (const place of document.querySelectorAll('[data-proof]')) {
  const form = place.closest('form');
  const challenge = JSON.parse(place.dataset.proof);
  let isOver = false;
  let isSent = false;
  const show = (state) => {
    place.textContent = place.dataset[state];
  };
  const end = (state) => {
    isOver = true;
    show(state);
    if (isSent) form.submit();
  };
  form.addEventListener('submit', (event) => {
    // The proof counts once, so a second press sends nothing.
    if (isSent || !isOver) event.preventDefault();
    if (!isOver) show('waiting');
    isSent = true;
  });
  // The form can be sent again after somebody went back to it.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) isSent = false;
  });
  show('working');
  try {
    const worker = new Worker(place.dataset.worker);
    worker.addEventListener('message', ({ data }) => {
      worker.terminate();
      const { counter, derivedKey } = data ?? {};
      if (derivedKey === undefined) return end('failed');
      form.elements.proof.value = JSON.stringify({ challenge, solution: { counter, derivedKey } });
      end('done');
    });
    worker.addEventListener('error', () => end('failed'));
    worker.postMessage({ type: 'work', challenge }, []);
  } catch {
    end('failed');
  }
}
