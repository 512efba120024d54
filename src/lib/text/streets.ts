import { CAPITAL, HAN, LETTER, LETTER_OR_DIGIT } from './letters.ts';
import { MASK, type Masking, maskingOf, maskingsFor } from './mask.ts';

const START = `(?<![${LETTER_OR_DIGIT}.])`;
const END = `(?![${LETTER}])`;
const HOUSE = `\\d{1,5}[a-zA-Z]?(?![${LETTER}\\d.,:]\\d)`;
const WORD = `[${LETTER}][${LETTER}'’.-]{1,40}`;
const NAME = `[${CAPITAL}][${LETTER}'’.-]{1,40}`;

const STREETS = [
  `${START}${HOUSE}(?:,? (?:[NSEW]\\.? )?(?:${NAME}|\\d{1,3}(?:st|nd|rd|th)) ?){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Terrace|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Way|Place|Pl|Square|Sq|Close|Crescent|Parkway|Pkwy|Highway|Hwy|Row|Circle)${END}\\.?`,
  `${START}[${CAPITAL}][${LETTER}-]{1,30}(?:[Ss]tra(?:ß|ss)e|[Ss]tr\\.|[Ww]eg|[Pp]latz|[Aa]llee|[Gg]asse|[Rr]ing|damm|ufer|straat|laan|gatan|vägen|gata|vej) ${HOUSE}`,
  `${START}(?:${NAME} ){1,2}(?:Straße|Strasse|Str\\.|Weg|Platz|Allee|Gasse) ${HOUSE}`,
  `${START}${HOUSE},? (?:bis |ter )?(?:rue|avenue|boulevard|bd|place|chemin|allée|impasse|quai|cours|route)(?: (?:de|du|des|la|le|les|l['’]|d['’])){0,3} ?${WORD}(?: ${NAME}){0,3}`,
  `${START}(?:Calle|C/|Avenida|Avda?\\.|Av\\.|Plaza|Paseo|Carrer|Rua|Travessa|Via|Viale|Piazza|Corso|ul\\.|ulica|al\\.|ул\\.|улица|проспект|пр\\.|пер\\.)(?: (?:de|del|la|las|los|da|do|dos|di|della)){0,3}(?: ?${NAME}){1,4},?(?: (?:n[º°o]\\.?|д\\.|дом) ?)? ?${HOUSE}`,
  `[${HAN}]{2,4}[都道府県省市][${HAN}]{1,8}[市区町村县][${HAN}\\d−-]{1,20}`,
].join('|');
/** `, Springfield, IL 62704`, `, 10969 Berlin` */
const PLACE = `(?:,? (?:apt|suite|unit|floor|#)\\.? ?\\w{1,5})?(?:,? (?:\\d{4,6}(?:-\\d{3,4})? )?${NAME}(?: ${NAME}){0,2}){0,2}(?:,? (?:\\d{4,6}(?:-\\d{4})?(?!\\d)|[A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}${END}))?`;

/** Masks a street with its house, and the place that follows. */
export const withoutStreets: Masking = maskingsFor(
  /\d[a-zA-Z]?,? (?:[A-Z\u00c0-\u00de]|\d|bis |ter |rue|av|boul|bd|place|chem|all|imp|quai|cours|route)|[a-zß.] \d{1,5}(?!\d)|[都道府県省市]/,
  [maskingOf(new RegExp(`(?:${STREETS})${PLACE}`, 'g'), MASK)],
);
