// Numbers, sizes and times as people of the chosen language write them.

/** A language tag that Intl accepts: a web view under LANG=C reports "C", at which Intl throws. */
export function sanitizeLocale(tag: string | undefined): string {
  try {
    return Intl.getCanonicalLocales((tag ?? '').replace(/[.@].*$/, '').replaceAll('_', '-'))[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** What a line says, part by part; the sign between two stays with the first, so that none begins a line. */
export const dotted = (...parts: (string | false | undefined)[]): string => parts.filter(Boolean).join('\u00a0· ');

const MINUTE = 60_000;
const DAY = 86_400_000;

/** The formats of one language. */
export class Format {
  readonly locale: string;
  readonly #zh: boolean;
  readonly #number: Intl.NumberFormat;
  readonly #compact: Intl.NumberFormat;
  readonly #time: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #dayYear: Intl.DateTimeFormat;
  readonly #long: Intl.DateTimeFormat;
  readonly #longYear: Intl.DateTimeFormat;
  readonly #month: Intl.DateTimeFormat;
  readonly #full: Intl.DateTimeFormat;
  readonly #relative: Intl.RelativeTimeFormat;

  constructor(locale: string) {
    this.locale = sanitizeLocale(locale);
    this.#zh = this.locale.startsWith('zh');
    const dates = this.#zh ? this.locale : this.locale === 'en' ? 'en-GB' : this.locale;
    this.#number = new Intl.NumberFormat(this.locale);
    this.#compact = new Intl.NumberFormat(this.locale, { notation: 'compact', maximumFractionDigits: 1 });
    this.#time = new Intl.DateTimeFormat(dates, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    this.#day = new Intl.DateTimeFormat(dates, { day: 'numeric', month: 'short' });
    this.#dayYear = new Intl.DateTimeFormat(dates, { day: 'numeric', month: 'short', year: 'numeric' });
    this.#long = new Intl.DateTimeFormat(dates, { weekday: 'long', day: 'numeric', month: 'long' });
    this.#longYear = new Intl.DateTimeFormat(dates, { dateStyle: 'full' });
    this.#month = new Intl.DateTimeFormat(dates, { month: 'long', year: 'numeric' });
    this.#full = new Intl.DateTimeFormat(dates, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
    this.#relative = new Intl.RelativeTimeFormat(this.locale, { numeric: 'auto', style: 'short' });
  }

  number(n: number): string {
    return this.#number.format(n);
  }

  /** A large number in few characters: "12K", "1.2万". */
  compact(n: number): string {
    return this.#compact.format(n);
  }

  /** With at most one digit behind the point. */
  decimal(n: number): string {
    return this.#number.format(Math.round(n * 10) / 10);
  }

  /** A share between 0 and 1 in whole percent. Never rounded up to 100. */
  percent(share: number): string {
    const whole = share < 1 ? Math.min(99, Math.round(share * 100)) : Math.round(share * 100);
    return this.#zh ? `${whole}%` : `${whole} %`;
  }

  /** Names one after the other. */
  list(names: readonly string[]): string {
    return names.join(this.#zh ? '、' : ', ');
  }

  /** A clause and what follows it. */
  clauses(first: string, second: string): string {
    return first + (this.#zh ? '，' : ', ') + second;
  }

  bytes(n: number): string {
    if (n < 1e6) return `${this.number(Math.max(1, Math.round(n / 1e3)))} KB`;
    if (n < 1e9) return `${this.number(Math.round(n / 1e6))} MB`;
    return `${this.#number.format(Math.round(n / 1e8) / 10)} GB`;
  }

  /** An amount of dollars with so many digits behind the point. */
  dollars(n: number, digits = 2): string {
    return `$${new Intl.NumberFormat(this.locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(n)}`;
  }

  /** A span in milliseconds: "31 ms", "9 s", "1 min 25 s". */
  duration(ms: number): string {
    const [milli, second, minute] = this.#zh ? ['毫秒', '秒', '分'] : ['ms', 's', 'min'];
    if (ms < 1000) return `${this.number(ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms))} ${milli}`;
    if (ms < MINUTE) return `${Math.round(ms / 1000)} ${second}`;
    const rest = Math.round((ms % MINUTE) / 1000);
    return `${Math.floor(ms / MINUTE)} ${minute}${rest > 0 ? ` ${rest} ${second}` : ''}`;
  }

  /** The day, with its year where that is not this one. */
  day(date: string | Date, now = new Date()): string {
    return valid(date, (d) => (d.getFullYear() === now.getFullYear() ? this.#day : this.#dayYear).format(d));
  }

  /** The time of day. */
  time(date: string | Date): string {
    return valid(date, (d) => this.#time.format(d));
  }

  /** "Saturday, 14 November", with its year where that is not this one. */
  longDay(date: string | Date, now = new Date()): string {
    return valid(date, (d) => (d.getFullYear() === now.getFullYear() ? this.#long : this.#longYear).format(d));
  }

  /** A day with its year: "14 Nov 2026". */
  date(date: string | Date): string {
    return valid(date, (d) => this.#dayYear.format(d));
  }

  month(date: string | Date): string {
    return valid(date, (d) => this.#month.format(d));
  }

  full(date: string | Date): string {
    return valid(date, (d) => this.#full.format(d));
  }

  /** Relative under a day, dated after. */
  ago(date: string | Date, now: Date): string {
    return valid(date, (d) => {
      const past = now.getTime() - d.getTime();
      if (past < MINUTE) return this.#relative.format(0, 'second');
      if (past < 60 * MINUTE) return this.#relative.format(-Math.floor(past / MINUTE), 'minute');
      if (past < DAY) return this.#relative.format(-Math.floor(past / (60 * MINUTE)), 'hour');
      return this.day(d, now);
    });
  }
}

function valid(date: string | Date, format: (d: Date) => string): string {
  const d = new Date(date);
  return Number.isNaN(d.getTime()) ? '' : format(d);
}

/**
 * Orders two times as the API writes them: in UTC, with no more digits of a second than it takes. So as texts
 * 12:00:05.1Z would come after 12:00:05.12Z.
 */
export function compareTimes(a: string, b: string): number {
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
  return x === y ? 0 : x < y ? -1 : 1;
}

/** A name behind Chinese, or before it: with a space where it is not Chinese itself. */
export const behind = (name: string): string => (/^\p{sc=Han}/u.test(name) ? name : ` ${name}`);
export const before = (name: string): string => (/\p{sc=Han}$/u.test(name) ? name : `${name} `);
export const between = (name: string): string => behind(before(name));
