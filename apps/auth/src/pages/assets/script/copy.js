// Shows the buttons beside ids and commands, and copies the text in front of each.
// Responses are to be read; what people copy is an example.
const template = document.querySelector('template[data-copy-button]');
for (const code of document.querySelectorAll('[data-copy-blocks] pre:not(figure pre) > code')) {
  code.dataset.copy = '';
  code.before(template.content.cloneNode(true));
}
for (const button of document.querySelectorAll('[data-copied]')) {
  const label = button.textContent;
  button.hidden = navigator.clipboard === undefined;
  const showCopied = () => {
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  };
  button.addEventListener('click', () => {
    const { innerText } = button.parentElement.querySelector('[data-copy]');
    void navigator.clipboard.writeText(innerText).then(showCopied);
  });
}
