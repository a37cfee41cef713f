import { axisX, axisY, barX, barY, dot, gridY, lineY, plot, ruleY, stackX, type PlotOptions } from '@observablehq/plot';

export interface Point {
  readonly label: string;
  readonly value: number;
  readonly series?: string;
}

export interface DrawOptions {
  readonly kind: 'hours' | 'share' | 'days';
  readonly title: string;
  readonly values: readonly Point[];
  readonly width: number;
}

const MAIN = '#2f7db5';
const COLORS = [MAIN, '#c8641c', '#3f8f4f', '#b1408f', '#8a6d1f', '#6457c6', '#6b7280'];

/** An inert document: the content security policy would count the <style> that Plot adds. */
const inert = document.implementation.createHTMLDocument();

/** Draws a picture as SVG; the figures are in a table elsewhere on the page. */
export function drawPicture(options: DrawOptions): Element {
  const svg = plot({ document: inert, width: options.width, ...PLOTS[options.kind](options) });
  svg.querySelector('style')?.remove();
  for (const part of svg.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', options.title);
  return document.adoptNode(svg);
}

/** The browser shows it at the pointer. */
const titleOf = ({ label, value, series }: Point): string =>
  [series, label, value].filter((part) => part !== undefined).join(', ');

const PLOTS = { hours, share, days } as const;

function hours({ values }: DrawOptions): PlotOptions {
  return {
    height: 180,
    x: { type: 'band', domain: Array.from({ length: 24 }, (_, hour) => String(hour)) },
    marks: [
      gridY(),
      axisX({ label: null, ticks: ['0', '6', '12', '18', '23'], tickSize: 0 }),
      axisY({ label: null, tickSize: 0, tickFormat: 's' }),
      barY(values, { x: 'label', y: 'value', fill: MAIN, title: titleOf }),
      ruleY([0]),
    ],
  };
}

function share({ values }: DrawOptions): PlotOptions {
  return {
    height: 90,
    color: { legend: false, domain: values.map(({ label }) => label), range: COLORS },
    marks: [
      barX(values, stackX({ x: 'value', fill: 'label', title: titleOf })),
      axisX({ label: null, tickFormat: 's' }),
    ],
  };
}

function days({ values }: DrawOptions): PlotOptions {
  const isShort = new Set(values.map(({ label }) => label)).size < 9;
  return {
    height: 260,
    x: { type: 'utc' },
    color: { domain: [...new Set(values.map(({ series }) => series))], range: COLORS },
    marks: [
      gridY(),
      axisX({ label: null, ...(isShort && { ticks: 'day' }) }),
      axisY({ label: null, tickFormat: 's' }),
      lineY(values, { x: ({ label }: Point) => new Date(label), y: 'value', stroke: 'series' }),
      dot(values, { x: ({ label }: Point) => new Date(label), y: 'value', fill: 'series', r: 3, title: titleOf }),
    ],
  };
}
