for (const form of $$('form[data-url]')) hint(form);
// Scrolled by hand: scrollIntoView would also move the place that the first Tab starts from.
const here = $('.menu a[aria-current]');
const menu = here?.closest('.menu');
if (here && menu) menu.scrollLeft = here.offsetLeft - innerWidth / 3;
connect();
tick();
