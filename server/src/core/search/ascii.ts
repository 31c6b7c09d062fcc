/** A text in ASCII, with the place in the source of each of its characters. */
export interface AsciiText {
  readonly text: string;
  /** For each character of `text`, where what it stands for starts in the source, and where that ends, in UTF-16 units. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** What stands for a character that has no likeness. */
const UNKNOWN = '[?]';

const ASCII_ONLY = /^[\0-\x7f]*$/;
const MARKS = /[\u0300-\u036f]/g;

/** Letters that no decomposition reaches. */
const LETTERS = pairs(
  'ß ss ẞ SS æ ae Æ AE œ oe Œ OE ø o Ø O đ d Đ D ð d Ð D þ th Þ Th ł l Ł L ı i ħ h Ħ H ŋ ng Ŋ NG ŧ t Ŧ T ĸ q ƒ f ə e Ə E',
  'α a β b γ g δ d ε e ζ z η e θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ u φ f χ kh ψ ps ω o',
  'Α A Β B Γ G Δ D Ε E Ζ Z Η E Θ TH Ι I Κ K Λ L Μ M Ν N Ξ X Ο O Π P Ρ R Σ S Τ T Υ U Φ F Χ KH Ψ PS Ω O',
  'а a б b в v г g д d е e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ы y э e',
  'ю iu я ia ё io є ie і i ї yi ґ g ў u ђ dj ј j љ lj њ nj ћ c џ dz',
  'А A Б B В V Г G Д D Е E Ж Zh З Z И I Й I К K Л L М M Н N О O П P Р R С S Т T У U Ф F Х Kh Ц Ts Ч Ch Ш Sh Щ Shch Ы Y Э E',
  'Ю Iu Я Ia Ё Io Є Ie І I Ї Yi Ґ G Ў U Ђ Dj Ј J Љ Lj Њ Nj Ћ C Џ Dz',
  "ъ \" Ъ \" ь ' Ь ' ‘ ' ’ ' ‚ , ‛ ' “ \" ” \" „ \" ′ ' ‐ - ‑ - ‒ - – - — - ― - − - • * · * … ... € EUR « << » >> × x ÷ / ⁄ / µ u ° deg © (c) ® (r) ™ (tm)",
);

const HIRAGANA = [
  'a a i i u u e e o o ka ga ki gi ku gu ke ge ko go sa za shi ji su zu se ze so zo ta da chi ji tsu tsu zu te de to do',
  'na ni nu ne no ha ba pa hi bi pi hu bu pu he be pe ho bo po ma mi mu me mo ya ya yu yu yo yo ra ri ru re ro wa wa wi we wo n vu',
]
  .join(' ')
  .split(' ');

const HANGUL = {
  initial: 'g gg n d dd r m b bb s ss - j jj c k t p h'.split(' '),
  vowel: 'a ae ya yae eo e yeo ye o wa wae oe yo u weo we wi yu eu yi i'.split(' '),
  final: '- g gg gs n nj nh d l lg lm lb ls lt lp lh m b bs s ss ng j c k t p h'.split(' '),
};

/**
 * A text in ASCII as the Rust package `deunicode` makes one before words are looked for: accents go, other alphabets
 * become Latin letters, a character without a likeness becomes `[?]`.
 *
 * An approximation beyond Latin script: Greek, Cyrillic, kana and Hangul follow common tables, and each ideograph is
 * a word of its own by its code point, where the package has its reading. Pictures are unknown here; there they have names.
 */
export function toAscii(source: string): AsciiText {
  if (ASCII_ONLY.test(source)) {
    const starts = Array.from({ length: source.length }, (_, index) => index);
    return { text: source, starts, ends: starts.map((start) => start + 1) };
  }
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const character of source) {
    const likeness = asciiOf(character);
    parts.push(likeness);
    for (let i = 0; i < likeness.length; i++) {
      starts.push(at);
      ends.push(at + character.length);
    }
    at += character.length;
  }
  return { text: parts.join(''), starts, ends };
}

function asciiOf(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x80) return character;
  const letter = LETTERS.get(character);
  if (letter !== undefined) return letter;
  if (code >= 0xac00 && code <= 0xd7a3) return hangul(code - 0xac00);
  // Katakana stand in the order of hiragana.
  const kana = code >= 0x30a1 && code <= 0x30f4 ? code - 0x60 : code;
  if (kana >= 0x3041 && kana <= 0x3094) return HIRAGANA[kana - 0x3041]!;
  if (code === 0x30fc) return '';
  if (isIdeograph(code)) return ` u${code.toString(16)} `;
  if (/^[\u0300-\u036f]$/.test(character)) return '';
  if (/^(?:[\u0080-\u009f\u200b-\u200f\u2060\ufeff]|[\ufe00-\ufe0f])$/.test(character)) return '';
  if (/^\s$/.test(character)) return ' ';
  const simple = character.normalize('NFKD').replace(MARKS, '');
  if (simple === '' || simple === character) return UNKNOWN;
  return [...simple].map((each) => (each < '\x80' ? each : (LETTERS.get(each) ?? UNKNOWN))).join('');
}

function isIdeograph(code: number): boolean {
  return (
    (code >= 0x3400 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0x20000 && code <= 0x323af)
  );
}

function hangul(index: number): string {
  const { initial, vowel, final } = HANGUL;
  const parts = [initial[Math.floor(index / 588)]!, vowel[Math.floor((index % 588) / 28)]!, final[index % 28]!];
  return parts.filter((part) => part !== '-').join('');
}

function pairs(...lines: readonly string[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const line of lines) {
    const list = line.split(' ');
    for (let i = 0; i + 1 < list.length; i += 2) map.set(list[i]!, list[i + 1]!);
  }
  return map;
}
