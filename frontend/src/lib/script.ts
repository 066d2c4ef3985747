// In which script a text is written, for what stands on a page in another one: Latin quotation marks are narrow, Chinese
// ones as wide as a character, and both are the same characters.

/** So much of a text tells. */
const LOOKED_AT = 2000;

/** For `lang`: of a text that is not in the language of the page; undefined where it tells nothing. */
export function langOf(text: string): string | undefined {
  const some = text.slice(0, LOOKED_AT);
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(some)) return 'ja';
  if (/\p{Script=Hangul}/u.test(some)) return 'ko';
  if (/\p{Script=Han}/u.test(some)) return 'zh-Hans';
  return /\p{Script=Latin}/u.test(some) ? 'en' : undefined;
}
