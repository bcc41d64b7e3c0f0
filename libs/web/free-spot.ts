/** Between a placed box and what is around it, px. */
const GAP = 8;
const CONTROLS = 'a, button, input, select, textarea, summary, nav, #root > header, .live-state';
const TEXTS = 'h1, h2, h3, p, dd, td, .reels-frame, .result-area, .mini-field';
/** Where no room is as wide as the box. */
const NARROW = '200px';
/** Below the header, px. */
const OTHERWISE = { x: GAP, y: 64 + GAP };

/**
 * Moves a box with an absolute position to where it covers no control of the page or of the open dialog; if there is enough
 * room, no text either. A box that covers none is not moved.
 */
export function placeFreely(box: HTMLElement): void {
  const controls = rectsOf(CONTROLS, box);
  if (box.style.top && isFree(box.getBoundingClientRect(), controls)) return;
  const find = (taken: DOMRect[], width = '') => {
    box.style.width = width;
    return freeSpot(box, taken);
  };
  const spot =
    find([...controls, ...rectsOf(TEXTS, box)]) ?? find(controls) ?? find(controls, NARROW);
  if (!spot) box.style.width = '';
  const { x, y } = spot ?? OTHERWISE;
  // By its right edge: in a window that became narrower it must not make the page wider.
  const right = document.documentElement.clientWidth - x - box.offsetWidth;
  Object.assign(box.style, { right: `${right}px`, top: `${scrollY + y}px` });
}

/** In the window. What is behind an open dialog is hidden from screen readers, and is left out. */
function rectsOf(selector: string, box: Element): DOMRect[] {
  return [...document.querySelectorAll(selector)]
    .filter((one) => (one.checkVisibility?.() ?? true) && !one.closest('[aria-hidden="true"]'))
    .filter((one) => !box.contains(one))
    .map((one) => one.getBoundingClientRect())
    .filter(({ top, bottom, width }) => width > 0 && bottom > 0 && top < innerHeight);
}

/** The highest; of those, the one furthest to the right. */
function freeSpot(box: HTMLElement, taken: DOMRect[]): DOMRect | undefined {
  const { offsetWidth: width, offsetHeight: height } = box;
  const right = document.documentElement.clientWidth - width - GAP;
  return [GAP, ...taken.map(({ bottom }) => bottom + GAP)]
    .sort((a, b) => a - b)
    .flatMap((y) => [right, right / 2, GAP].map((x) => new DOMRect(x, y, width, height)))
    .find((spot) => isFree(spot, taken));
}

const isFree = (spot: DOMRect, taken: DOMRect[]) =>
  spot.top >= 0 &&
  spot.bottom <= innerHeight &&
  taken.every(
    ({ left, right, top, bottom }) =>
      right <= spot.left || left >= spot.right || bottom <= spot.top || top >= spot.bottom,
  );
