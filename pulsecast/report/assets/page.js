'use strict';
// The page of a model: draws what is in #data. Everything that a chart shows can be reached by keyboard and
// read as a table.
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const $ = (id) => document.getElementById(id);

// ---- numbers

const kSteps = 65534;
const kGap = 65535;

function unpack(packed) {
  const bytes = atob(packed.q);
  const values = new Array(bytes.length / 2);
  const unit = (packed.hi - packed.lo) / kSteps;
  for (let i = 0; i < values.length; ++i) {
    const step = bytes.charCodeAt(2 * i) | bytes.charCodeAt(2 * i + 1) << 8;
    values[i] = step === kGap ? null : packed.lo + step * unit;
  }
  return values;
}

function unpackStamps(packed) {
  if (packed.length === 0) return [];
  const stamps = [packed[0]];
  for (let i = 1; i < packed.length; i += 2) {
    for (let k = 0; k < packed[i + 1]; ++k) stamps.push(stamps[stamps.length - 1] + packed[i]);
  }
  return stamps;
}

const numberText = (value) => value === null || value === undefined ? '–' : String(+value.toPrecision(5));
const stampFormat = new Intl.DateTimeFormat('sv-SE', {timeZone: data.zone, year: 'numeric',
  month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23'});
const stampText = (seconds) => stampFormat.format(new Date(seconds * 1000));

function meanError(truth, forecast) {
  let sum = 0, count = 0;
  for (let i = 0; i < forecast.length; ++i) {
    if (truth[i] === null || forecast[i] === null) continue;
    sum += Math.abs(truth[i] - forecast[i]);
    ++count;
  }
  return count ? sum / count : null;
}

// ---- elements

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

function speak(text) {
  clearTimeout(speak.timer);
  speak.timer = setTimeout(() => { $('spoken').textContent = text; }, 250);
}

const redraws = new Map();  // of every chart, by its id, for another theme
function redrawAll() { for (const redraw of redraws.values()) redraw(); }
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawAll);
addEventListener('beforeprint', () => { document.documentElement.classList.add('printing'); redrawAll(); });
addEventListener('afterprint', () => { document.documentElement.classList.remove('printing'); redrawAll(); });

const kShapes = ['circle', 'square', 'triangle', 'diamond'];
function shapePath(context, shape, x, y, r) {
  context.beginPath();
  if (shape === 'circle') context.arc(x, y, r, 0, 2 * Math.PI);
  if (shape === 'square') context.rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r);
  if (shape === 'triangle') { context.moveTo(x, y - 1.2 * r); context.lineTo(x + 1.1 * r, y + 0.9 * r); context.lineTo(x - 1.1 * r, y + 0.9 * r); }
  if (shape === 'diamond') { context.moveTo(x, y - 1.3 * r); context.lineTo(x + 1.1 * r, y); context.lineTo(x, y + 1.3 * r); context.lineTo(x - 1.1 * r, y); }
  context.closePath();
}

function svg(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function swatch(line) {
  const picture = svg('svg', {width: 28, height: 12, 'aria-hidden': 'true'});
  if (line.band) {
    picture.append(svg('rect', {x: 0, y: 1, width: 28, height: 10, fill: `var(--${line.colour})`, opacity: line.opacity}));
  } else {
    picture.append(svg('line', {x1: 0, x2: 28, y1: 6, y2: 6, stroke: `var(--${line.colour})`,
      'stroke-width': line.width || 2, 'stroke-dasharray': (line.dash || []).join(' ')}));
  }
  return picture;
}

function table(caption, heads, rows) {
  const made = element('table', {}, element('caption', {}, caption));
  const head = element('tr');
  for (const text of heads) head.append(element('th', {scope: 'col'}, text));
  made.append(element('thead', {}, head));
  const body = element('tbody');
  for (const row of rows) {
    const line = element('tr');
    row.forEach((text, i) => line.append(i === 0 ? element('th', {scope: 'row'}, text) : element('td', {}, text)));
    body.append(line);
  }
  made.append(body);
  return element('div', {class: 'wide', tabindex: '0', role: 'region', 'aria-label': caption}, made);
}

// A table that is made when it is asked for: most are never opened.
function tableDetails(make) {
  const details = element('details', {}, element('summary', {}, 'As a table'));
  details.addEventListener('toggle', () => {
    while (details.children.length > 1) details.lastChild.remove();
    if (details.open) details.append(make());
  });
  return details;
}

// ---- line charts

const plots = new Map();

// Distance of ticks, text, and what is added where a year, a month or a day begins.
const kStampAxis = [
  [31536000, '{YYYY}', null, null, null, null, null, null, 1],
  [2419200, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [86400, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [0.001, '{HH}:{mm}:{ss}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
];

// spec: x, lines [{name, y, colour, dash, width}], bands [{name, low, high, colour, opacity}],
// time (x is stamps), xText, xName, yName, view [from, to], mark (x of an upright line)
function drawPlot(id, spec) {
  const place = $(id);
  if (!place) return;
  const label = place.dataset.label;
  let parts = plots.get(id);
  if (!parts) {
    const legend = element('ul', {class: 'legend'});
    const canvas = element('div', {class: 'canvas', tabindex: '0', role: 'group', 'aria-label':
      `${label}. Arrow keys read its values, plus and minus zoom, 0 shows all.`});
    const readout = element('p', {class: 'readout'});
    const button = (text, name, act) => {
      const made = element('button', {type: 'button', 'aria-label': `${name}: ${label}`, title: name}, text);
      made.addEventListener('click', act);
      return made;
    };
    parts = {legend, canvas, readout, spec};
    // Short axes are seen whole; keys zoom them all the same.
    const buttons = !spec.time ? '' : element('div', {class: 'buttons'}, button('+', 'Zoom in', () => zoom(parts, 0.5)),
      button('−', 'Zoom out', () => zoom(parts, 2)), button('All', 'Show all', () => showAll(parts)));
    place.append(element('h4', {}, label), element('div', {class: 'tools'}, legend, buttons), canvas, readout,
      tableDetails(() => plotTable(label, parts.spec)));
    plots.set(id, parts);
    canvas.addEventListener('keydown', (event) => key(parts, event));
    new ResizeObserver(() => {
      if (parts.plot && canvas.clientWidth !== parts.width) redraws.get(id)();
    }).observe(canvas);
  }
  parts.spec = spec;
  const open = place.querySelector('details');
  if (open && open.open) { open.open = false; open.open = true; }
  const redraw = () => makePlot(parts);
  redraws.set(id, redraw);
  redraw();
}

function xText(spec, x) { return spec.time ? stampText(x) : spec.xText ? spec.xText(x) : numberText(x); }

function tell(parts, index) {
  const {spec, readout} = parts;
  readout.replaceChildren();
  if (index === null || index === undefined) return '';
  let words = (spec.xName ? spec.xName + ' ' : '') + xText(spec, spec.x[index]);
  readout.append(element('b', {}, words));
  for (const line of spec.lines) {
    if (line.y[index] === null || line.y[index] === undefined) continue;
    readout.append(`  ·  ${line.name} `, element('b', {}, numberText(line.y[index])));
    words += `, ${line.name} ${numberText(line.y[index])}`;
  }
  for (const band of spec.bands || []) {
    if (band.low[index] === null || band.low[index] === undefined) continue;
    const text = `${numberText(band.low[index])} to ${numberText(band.high[index])}`;
    readout.append(`  ·  ${band.name} `, element('b', {}, text));
    words += `, ${band.name} ${text}`;
  }
  return words;
}

function makePlot(parts) {
  const {spec, canvas, legend} = parts;
  const kept = parts.plot && parts.drawn === spec ? parts.plot.scales.x : null;
  const view = kept ? [kept.min, kept.max] : spec.view;
  if (parts.plot) parts.plot.destroy();
  canvas.replaceChildren();
  parts.width = canvas.clientWidth;
  parts.drawn = spec;
  legend.replaceChildren(...[...spec.lines, ...(spec.bands || []).map((band) => ({...band, band: true}))]
    .filter((line) => !line.unnamed).map((line) => element('li', {}, swatch(line), line.name)));
  const ink = colour('soft');
  const grid = {stroke: colour('faint'), width: 1};
  const axis = {stroke: ink, grid, ticks: grid, font: '12px system-ui, sans-serif'};
  const rows = [spec.x];
  const series = [{}];
  const fills = [];
  for (const band of spec.bands || []) {
    const hidden = {stroke: 'transparent', width: 0, points: {show: false}};
    series.push({...hidden}, {...hidden});
    rows.push(band.high, band.low);
    const shade = Math.round(band.opacity * 255).toString(16).padStart(2, '0');
    fills.push({series: [series.length - 2, series.length - 1], fill: colour(band.colour) + shade});
  }
  for (const line of spec.lines) {
    series.push({label: line.name, stroke: colour(line.colour), width: line.width || 2, dash: line.dash,
      spanGaps: !!spec.joined, points: {show: !!line.points, size: 6, fill: colour(line.colour)}});
    rows.push(line.y);
  }
  const height = spec.height || (parts.width < 500 ? 240 : 320);
  parts.plot = new uPlot({
    width: Math.max(parts.width, 200), height, tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), data.zone),
    legend: {show: false}, series, bands: fills,
    scales: {x: {time: !!spec.time}},
    axes: [{...axis, values: spec.time ? kStampAxis : !spec.xText ? undefined : (u, splits) => splits.map((v) => Number.isInteger(v) ? spec.xText(v) : ''),
            incrs: spec.xText ? [1, 2, 3, 6, 12] : undefined},
           {...axis, size: 58, values: (u, splits) => splits.map((v) => v === null ? '' : compact(v, splits))}],
    cursor: {points: {size: 7}, drag: {x: true, y: false}, focus: {prox: -1}},
    hooks: {
      setCursor: [(u) => tell(parts, u.cursor.idx)],
      draw: spec.mark === undefined ? [] : [(u) => {
        const x = Math.round(u.valToPos(spec.mark, 'x', true));
        u.ctx.save();
        u.ctx.strokeStyle = colour('soft');
        u.ctx.setLineDash([4, 4]);
        u.ctx.beginPath();
        u.ctx.moveTo(x, u.bbox.top);
        u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
        u.ctx.stroke();
        u.ctx.restore();
      }],
    },
  }, rows, canvas);
  if (view) parts.plot.setScale('x', {min: view[0], max: view[1]});
}

function compact(value, splits) {
  const step = splits.length > 1 ? Math.abs(splits[1] - splits[0]) : Math.abs(value);
  for (const [unit, letter] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']]) {
    if (Math.abs(value) >= 10 * unit || (unit > 1e3 && Math.abs(value) >= unit)) return +(value / unit).toPrecision(6) + letter;
  }
  const digits = step > 0 ? Math.max(0, Math.min(8, Math.ceil(-Math.log10(step) - 1e-9))) : 2;
  return value.toFixed(digits);
}

function zoom(parts, factor) {
  const {min, max} = parts.plot.scales.x;
  const x = parts.spec.x;
  const index = parts.plot.cursor.idx;
  const middle = index === null || index === undefined ? max - (max - min) / 4 : x[index];
  const from = Math.max(x[0], middle - (middle - min) * factor);
  const to = Math.min(x[x.length - 1], middle + (max - middle) * factor);
  if (to > from) parts.plot.setScale('x', {min: from, max: to});
}

function showAll(parts) {
  const x = parts.spec.x;
  parts.plot.setScale('x', {min: x[0], max: x[x.length - 1]});
}

function key(parts, event) {
  const x = parts.spec.x;
  const u = parts.plot;
  const {min, max} = u.scales.x;
  const last = x.length - 1;
  let index = u.cursor.idx;
  const step = event.shiftKey ? 10 : 1;
  const start = index === null || index === undefined;
  switch (event.key) {
    case 'ArrowRight': index = start ? x.findIndex((v) => v >= min) : Math.min(last, index + step); break;
    case 'ArrowLeft': index = start ? x.findLastIndex((v) => v <= max) : Math.max(0, index - step); break;
    case 'Home': index = 0; break;
    case 'End': index = last; break;
    case '+': case '=': zoom(parts, 0.5); event.preventDefault(); return;
    case '-': zoom(parts, 2); event.preventDefault(); return;
    case '0': case 'Escape': showAll(parts); event.preventDefault(); return;
    default: return;
  }
  event.preventDefault();
  if (x[index] < min || x[index] > max) {
    const half = (max - min) / 2;
    u.setScale('x', {min: x[index] - half, max: x[index] + half});
  }
  requestAnimationFrame(() => {
    u.setCursor({left: u.valToPos(x[index], 'x'), top: u.over.clientHeight / 2}, false);
    u.cursor.idx = index;
    speak(tell(parts, index));
  });
}

const kMostRows = 600;
function plotTable(label, spec) {
  const bands = spec.bands || [];
  const heads = [spec.xName || (spec.time ? 'time' : ''), ...spec.lines.map((line) => line.name),
    ...bands.flatMap((band) => [band.name + ' low', band.name + ' high'])];
  const rows = [];
  for (let i = Math.max(0, spec.x.length - kMostRows); i < spec.x.length; ++i) {
    rows.push([xText(spec, spec.x[i]), ...spec.lines.map((line) => numberText(line.y[i])),
      ...bands.flatMap((band) => [numberText(band.low[i]), numberText(band.high[i])])]);
  }
  return table(label + (spec.x.length > kMostRows ? `, the last ${kMostRows} points` : ''), heads, rows);
}

// ---- parts of the page

const first = data.channels[0];
const dashes = {solid: undefined, dashed: [8, 4], dotted: [2, 3], mixed: [10, 3, 2, 3]};
const before = (count, values) => [...new Array(count).fill(null), ...values];
const fade = (i, count) => 0.32 - 0.16 * (count - 1 - i) / Math.max(1, count - 1);

function bandsOf(packed, count) {
  return (packed || []).map((band, i, all) => ({name: band.name + ' range', low: before(count, unpack(band.low)),
    high: before(count, unpack(band.high)), colour: 'series-1', opacity: fade(i, all.length)}));
}

function drawNext(channel) {
  const history = unpack(channel.history);
  const forecast = unpack(channel.forecast);
  const x = [...unpackStamps(channel.x || first.x), ...unpackStamps(channel.fx || first.fx)].slice(0, history.length + forecast.length);
  const joined = before(history.length, forecast);
  if (history.length) joined[history.length - 1] = history[history.length - 1];
  $('status').textContent = channel.status || '';
  drawPlot('next-plot', {x, time: true, view: [x[Math.max(0, x.length - 5 * forecast.length)], x[x.length - 1]],
    lines: [{name: 'history', y: [...history, ...new Array(forecast.length).fill(null)], colour: 'ink', width: 1.5},
            {name: 'forecast', y: joined, colour: 'series-1', width: 2.5}],
    bands: bandsOf(channel.bands, history.length), mark: x[history.length - 1]});
}

const pastOf = (channel, i) => {
  const past = channel.past[i];
  const x = unpackStamps(past.x || first.past[i].x);
  const forecast = unpack(past.forecast);
  return {x, truth: unpack(past.truth), forecast, bands: past.bands, history: x.length - forecast.length};
};

function drawPast(channel) {
  const slider = $('origin');
  if (!slider) return;
  const count = channel.past.length;
  slider.max = Math.max(0, count - 1);
  slider.disabled = count === 0;
  if (count === 0) { $('origin-text').textContent = 'there is none of this series'; return; }
  const i = Math.min(+slider.value, count - 1);
  const past = pastOf(channel, i);
  const cutoff = past.x[past.history - 1];
  const text = `${stampText(cutoff)}, mean absolute error ${numberText(meanError(past.truth.slice(past.history), past.forecast))}`;
  $('origin-text').textContent = text;
  slider.setAttribute('aria-valuetext', text);
  drawPlot('past-plot', {x: past.x, time: true, mark: cutoff,
    lines: [{name: 'what came', y: past.truth, colour: 'ink', width: 1.5},
            {name: 'forecast', y: before(past.history, past.forecast), colour: 'series-1', width: 2.5}],
    bands: bandsOf(past.bands, past.history)});
  const all = channel.past.map((_, k) => pastOf(channel, k));
  drawPlot('origins-plot', {x: all.map((each) => each.x[each.history - 1]), time: true, mark: cutoff, height: 160, xName: 'made on',
    lines: [{name: 'mean absolute error', colour: 'series-1', points: true,
             y: all.map((each) => meanError(each.truth.slice(each.history), each.forecast))}]});
}

const errorStyles = [{colour: 'series-1', width: 2.5}, {colour: 'soft', dash: dashes.dotted}, {colour: 'series-0', dash: dashes.dashed},
  {colour: 'series-2', dash: dashes.mixed}, {colour: 'series-3', dash: [14, 4]}];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function errorLines(errors, part) {
  return errors.filter((each) => each[part]).map((each, i) => ({name: each.name, y: unpack(each[part]), ...errorStyles[i % errorStyles.length]}));
}
const upTo = (count, from) => Array.from({length: count}, (_, i) => i + from);

function drawErrors(channel) {
  if ($('errors-of')) $('errors-of').textContent = `Mean absolute error of ${channel.name}`;
  const draw = (id, part, from, more) => {
    const lines = errorLines(channel.errors, part);
    if (lines.length) drawPlot(id, {x: upTo(lines[0].y.length, from), lines, height: 220, ...more});
  };
  draw('channel-steps-plot', 'step', 1, {xName: 'step'});
  draw('hours-plot', 'hour', 0, {xText: (h) => `${String(h).padStart(2, '0')} h`});
  draw('months-plot', 'month', 0, {xText: (m) => months[m] || ''});
}

function drawScores() {
  const lines = errorLines(data.scores, 'step');
  if (lines.length) drawPlot('steps-plot', {x: upTo(lines[0].y.length, 1), xName: 'step', lines, height: 260});
}

function drawCoverage() {
  const lines = errorLines(data.coverage, 'step');
  if (lines.length) drawPlot('coverage-plot', {x: upTo(lines[0].y.length, 1), xName: 'step', lines, height: 260});
}

function drawWindow(window) {
  const x = unpackStamps(window.x || data.windows[0].x);
  const values = unpack(window.values), past = unpack(window.past_anchor), anchor = unpack(window.anchor);
  const forecast = unpack(window.forecast);
  const T = past.length;
  const cutoff = x[T - 1];
  $('window-text').textContent = `history up to ${stampText(cutoff)}; residual's mean ${numberText(window.mean)}, deviation ${numberText(window.deviation)}`;
  const lines = [{name: 'history, then what came', y: values, colour: 'ink', width: 1.5},
    {name: 'anchor', y: [...past, ...anchor], colour: 'series-0', dash: dashes.dashed}];
  if (window.routed) lines.push({name: 'anchor as routed, without the calendar', y: before(T, unpack(window.routed)), colour: 'series-2', dash: dashes.dotted});
  lines.push({name: 'forecast', y: before(T, forecast), colour: 'series-1', width: 2.5});
  drawPlot('window-plot', {x, time: true, mark: cutoff, lines});
  const flat = (value) => [...new Array(T).fill(value), ...new Array(forecast.length).fill(null)];
  drawPlot('residual-plot', {x, time: true, mark: cutoff, height: 220,
    lines: [{name: 'residual of the history', y: [...past.map((a, i) => values[i] - a), ...new Array(forecast.length).fill(null)], colour: 'ink', width: 1.5},
            {name: 'its mean', y: flat(window.mean), colour: 'series-3', dash: dashes.dashed},
            {name: 'residual of the forecast', y: before(T, forecast.map((f, i) => f - anchor[i])), colour: 'series-1', width: 2.5}],
    bands: [{name: 'a deviation around it', low: flat(window.mean - window.deviation), high: flat(window.mean + window.deviation), colour: 'series-3', opacity: 0.16}]});
}

function drawCodebook() {
  if (!data.codebook || !$('codebook-plot')) return;
  const {channels, phases, levels: packed} = data.codebook;
  const levels = unpack(packed);
  if (channels.length === 1) {
    drawPlot('codebook-plot', {x: upTo(phases, 0), xName: 'phase', height: 220,
      lines: [{name: channels[0], y: levels, colour: 'series-0'}]});
    return;
  }
  const place = $('codebook-plot');
  const label = place.dataset.label;
  const canvas = element('canvas', {role: 'img', 'aria-label': `${label}: ${channels.length} series by ${phases} phases; the table below has the values`});
  const readout = element('p', {class: 'readout'});
  const scale = element('p', {class: 'note'});
  place.append(element('h4', {}, label), scale, element('div', {class: 'canvas'}, canvas), readout,
    tableDetails(() => table(label, ['phase', ...channels], upTo(phases, 0).map((p) =>
      [String(p), ...channels.map((_, c) => numberText(levels[c * phases + p]))]))));
  const most = Math.max(...levels.map((v) => Math.abs(v || 0)), 1e-12);
  scale.textContent = `From −${numberText(most)} (blue) over 0 (pale) to ${numberText(most)} (orange); darker is further from 0.`;
  const kNames = 92, kBottom = 20;
  const draw = () => {
    const width = canvas.parentElement.clientWidth;
    const row = Math.max(8, Math.min(26, 420 / channels.length));
    const height = row * channels.length + kBottom;
    const ratio = devicePixelRatio || 1;
    canvas.width = width * ratio; canvas.height = height * ratio;
    canvas.style.width = width + 'px'; canvas.style.height = height + 'px';
    const context = canvas.getContext('2d');
    context.scale(ratio, ratio);
    const cell = (width - kNames) / phases;
    const [low, high] = [colour('series-0'), colour('series-1')];
    context.font = '12px system-ui, sans-serif';
    channels.forEach((name, c) => {
      for (let p = 0; p < phases; ++p) {
        const value = levels[c * phases + p] || 0;
        context.globalAlpha = 0.04 + 0.96 * Math.abs(value) / most;
        context.fillStyle = value < 0 ? low : high;
        context.fillRect(kNames + p * cell, c * row, Math.ceil(cell), row - 1);
      }
      context.globalAlpha = 1;
      context.fillStyle = colour('ink');
      if (row >= 12) context.fillText(name.length > 13 ? name.slice(0, 12) + '…' : name, 0, c * row + row / 2 + 4);
    });
    context.fillStyle = colour('soft');
    const every = Math.max(1, Math.ceil(phases / Math.max(1, Math.floor((width - kNames) / 40))));
    for (let p = 0; p < phases; p += every) context.fillText(String(p), kNames + p * cell, height - 5);
  };
  canvas.addEventListener('mousemove', (event) => {
    const box = canvas.getBoundingClientRect();
    const p = Math.floor((event.clientX - box.left - kNames) / ((box.width - kNames) / phases));
    const c = Math.floor((event.clientY - box.top) / ((box.height - kBottom) / channels.length));
    if (p < 0 || c >= channels.length) return;
    readout.textContent = `${channels[c]}, phase ${p}: ${numberText(levels[c * phases + p])}`;
  });
  new ResizeObserver(draw).observe(canvas.parentElement);
  redraws.set('codebook-plot', draw);
  draw();
}

function drawMaps() {
  const place = $('maps');
  if (!data.maps || !place) return;
  const {maps, groups, group_of: groupOf} = data.maps;
  const cutoffs = unpackStamps(data.maps.cutoffs);
  for (const [m, map] of maps.entries()) {
    const xs = unpack(map.x), ys = unpack(map.y);
    const canvas = element('canvas', {role: 'img', 'aria-label': `${map.name}: ${xs.length} windows; the table below has where the groups lie`});
    const readout = element('p', {class: 'readout'});
    const legend = element('ul', {class: 'legend'});
    const legendMark = (g) => {
      const mark = element('canvas', {width: 28, height: 28, style: 'width:14px;height:14px', 'aria-hidden': 'true'});
      const context = mark.getContext('2d');
      context.fillStyle = colour('series-' + g);
      shapePath(context, kShapes[g % 4], 14, 14, 9);
      context.fill();
      return mark;
    };
    const centre = (g, values) => {
      const own = values.filter((_, i) => groupOf[i] === g);
      return own.length ? own.reduce((a, b) => a + b, 0) / own.length : null;
    };
    place.append(element('div', {class: 'map'}, element('h4', {}, map.name), legend,
      element('div', {class: 'canvas'}, canvas), readout,
      tableDetails(() => table(map.name, ['group', 'windows', 'middle across', 'middle up'], groups.map((name, g) =>
        [name, String(groupOf.filter((each) => each === g).length), numberText(centre(g, xs)), numberText(centre(g, ys))])))));
    const range = (values) => [Math.min(...values), Math.max(...values)];
    const [xLow, xHigh] = range(xs), [yLow, yHigh] = range(ys);
    let spots = [];
    const draw = () => {
      const width = canvas.parentElement.clientWidth;
      const height = Math.min(420, Math.max(260, width * 0.75));
      const ratio = devicePixelRatio || 1;
      canvas.width = width * ratio; canvas.height = height * ratio;
      canvas.style.width = width + 'px'; canvas.style.height = height + 'px';
      const context = canvas.getContext('2d');
      context.scale(ratio, ratio);
      legend.replaceChildren(...groups.map((name, g) => element('li', {}, legendMark(g), name)));
      spots = xs.map((x, i) => [12 + (width - 24) * (x - xLow) / (xHigh - xLow || 1), height - 12 - (height - 24) * (ys[i] - yLow) / (yHigh - yLow || 1)]);
      context.strokeStyle = colour('faint');
      context.strokeRect(0.5, 0.5, width - 1, height - 1);
      context.globalAlpha = 0.75;
      spots.forEach(([x, y], i) => {
        context.fillStyle = colours[groupOf[i]] || colour('ink');
        shapePath(context, kShapes[groupOf[i] % 4], x, y, 3.2);
        context.fill();
      });
    };
    let colours = [];
    const redraw = () => { colours = groups.map((_, g) => colour('series-' + g)); draw(); };
    canvas.addEventListener('mousemove', (event) => {
      const box = canvas.getBoundingClientRect();
      let best = -1, nearest = 400;
      spots.forEach(([x, y], i) => {
        const distance = (x - event.clientX + box.left) ** 2 + (y - event.clientY + box.top) ** 2;
        if (distance < nearest) { nearest = distance; best = i; }
      });
      readout.textContent = best < 0 ? '' : `window up to ${stampText(cutoffs[best])}, ${groups[groupOf[best]]}`;
    });
    new ResizeObserver(redraw).observe(canvas.parentElement);
    redraws.set('map-' + m, redraw);
    redraw();
  }
}

function drawSpectra() {
  if (!data.spectra.length || !$('spectra-plot')) return;
  const factor = data.steps_a_day || 1;
  const all = data.spectra.map((each) => ({name: each.name, x: unpack(each.x).map((f) => f * factor), y: unpack(each.y)}));
  const x = [...new Set(all.flatMap((each) => each.x.map((f) => +f.toPrecision(6))))].sort((a, b) => a - b);
  const styles = [{colour: 'soft', dash: dashes.dotted}, {colour: 'ink', width: 1.5}, {colour: 'series-1', width: 2.5}, {colour: 'series-0', dash: dashes.dashed}];
  const lines = all.map((each, i) => {
    const at = new Map(each.x.map((f, k) => [+f.toPrecision(6), each.y[k]]));
    return {name: each.name, y: x.map((f) => at.has(f) ? at.get(f) : undefined), ...styles[i % styles.length]};
  });
  drawPlot('spectra-plot', {x, lines, joined: true, height: 280, xName: data.steps_a_day ? 'cycles a day:' : 'cycles a step:',
    view: data.steps_a_day ? [x[0], Math.min(x[x.length - 1], 8)] : undefined});
}

function choose(index) {
  const channel = data.channels[index];
  drawNext(channel);
  drawPast(channel);
  drawErrors(channel);
  const window = data.windows.findIndex((each) => each.name === channel.name);
  if ($('window') && window >= 0 && +$('window').value !== window) {
    $('window').value = window;
    drawWindow(data.windows[window]);
  }
}

$('channel').addEventListener('change', () => choose(+$('channel').value));
const slider = $('origin');
if (slider) {
  slider.max = Math.max(0, first.past.length - 1);
  slider.value = slider.max;
  slider.addEventListener('input', () => drawPast(data.channels[+$('channel').value]));
}
if ($('window')) $('window').addEventListener('change', () => drawWindow(data.windows[+$('window').value]));
choose(0);
if ($('window')) drawWindow(data.windows[+$('window').value]);
drawScores();
drawCoverage();
drawCodebook();
drawMaps();
drawSpectra();
})();
