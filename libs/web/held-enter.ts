/** Elements that Enter activates, or whose form it submits. */
const ACTIVATED = 'button, a[href], input, select, summary, [role="button"]';

/**
 * One press of Enter activates a control once: browsers repeat the click of a key that is held down, and each click of SPIN
 * stakes. Space needs nothing, because browsers click when it is released.
 */
export function ignoreHeldEnter(): void {
  document.addEventListener(
    'keydown',
    (event) => {
      const { key, repeat, target } = event;
      if (repeat && key === 'Enter' && target instanceof Element && target.closest(ACTIVATED)) {
        event.preventDefault();
      }
    },
    { capture: true },
  );
}
