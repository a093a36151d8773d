// Shows the buttons beside ids and commands, and copies the text in front of each.
for (const button of document.querySelectorAll('[data-copied]')) {
  const label = button.textContent;
  button.hidden = navigator.clipboard === undefined;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector('[data-copy]').innerText);
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}
