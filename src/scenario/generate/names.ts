/** First names and last names of made-up people: from many countries, none of them a magic value. */
const FIRST =
  'Ada Ben Chloe Dario Esi Farid Greta Hugo Ines Jonas Kemi Liam Mara Noor Otis Pia Quinn Rosa Sami Tilda Umar Vera Wim Xenia Yusuf Zoe Amir Bianca Cem Dana Emil Fatou Gil Hana Igor Jun Kaya Leo Mina Nils Olga Paulo Rania Sven Tara Ugo Vivian Wanda'.split(
    ' ',
  );
const LAST =
  'Abara Brandt Costa Dubois Eriksen Fontana Garcia Haddad Ito Jensen Keller Lopez Moreau Novak Okafor Petrov Quist Rossi Silva Tanaka Ueda Varga Weber Xu Yilmaz Zeller Almeida Berg Chen Diallo Evans Fischer Gupta Hansen Ivanov Joshi Kaplan Lindt Mensah Nowak Ortiz Patel Reyes Schulz Torres Usman Vidal Wong'.split(
    ' ',
  );
/** Initials between the two names, once all pairs are used. */
const INITIALS = 'ABCDEFGHIJKLMNOPRSTW';

const PLACES =
  'Harbor Lighthouse Kestrel Copper Northwind Maple Granite Juniper Meridian Willow Ember Falcon Cedar Summit Orchard Beacon Tidewater Sparrow Alder Quarry Marigold Anchor Birch Canyon'.split(
    ' ',
  );
const TRADES =
  'Ceramics Outdoor Textiles Coffee Logistics Foods Studio Robotics Travel Software Furniture Cycles Books Energy Media Health Tools Apparel Farms Optics'.split(
    ' ',
  );
const FORMS = ['Ltd', 'Inc', 'LLC', 'GmbH', 'SA'];

/** The distance between neighbours in a list of names: a prime, so that every name is used once before any repeats. */
const STRIDE = 7919;

/** Returns combination `i` of some lists; different numbers below their count give different ones. */
function combination(lists: readonly (readonly string[])[], i: number): string[] {
  let rest = i;
  return lists.map((list) => {
    const word = list[rest % list.length] as string;
    rest = Math.floor(rest / list.length);
    return word;
  });
}

const PAIRS = FIRST.length * LAST.length;

/** A made-up person. */
export interface Name {
  readonly first: string;
  readonly last: string;
  readonly full: string;
}

/**
 * Returns the name of made-up person `i`, unique below two million. Later ones have an initial, then a second last
 * name.
 */
export function personName(i: number): Name {
  const round = Math.floor(i / PAIRS);
  const [first = '', last = ''] = combination([FIRST, LAST], (i * STRIDE) % PAIRS);
  if (round === 0) return { first, last, full: `${first} ${last}` };
  const [initial = '', second = ''] = combination([[...INITIALS], ['', ...LAST]], round - 1);
  return { first, last, full: `${first} ${initial}. ${last}${second === '' ? '' : `-${second}`}` };
}

const FIRMS = PLACES.length * TRADES.length * FORMS.length;

/** Returns the name of made-up business `i`, which is unique. */
export function businessName(i: number): string {
  const [place = '', trade = '', form = ''] = combination([PLACES, TRADES, FORMS], (i * STRIDE) % FIRMS);
  const round = Math.floor(i / FIRMS);
  if (round === 0) return `${place} ${trade} ${form}`;
  const [last = '', again = ''] = combination([LAST, ['', ...PLACES]], round - 1);
  return `${last} ${again === '' ? '' : `${again} `}${place} ${trade} ${form}`;
}
