/**
 * Replaces the loading text of index.html by an error and a reload button, for failures before the texts have loaded.
 * @param sentence the error shown
 * @param reload label of the button
 */
export function showBootFailure(error: unknown, sentence: string, reload: string): void {
  console.error(error);
  delete document.documentElement.dataset.first;
  const boot = document.querySelector('.boot');
  if (!boot) return;
  const words = document.createElement('span');
  words.setAttribute('role', 'alert');
  words.textContent = sentence;
  const again = document.createElement('button');
  again.type = 'button';
  again.className = 'boot-again';
  again.textContent = reload;
  again.onclick = () => location.reload();
  boot.querySelector('span')?.replaceWith(words, again);
}
