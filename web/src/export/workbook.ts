import { strToU8, zipSync } from 'fflate';
import type { Column } from '../components/columns.js';
import { saveFile } from './csv.js';

type Kind = NonNullable<Column<unknown>['kind']>;

/** The number formats of the kinds; the position of a kind is that of its style below. */
const FORMATS: readonly (readonly [kind: Kind | 'head', format: string])[] = [
  ['text', '@'],
  ['amount', '#,##0.00########'],
  ['count', '#,##0'],
  ['percent', '0.0%'],
  ['date', 'ddd d mmm yyyy'],
  ['head', '@'],
];
const styleOf = (kind: Kind | 'head'): number => FORMATS.findIndex(([each]) => each === kind);

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const EPOCH = 25_569;

/**
 * Saves rows as a workbook (ECMA-376) with real numbers and dates. The libraries for it compress in
 * workers from blob: addresses, which the content security policy forbids.
 */
export function saveWorkbook<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): void {
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Sales" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml']), // prettier-ignore
    'xl/styles.xml': styles(),
    'xl/worksheets/sheet1.xml': sheet(columns, rows),
  };
  const files = Object.entries(parts).map(([path, xml]) => {
    return [path, strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${xml}`)];
  });
  const bytes = zipSync(Object.fromEntries(files) as Record<string, Uint8Array>);
  saveFile(`${name}.xlsx`, new Blob([bytes], { type: `${TYPE}.sheet` }));
}

const relations = (...targets: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
    ) // prettier-ignore
    .join('')}</Relationships>`;

function styles(): string {
  const formats = FORMATS.map(([, code], index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`); // prettier-ignore
  const cells = FORMATS.map(([kind], index) => `<xf numFmtId="${164 + index}" fontId="${kind === 'head' ? 1 : 0}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`); // prettier-ignore
  return `<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats.join('')}</numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${cells.length}">${cells.join('')}</cellXfs></styleSheet>`;
}

function sheet<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const widths = columns.map(({ kind = 'text' }, at) => `<col min="${at + 1}" max="${at + 1}" width="${kind === 'text' ? 28 : 16}" customWidth="1"/>`); // prettier-ignore
  const head = columns.map(({ label }) => textCell(label, 'head'));
  const lines = rows.map((row) => columns.map(({ kind, value }) => cellOf(kind, value(row) ?? '')));
  const xml = [head, ...lines].map((cells, line) => {
    const placed = cells.map((cell, at) => cell && `<c r="${lettersOf(at)}${line + 1}"${cell}</c>`);
    return `<row r="${line + 1}">${placed.join('')}</row>`;
  });
  return `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${xml.join('')}</sheetData></worksheet>`;
}

/** Names a column: A to Z, then AA. */
const lettersOf = (at: number): string =>
  (at < 26 ? '' : lettersOf(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));

/** The rest of a cell behind its place. */
const textCell = (text: string, kind: Kind | 'head'): string =>
  ` t="inlineStr" s="${styleOf(kind)}"><is><t xml:space="preserve">${escaped(text)}</t></is>`;

function cellOf(kind: Kind = 'text', value: string): string {
  if (value === '') return '';
  const number = kind === 'date' ? Date.parse(value) / 86_400_000 + EPOCH : value;
  if (kind === 'text' || (kind !== 'date' && !isExact(value))) return textCell(value, 'text');
  return ` s="${styleOf(kind)}"><v>${kind === 'percent' ? Number(value) / 100 : number}</v>`;
}

/** Characters that XML does not have become signs that say so. */
const escaped = (text: string): string =>
  text
    .replace(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);

/** Excel's numbers have 15 digits; an amount with more of them stays text, whole. */
const isExact = (digits: string): boolean =>
  digits.replace(/^-?0*\.?0*/, '').replace('.', '').length <= 15;
