import { type CharSet, complement, EMPTY_SET, fromRanges } from './charSet';

/* Names of Unicode properties and values with their aliases (Unicode 15): `Name=alias=alias`, separated by blanks. */
const BINARY =
  'ASCII ASCII_Hex_Digit=AHex Alphabetic=Alpha Bidi_Control=Bidi_C Bidi_Mirrored=Bidi_M Cased Case_Ignorable=CI ' +
  'Changes_When_Casefolded=CWCF Changes_When_Casemapped=CWCM Changes_When_NFKC_Casefolded=CWKCF ' +
  'Changes_When_Lowercased=CWL Changes_When_Titlecased=CWT Changes_When_Uppercased=CWU Dash Deprecated=Dep ' +
  'Default_Ignorable_Code_Point=DI Diacritic=Dia Emoji_Modifier_Base=EBase Emoji_Component=EComp ' +
  'Emoji_Modifier=EMod Emoji Emoji_Presentation=EPres Extender=Ext Extended_Pictographic=ExtPict ' +
  'Grapheme_Base=Gr_Base Grapheme_Extend=Gr_Ext Hex_Digit=Hex ID_Continue=IDC Ideographic=Ideo ID_Start=IDS ' +
  'IDS_Binary_Operator=IDSB IDS_Trinary_Operator=IDST Join_Control=Join_C Logical_Order_Exception=LOE ' +
  'Lowercase=Lower Math Noncharacter_Code_Point=NChar Pattern_Syntax=Pat_Syn Pattern_White_Space=Pat_WS ' +
  'Quotation_Mark=QMark Radical Regional_Indicator=RI Soft_Dotted=SD Sentence_Terminal=STerm ' +
  'Terminal_Punctuation=Term Unified_Ideograph=UIdeo Uppercase=Upper Variation_Selector=VS White_Space=WSpace ' +
  'White_Space=space XID_Continue=XIDC XID_Start=XIDS';

const CATEGORIES =
  'Other=C Control=Cc=cntrl Format=Cf Unassigned=Cn Private_Use=Co Surrogate=Cs Letter=L Cased_Letter=LC ' +
  'Lowercase_Letter=Ll Modifier_Letter=Lm Other_Letter=Lo Titlecase_Letter=Lt Uppercase_Letter=Lu ' +
  'Mark=M=Combining_Mark Spacing_Mark=Mc Enclosing_Mark=Me Nonspacing_Mark=Mn Number=N Decimal_Number=Nd=digit ' +
  'Letter_Number=Nl Other_Number=No Punctuation=P=punct Connector_Punctuation=Pc Dash_Punctuation=Pd ' +
  'Close_Punctuation=Pe Final_Punctuation=Pf Initial_Punctuation=Pi Other_Punctuation=Po Open_Punctuation=Ps ' +
  'Symbol=S Currency_Symbol=Sc Modifier_Symbol=Sk Math_Symbol=Sm Other_Symbol=So Separator=Z Line_Separator=Zl ' +
  'Paragraph_Separator=Zp Space_Separator=Zs';

const SCRIPTS =
  'Adlam=Adlm Caucasian_Albanian=Aghb Ahom Arabic=Arab Imperial_Aramaic=Armi Armenian=Armn Avestan=Avst ' +
  'Balinese=Bali Bamum=Bamu Bassa_Vah=Bass Batak=Batk Bengali=Beng Beria_Erfe=Berf Bhaiksuki=Bhks Bopomofo=Bopo ' +
  'Brahmi=Brah Braille=Brai Buginese=Bugi Buhid=Buhd Chakma=Cakm Canadian_Aboriginal=Cans Carian=Cari Cham ' +
  'Cherokee=Cher Chorasmian=Chrs Coptic=Copt=Qaac Cypro_Minoan=Cpmn Cypriot=Cprt Cyrillic=Cyrl Devanagari=Deva ' +
  'Dives_Akuru=Diak Dogra=Dogr Deseret=Dsrt Duployan=Dupl Egyptian_Hieroglyphs=Egyp Elbasan=Elba Elymaic=Elym ' +
  'Ethiopic=Ethi Garay=Gara Georgian=Geor Glagolitic=Glag Gunjala_Gondi=Gong Masaram_Gondi=Gonm Gothic=Goth ' +
  'Grantha=Gran Greek=Grek Gujarati=Gujr Gurung_Khema=Gukh Gurmukhi=Guru Hangul=Hang Han=Hani Hanunoo=Hano ' +
  'Hatran=Hatr Hebrew=Hebr Hiragana=Hira Anatolian_Hieroglyphs=Hluw Pahawh_Hmong=Hmng Nyiakeng_Puachue_Hmong=Hmnp ' +
  'Katakana_Or_Hiragana=Hrkt Old_Hungarian=Hung Old_Italic=Ital Javanese=Java Jurchen=Jurc Kayah_Li=Kali ' +
  'Katakana=Kana Kawi Kharoshthi=Khar Khmer=Khmr Khojki=Khoj Khitan_Small_Script=Kits Kannada=Knda Kirat_Rai=Krai ' +
  'Kaithi=Kthi Tai_Tham=Lana Lao=Laoo Latin=Latn Lepcha=Lepc Limbu=Limb Linear_A=Lina Linear_B=Linb Lisu ' +
  'Lycian=Lyci Lydian=Lydi Mahajani=Mahj Makasar=Maka Mandaic=Mand Manichaean=Mani Marchen=Marc Medefaidrin=Medf ' +
  'Mende_Kikakui=Mend Meroitic_Cursive=Merc Meroitic_Hieroglyphs=Mero Malayalam=Mlym Modi Mongolian=Mong Mro=Mroo ' +
  'Meetei_Mayek=Mtei Multani=Mult Myanmar=Mymr Nag_Mundari=Nagm Nandinagari=Nand Old_North_Arabian=Narb ' +
  'Nabataean=Nbat Newa Nko=Nkoo Nushu=Nshu Ogham=Ogam Ol_Chiki=Olck Ol_Onal=Onao Old_Turkic=Orkh Oriya=Orya ' +
  'Osage=Osge Osmanya=Osma Old_Uyghur=Ougr Palmyrene=Palm Pau_Cin_Hau=Pauc Proto_Cuneiform=Pcun Old_Permic=Perm ' +
  'Phags_Pa=Phag Inscriptional_Pahlavi=Phli Psalter_Pahlavi=Phlp Phoenician=Phnx Miao=Plrd ' +
  'Inscriptional_Parthian=Prti Rejang=Rjng Hanifi_Rohingya=Rohg Runic=Runr Samaritan=Samr Old_South_Arabian=Sarb ' +
  'Saurashtra=Saur Seal SignWriting=Sgnw Shavian=Shaw Sharada=Shrd Siddham=Sidd Sidetic=Sidt Khudawadi=Sind ' +
  'Sinhala=Sinh Sogdian=Sogd Old_Sogdian=Sogo Sora_Sompeng=Sora Soyombo=Soyo Sundanese=Sund Sunuwar=Sunu ' +
  'Syloti_Nagri=Sylo Syriac=Syrc Tagbanwa=Tagb Takri=Takr Tai_Le=Tale New_Tai_Lue=Talu Tamil=Taml Tangut=Tang ' +
  'Tai_Viet=Tavt Tai_Yo=Tayo Telugu=Telu Tifinagh=Tfng Tagalog=Tglg Thaana=Thaa Thai Tibetan=Tibt Tirhuta=Tirh ' +
  'Tangsa=Tnsa Todhri=Todr Tolong_Siki=Tols Toto Tulu_Tigalari=Tutg Ugaritic=Ugar Vai=Vaii Vithkuqi=Vith ' +
  'Warang_Citi=Wara Wancho=Wcho Old_Persian=Xpeo Cuneiform=Xsux Yezidi=Yezi Yi=Yiii Zanabazar_Square=Zanb ' +
  'Inherited=Zinh=Qaai Common=Zyyy Unknown=Zzzz';

/** Properties that Rust's engine has and JavaScript has not: they are read, what they match is not known. */
const FOREIGN =
  'Grapheme_Link=Gr_Link Hyphen ID_Compat_Math_Continue ID_Compat_Math_Start IDS_Unary_Operator Other_Alphabetic=OAlpha ' +
  'Other_Default_Ignorable_Code_Point=ODI Other_Grapheme_Extend=OGr_Ext Other_ID_Continue=OIDC Other_ID_Start=OIDS ' +
  'Other_Lowercase=OLower Other_Math=OMath Other_Uppercase=OUpper Prepended_Concatenation_Mark=PCM';
const FOREIGN_WITH_VALUE = new Set(
  ['Age', 'Grapheme_Cluster_Break', 'GCB', 'Word_Break', 'WB', 'Sentence_Break', 'SB'].map(loose),
);

/** What a property name stands for: its members, `unknown` where they cannot be told, `undefined` for no such name. */
export function unicodeProperty(text: string): CharSet | 'unknown' | undefined {
  const operator = /^([^:=]*?)(!=|[:=])(.*)$/s.exec(text);
  if (operator === null) return byName(text);
  // The engine reads `!=`, and then takes it for `=`.
  const [, name = '', , value = ''] = operator;
  return byValue(loose(name), value);
}

function byName(text: string): CharSet | 'unknown' | undefined {
  const name = loose(text);
  if (name === 'any') return [0, 0x10ffff];
  if (name === 'assigned') return complement(hostSet('Cn') ?? EMPTY_SET);
  // These three are aliases of other things before they are categories.
  const binary = ['cf', 'sc', 'lc'].includes(name) ? undefined : table(BINARY).get(name);
  const source = binary ?? table(CATEGORIES).get(name);
  if (source !== undefined) return hostSet(source);
  const script = table(SCRIPTS).get(name);
  if (script !== undefined) return hostSet(`Script=${script}`);
  return table(FOREIGN).has(name) ? 'unknown' : undefined;
}

function byValue(name: string, text: string): CharSet | 'unknown' | undefined {
  const value = loose(text);
  if (name === 'gc' || name === 'generalcategory') {
    if (value === 'any' || value === 'assigned' || value === 'ascii') return byName(value);
    const category = table(CATEGORIES).get(value);
    return category === undefined ? undefined : hostSet(category);
  }
  const script = table(SCRIPTS).get(value);
  if (name === 'sc' || name === 'script') return script === undefined ? undefined : hostSet(`Script=${script}`);
  if (name === 'scx' || name === 'scriptextensions') {
    return script === undefined ? undefined : hostSet(`Script_Extensions=${script}`);
  }
  return FOREIGN_WITH_VALUE.has(name) ? 'unknown' : undefined;
}

/** Letter case, blanks, `_`, `-`, what is not ASCII and `is` at the very start do not count in names (regex-syntax 0.8). */
function loose(name: string): string {
  const plain = (text: string): string => text.replace(/[ _-]|[^\0-\x7f]/g, '').toLowerCase();
  if (!/^is/i.test(name)) return plain(name);
  const rest = plain(name.slice(2));
  return rest === 'c' ? 'isc' : rest;
}

const tables = new Map<string, ReadonlyMap<string, string>>();

function table(text: string): ReadonlyMap<string, string> {
  let found = tables.get(text);
  if (found === undefined) {
    const names = new Map<string, string>();
    for (const entry of text.split(' ')) {
      const all = entry.split('=');
      for (const each of all) names.set(loose(each), all[0]!);
    }
    found = names;
    tables.set(text, names);
  }
  return found;
}

const sets = new Map<string, CharSet | undefined>();

/** Members of a property by JavaScript's name, without surrogates; `undefined` where the host does not know it. */
export function hostSet(name: string): CharSet | undefined {
  return sourceSet(`\\p{${name}}`);
}

function sourceSet(source: string): CharSet | undefined {
  if (!sets.has(source)) sets.set(source, scan(source));
  return sets.get(source);
}

function scan(source: string): CharSet | undefined {
  let runs: RegExp;
  try {
    runs = new RegExp(`[${source}]+`, 'gu');
  } catch {
    return undefined;
  }
  const ranges: [number, number][] = [];
  for (const [first, text] of mixedBlocks()) {
    for (const match of text.matchAll(runs)) {
      const [run] = match;
      const from = match.index;
      // Planes beyond the first have two units per character.
      const unit = first >= 0x10000 ? 2 : 1;
      ranges.push([first + from / unit, first + (from + run.length) / unit - 1]);
    }
  }
  for (const [first, last] of UNIFORM) {
    runs.lastIndex = 0;
    if (runs.test(String.fromCodePoint(first))) ranges.push([first, last]);
  }
  return fromRanges(ranges);
}

/** Parts of Unicode where all characters have the same properties: unassigned, for private use, no characters. */
const UNIFORM: readonly (readonly [number, number])[] = Array.from({ length: 17 }, (_, plane) => plane)
  .filter((plane) => plane >= 4 && plane !== 14)
  .flatMap((plane) => [
    [plane * 0x10000, plane * 0x10000 + 0xfffd] as const,
    [plane * 0x10000 + 0xfffe, plane * 0x10000 + 0xffff] as const,
  ]);

let blocks: [number, string][] | undefined;

/** All other characters but surrogates, in pieces of one length per character. */
function mixedBlocks(): readonly [number, string][] {
  if (blocks === undefined) {
    blocks = [];
    for (let first = 0; first < 0xf0000; first += 0x800) {
      if ((first >= 0xd800 && first < 0xe000) || (first >= 0x40000 && first < 0xe0000)) continue;
      const codes = Array.from({ length: 0x800 }, (_, i) => first + i);
      blocks.push([first, String.fromCodePoint(...codes)]);
    }
  }
  return blocks;
}

/** Members of several properties together. */
export function hostUnion(...names: readonly string[]): CharSet {
  return sourceSet(names.map((name) => `\\p{${name}}`).join('')) ?? EMPTY_SET;
}
