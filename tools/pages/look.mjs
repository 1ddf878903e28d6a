// Opens pages in Chromium as people would: at a desk's and at a phone's width, in light and dark, with mouse
// and keyboard, and on paper. Fails on a message of the console, a request to a network, anything that is cut
// off sideways, and what axe-core finds serious.
//
//   node look.mjs FOLDER PAGE...     pictures of each are left in FOLDER
import {mkdirSync, readFileSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

import puppeteer from 'puppeteer-core';

const [folder, ...pages] = process.argv.slice(2);
if (!pages.length) {
  console.error('usage: node look.mjs FOLDER PAGE...');
  process.exit(2);
}
mkdirSync(folder, {recursive: true});
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const kMostBytes = 2_000_000;
const kViews = [
  {name: 'desk', width: 1280, height: 900, scheme: 'light'},
  {name: 'desk-dark', width: 1280, height: 900, scheme: 'dark'},
  {name: 'phone', width: 390, height: 844, scheme: 'light'},
  {name: 'phone-dark', width: 390, height: 844, scheme: 'dark'},
];

const findings = [];
const find = (page, view, text) => findings.push(`${basename(page)}, ${view}: ${text}`);

// What a pointer shows, and what keys show after it.
async function drive(tab, page, view) {
  const plots = await tab.$$('.plot .canvas .u-over');
  for (const plot of plots.slice(0, 3)) {
    await plot.scrollIntoView();
    const box = await plot.boundingBox();
    await tab.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2);
    const said = await plot.evaluate((over) => over.closest('.plot').querySelector('.readout').textContent);
    if (!said) find(page, view, 'a chart says nothing when it is pointed at');
  }
  const canvas = await tab.$('#next-plot .canvas');
  if (!canvas) return;
  await tab.mouse.move(1, 1);
  await canvas.focus();
  const read = () => tab.$eval('#next-plot .readout', (each) => each.textContent);
  const scale = () => tab.$eval('#next-plot .u-axis', (each) => each.textContent + document.title);
  await tab.keyboard.press('End');
  await new Promise((done) => setTimeout(done, 80));
  const last = await read();
  await tab.keyboard.press('ArrowLeft');
  await new Promise((done) => setTimeout(done, 400));
  const before = await read();
  if (!last || !before || last === before) find(page, view, `arrow keys do not move: '${last}' then '${before}'`);
  const spoken = await tab.$eval('#spoken', (each) => each.textContent);
  if (!spoken) find(page, view, 'what the keys reach is not spoken');
  for (const key of ['+', '-', '0']) await tab.keyboard.press(key);
  await scale();
  const slider = await tab.$('#origin:not([disabled])');
  if (slider) {
    await slider.focus();
    const told = () => tab.$eval('#origin-text', (each) => each.textContent);
    const newest = await told();
    await tab.keyboard.press('ArrowLeft');
    if (newest === await told()) find(page, view, 'the slider does not move by keyboard');
  }
  const channel = await tab.$('#channel');
  if (channel && await channel.evaluate((each) => each.options.length > 1)) {
    await channel.focus();
    await tab.select('#channel', '1');
  }
  const table = await tab.$('#next-plot details summary');
  await table.focus();
  await tab.keyboard.press('Enter');
  await tab.waitForSelector('#next-plot details table', {timeout: 2000}).catch(() => find(page, view, 'no table behind the chart'));
  await tab.keyboard.press('Enter');
}

// Tables that are wider than their place say so and can be reached by keyboard.
async function lookAtTables(tab, page, view) {
  const tables = await tab.$$eval('.wide', (all) => all.map((each) => {
    const hint = each.previousElementSibling;
    return {
      label: each.getAttribute('aria-label'),
      hidden: each.scrollWidth - each.clientWidth,
      hinted: Boolean(hint?.classList.contains('hint') && hint.getClientRects().length),
      focusable: each.tabIndex === 0,
    };
  }));
  for (const table of tables.filter((each) => each.hidden > 0)) {
    if (!table.hinted) find(page, view, `${table.hidden} pixels of '${table.label}' are hidden and nothing says so`);
    if (!table.focusable) find(page, view, `'${table.label}' cannot be scrolled by keyboard`);
  }
}

async function look(browser, page, view) {
  const tab = await browser.newPage();
  await tab.setViewport({width: view.width, height: view.height, deviceScaleFactor: 1});
  await tab.emulateMediaFeatures([{name: 'prefers-color-scheme', value: view.scheme}]);
  const address = pathToFileURL(resolve(page)).href;
  tab.on('console', (message) => find(page, view.name, `console: ${message.text()}`));
  tab.on('pageerror', (error) => find(page, view.name, `script: ${error.message}`));
  tab.on('request', (request) => {
    if (request.url() !== address) find(page, view.name, `asked for ${request.url()}`);
  });
  await tab.goto(address);
  const wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) find(page, view.name, `${wide} pixels wider than the window`);
  await lookAtTables(tab, page, view.name);
  await drive(tab, page, view.name);
  await tab.evaluate(() => scrollTo(0, 0));
  await tab.screenshot({path: `${folder}/${basename(page, '.html')}-${view.name}.png`, fullPage: true});
  // Not a request of the page's: the checker is put into it afterwards, past its own rules for scripts.
  await tab.evaluate(axe);
  const result = await tab.evaluate(() => globalThis.axe.run());
  for (const violation of result.violations) {
    if (!['serious', 'critical'].includes(violation.impact)) continue;
    find(page, view.name, `axe: ${violation.id}, ${violation.help}: ${violation.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' | ')}`);
  }
  await tab.close();
  return result;
}

const browser = await puppeteer.launch({executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu']});
for (const page of pages) {
  const bytes = statSync(page).size;
  if (bytes > kMostBytes) find(page, 'size', `${bytes} bytes`);
  for (const view of kViews) await look(browser, page, view);
  const tab = await browser.newPage();
  await tab.emulateMediaFeatures([{name: 'prefers-color-scheme', value: 'dark'}]);
  await tab.goto(pathToFileURL(resolve(page)).href);
  await tab.pdf({path: `${folder}/${basename(page, '.html')}.pdf`, format: 'A4', margin: {top: '12mm', bottom: '12mm', left: '12mm', right: '12mm'}});
  await tab.close();
  console.log(`${basename(page)}: ${bytes} bytes, seen at ${kViews.map((view) => view.name).join(', ')} and on paper`);
}
await browser.close();
for (const finding of findings) console.error(finding);
console.log(findings.length ? `${findings.length} findings` : 'nothing found');
process.exit(findings.length ? 1 : 0);
