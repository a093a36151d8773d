// Shows the buttons beside ids and commands, and copies the text in front of each; a link copies the text at its address.
// Responses are to be read; what people copy is an example.
const template = document.querySelector('template[data-copy-button]');
for (const code of document.querySelectorAll('[data-copy-blocks] pre:not(figure pre) > code')) {
  code.dataset.copy = '';
  code.before(template.content.cloneNode(true));
}
for (const button of document.querySelectorAll('[data-copied]')) {
  const label = button.textContent;
  if (navigator.clipboard === undefined) continue;
  button.hidden = false;
  const showCopied = () => {
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  };
  const readLinked = async () => {
    const response = await fetch(button.href);
    return new Blob([await response.text()], { type: 'text/plain' });
  };
  button.addEventListener('click', (event) => {
    if (button.href === undefined) {
      const { innerText } = button.parentElement.querySelector('[data-copy]');
      void navigator.clipboard.writeText(innerText).then(showCopied);
    } else if (!event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      // Safari copies what is still loading only in this form.
      const item = new ClipboardItem({ 'text/plain': readLinked() });
      navigator.clipboard.write([item]).then(showCopied, () => location.assign(button.href));
    }
  });
}
