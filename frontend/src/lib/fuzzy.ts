// Finding an entry by some of its letters: those of its words, in their order, or the initials of Chinese words in pinyin.

// The first character of each letter in the order of pinyin, which Intl knows. There are no words in i, u and v.
const letters = 'abcdefghjklmnopqrstwxyz';
const firsts = [...'吖八嚓咑妸发旮哈丌咔垃妈拏喔妑七呥仨他穵夕丫帀'];
const pinyin = new Intl.Collator('zh-Hans-u-co-pinyin');
// A web view without these data sorts by strokes or by code: then Chinese is found by its characters alone.
const known = firsts.every((c, i) => i === 0 || pinyin.compare(firsts[i - 1] ?? '', c) < 0);

const cache = new Map<string, string>();

function initial(char: string): string {
  const cached = cache.get(char);
  if (cached !== undefined) return cached;
  let at = 0;
  while (at + 1 < firsts.length && pinyin.compare(char, firsts[at + 1] ?? '') >= 0) at++;
  const letter = letters[at] ?? '';
  cache.set(char, letter);
  return letter;
}

/** The text with each Chinese character as the initial of its pinyin: "年糕 food" is "ng food". */
export function initials(text: string): string {
  return known ? text.replace(/\p{Script=Han}/gu, initial) : text;
}

const isBoundary = (text: string, at: number): boolean => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');

/** How well one word is found in a text, from 0 to 1; 0: it is not. Both are in lower case. */
function rate(word: string, text: string): number {
  let at = text.indexOf(word);
  if (at >= 0) {
    while (at >= 0 && !isBoundary(text, at)) at = text.indexOf(word, at + 1);
    if (at >= 0) return at === 0 ? 1 : 0.9;
    return word.length < 3 ? 0.3 : 0.7; // two letters stand in the middle of nearly anything
  }
  // The letters in their order, each either right after the one before or at the beginning of a word.
  let from = 0;
  let jumps = 0;
  for (const letter of word) {
    let next = text.indexOf(letter, from);
    if (next < 0) return 0;
    if (next !== from || from === 0) {
      while (next >= 0 && !isBoundary(text, next)) next = text.indexOf(letter, next + 1);
      if (next < 0) return 0;
      jumps++;
    }
    from = next + letter.length;
  }
  return 0.6 - Math.min(0.3, jumps * 0.05);
}

/** How well a search finds a text, from 0 to 1; 0: not all of its words are in it. */
export function match(query: string, text: string): number {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return 1;
  const whole = text.toLocaleLowerCase();
  let sum = 0;
  let letters: string | undefined;
  for (const word of words) {
    let score = rate(word, whole);
    if (score === 0 && /^[a-z]+$/.test(word) && /\p{Script=Han}/u.test(whole)) {
      letters ??= initials(whole);
      score = letters.includes(word) ? (letters.startsWith(word) ? 0.6 : 0.5) : 0;
    }
    if (score === 0) return 0;
    sum += score;
  }
  return sum / words.length;
}
