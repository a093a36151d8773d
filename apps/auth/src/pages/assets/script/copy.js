// Shows the buttons beside ids and commands, and copies the text in front of each.
const template = document.querySelector('template[data-copy-button]');
for (const pre of document.querySelectorAll('[data-copy-blocks] pre')) {
  const block = document.createElement('div');
  block.className = 'with-copy block';
  pre.replaceWith(block);
  pre.dataset.copy = '';
  block.append(pre, template.content.cloneNode(true));
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
