// A button at each block of code copies it; of a terminal's it copies the commands, without prompts and output.

/** Output is read, not copied. */
const blocks = document.querySelectorAll('pre:not([data-language="text"])');

function sourceOf({ textContent, dataset }) {
  if (dataset.language !== 'console') return textContent;
  const commands = textContent.match(/^[$>] .*$/gm) ?? [];
  return commands.map((line) => `${line.slice(2)}\n`).join('');
}

// browsers give pages of https and of this machine a clipboard, and a file none
for (const block of navigator.clipboard === undefined ? [] : blocks) {
  const button = document.createElement('button');
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(sourceOf(block));
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  block.after(button);
}
