/**
 * Before an app has texts: what is so, in the place of the loading words of its index.html, and the way to try again.
 * @param sentence what failed, for people
 */
export function showBootFailure(error: unknown, sentence: string): void {
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
  again.textContent = 'Load again · 重新加载';
  again.onclick = () => location.reload();
  boot.querySelector('span')?.replaceWith(words, again);
}
