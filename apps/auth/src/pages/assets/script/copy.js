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

// People who choose a language read every example in it, on the next pages too.
const choices = document.querySelectorAll('.examples input');
const languageOf = (choice) => choice.id.split('-').at(-1);
const choose = (language) => {
  for (const choice of choices) if (languageOf(choice) === language) choice.checked = true;
};
let kept;
try {
  kept = localStorage;
} catch {
  // The browser allows this site no storage.
}
choose(kept?.getItem('example-language'));
for (const choice of choices) {
  choice.addEventListener('change', () => {
    const { top } = choice.getBoundingClientRect();
    choose(languageOf(choice));
    // Examples above may have another height now.
    scrollBy({ top: choice.getBoundingClientRect().top - top, behavior: 'instant' });
    kept?.setItem('example-language', languageOf(choice));
  });
}
