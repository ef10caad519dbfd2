// biome-ignore-all lint/correctness/noUnusedVariables: the parts of the script share their declarations
let shownAt = performance.now();
/** @type {string | undefined} */
let shownNow;

/** Moves the clocks in the corner and on the page on from the server's last value. */
function tick() {
  const time = $('#now time');
  if (!time) return;
  if (time.dataset.now !== shownNow) [shownNow, shownAt] = [time.dataset.now, performance.now()];
  const speed = Number(time.dataset.speed);
  if (!speed) return;
  const now = new Date(Date.parse(shownNow ?? '') + (performance.now() - shownAt) * speed);
  if (Number.isNaN(now.getTime())) return;
  show(time, now.toISOString());
  const big = $('.big-time time');
  if (big) show(big, now.toISOString());
}

/** @type {(time: HTMLElement, iso: string) => void} */
function show(time, iso) {
  const [day, clock] = [time.firstChild, $('b', time)];
  if (day) day.textContent = `${iso.slice(0, 10)} `;
  if (clock) clock.textContent = iso.slice(11, 19);
}

setInterval(tick, 1000);
