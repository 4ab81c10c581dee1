// sliders.js - updates a page for the positions of its sliders. `swept` has the answers at each
// point of a grid and each N. Answers between points are interpolated, which the page states.
'use strict'

// ---- numbers

const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer
const doubles = text => new Float64Array(bytes(text).slice(0, bytes(text).byteLength & ~7))
const shorts = text => new Uint16Array(bytes(text).slice(0, bytes(text).byteLength & ~1))
const time = doubles(swept.time), speedup = doubles(swept.speedup), upper = doubles(swept.upper)
const interval = shorts(swept.interval), range = shorts(swept.range), also = shorts(swept.also)
const lost = new Uint8Array(bytes(swept.lost)), best = new Uint8Array(bytes(swept.best))
const unmeasured = new Uint8Array(bytes(swept.unmeasured))
const NONE = 255
const ways = swept.ways.length, sizes = swept.gpus.length

// The upper and the lower error in %, from texts such as "4.3%" and "+49/-33%".
const sides = swept.words.map(text => {
  const found = (text.match(/[\d.]+/g) || ['0']).map(Number)
  return [found[0], found[found.length - 1]]
})
const widest = ([up, down]) =>
  up === 0 && down === 0 ? '' : up < 10 && Math.abs(up - down) < 1
    ? up.toFixed(1) + '%' : '+' + up.toFixed(0) + '/-' + down.toFixed(0) + '%'

// Prints a quantity with four digits and a prefix, as the program does.
const prefixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P']
const quantity = (x, unit) => {
  if (!(Math.abs(x) > 0)) return '0 ' + unit
  const from = unit === 's' ? 0 : 3, to = unit === 's' ? 3 : 8
  let i = to
  while (i > from && Math.abs(x) < 0.99995 * 10 ** (3 * i - 9)) i--
  const v = i < 3 ? x * 10 ** (9 - 3 * i) : x / 10 ** (3 * i - 9)
  const digits = Math.abs(v) >= 1e3 ? v.toFixed(0) : String(Number(v.toPrecision(4)))
  return digits + ' ' + prefixes[i] + unit
}

// ---- positions of the sliders

// The position on each axis, as an index of its values plus a fraction in tenths of a step.
const places = swept.axes.map(axis => {
  const near = axis.values.map(v => Math.abs(axis.log ? Math.log(v / axis.asked) : v - axis.asked))
  return 'asked' in axis ? near.indexOf(Math.min(...near)) : 0
})
let size = sizes - 1

const between = (axis, place) => {
  const i = Math.min(Math.floor(place), axis.values.length - 1), f = place - i
  if (!(f > 0)) return { i, f: 0, text: axis.labels[i] }
  const [a, b] = [axis.values[i], axis.values[i + 1]]
  let x = axis.log ? a * (b / a) ** f : a + (b - a) * f
  if (axis.whole) x = Math.round(x)
  const at = !(b > a) ? 0 : axis.log ? Math.log(x / a) / Math.log(b / a) : (x - a) / (b - a)
  if (!(at > 0)) return { i, f: 0, text: axis.labels[i] }
  if (!(at < 1)) return { i: i + 1, f: 0, text: axis.labels[i + 1] }
  const unit = axis.unit ? ' ' + axis.unit : ''
  return { i, f: at, text: axis.prefixed ? quantity(x, axis.unit) : Number(x.toPrecision(6)) + unit }
}

// The neighbouring points of the grid, with weights whose sum is 1.
const corners = spots => {
  let list = [{ point: 0, weight: 1 }]
  spots.forEach((s, k) => {
    const next = []
    for (const c of list) {
      const point = c.point * swept.axes[k].values.length + s.i
      next.push({ point, weight: c.weight * (1 - s.f) })
      if (s.f > 0) next.push({ point: point + 1, weight: c.weight * s.f })
    }
    list = next
  })
  return list
}

// ---- one answer

const mean = (list, of) => list.reduce((sum, c) => sum + c.weight * of(c.point), 0)
const distinct = texts => [...new Set(texts.filter(t => t))]

const answer = (list, j, way) => {
  const at = point => (point * sizes + j) * ways + way
  const of = numbers => list.length === 1 ? numbers[at(list[0].point)]
    : Math.exp(mean(list, p => Math.log(numbers[at(p)])))
  const a = { way, name: swept.ways[way].name, time: of(time) }
  if (!(a.time > 0)) return null
  const points = list.map(c => at(c.point))
  a.speedup = of(speedup)
  a.upper = of(upper)
  a.sides = [0, 1].map(k => mean(list, p => sides[interval[at(p)]][k]))
  a.interval = list.length === 1 ? swept.words[interval[points[0]]] : widest(a.sides)
  a.range = distinct(points.map(k => swept.words[range[k]])).join(' or ')
  a.lost = distinct(points.map(k => swept.losses[lost[k]])).join(' or ')
  if (points.some(k => unmeasured[k])) a.name += ' (unmeasured)'
  return a
}

// Ranks the best paradigm first and the others by time, without zero-cost communication.
const ranking = (list, j) => {
  const all = []
  for (let way = 0; way < ways; way++) {
    const a = swept.ways[way].ideal ? null : answer(list, j, way)
    if (a) all.push(a)
  }
  all.sort((a, b) => a.time - b.time)
  const named = new Set(list.map(c => best[c.point * sizes + j]))
  const first = named.size === 1 ? all.findIndex(a => named.has(a.way)) : -1
  if (first > 0) all.unshift(...all.splice(first, 1))
  if (ways === 1) {
    const ideal = swept.ways.findIndex(w => w.ideal), a = ideal < 0 ? null : answer(list, j, ideal)
    if (a) all.push(a)
  }
  return all
}

// ---- display

const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
const within = a => a.interval === '' ? '' : a.interval[0] === '+' ? ' (' + a.interval + ')' : ' (+/- ' + a.interval + ')'

const sentence = (a, gpus, spots) => {
  const where = spots.map((s, k) => swept.axes[k].name + ' = ' + s.text).join(', ')
  if (!a) return 'With ' + where + ' nothing is predicted on ' + gpus + ' GPUs: it does not fit, or no paradigm can run it.'
  return 'With ' + where + ', on ' + gpus + (gpus === 1 ? ' GPU' : ' GPUs') + ' of ' + swept.system + ' one step of ' +
    swept.workload + ' takes ' + quantity(a.time, 's') + within(a) + (gpus === 1 ? '' : ' by ' + a.name) + ', ' + a.speedup.toFixed(2) +
    ' times as fast as one GPU, an efficiency of ' + (100 * a.speedup / gpus).toFixed(0) + ' %. Most is lost to ' + a.lost +
    '; the prediction is ' + a.range + '.'
}

const rows = all => all.map((a, k) => '<tr><td>' + (k + 1) + '</td><td>' + escaped(a.name) +
  (swept.ways[a.way].proposed ? ' (proposed hardware)' : '') + '</td><td>' + quantity(a.time, 's') + '</td><td>' + a.interval +
  '</td><td>' + (100 * (a.time / all[0].time - 1)).toFixed(1) + ' %</td><td>' + a.lost + '</td></tr>').join('')

// Draws speedups over N, both in powers of two, on fixed axes.
const WIDE = Math.min(640, Math.max(330, document.getElementById('answer').clientWidth))
const HIGH = 330, LEFT = 42, RIGHT = WIDE - 118, TOP = 18, FOOT = 290, NAMED = 8
const least = swept.gpus[0], most = Math.max(swept.gpus[sizes - 1], 2 * least), lowest = least / 4
const across = n => LEFT + (RIGHT - LEFT) * Math.log(n / least) / Math.log(most / least)
const up = s => FOOT - (FOOT - TOP) * Math.log(Math.min(Math.max(s, lowest), 1.2 * most) / lowest) / Math.log(1.2 * most / lowest)
// The colours of figures (plots/style.gp).
const inks = ['#726750', '#3493ff', '#ff4f0d', '#44a662', '#a801b8', '#be2104', '#37686c', '#a96aa5', '#939392']
const ink = way => inks[swept.ways[way].type % inks.length]
const dashes = ['', '8,3', '2,2', '8,3,2,3', '5,5', '12,4', '1,3', '12,3,3,3']

const ticks = () => {
  let svg = ''
  if (most > swept.known) {
    const from = across(Math.max(swept.known, least))
    svg += '<path class="beyond" d="M' + from + ' ' + TOP + 'H' + RIGHT + 'V' + FOOT + 'H' + from + 'Z"/><text class="far" x="' + RIGHT + '" y="' + (TOP - 3) + '" text-anchor="end">extrapolated</text>'
  }
  for (let n = 1; n <= most; n *= 2) {
    if (n >= least) svg += '<path class="grid" d="M' + across(n) + ' ' + TOP + 'V' + FOOT + '"/><text x="' + across(n) + '" y="' + (FOOT + 18) + '" text-anchor="middle">' + n + '</text>'
  }
  for (let s = 2 ** Math.ceil(Math.log2(lowest)); s <= 1.2 * most; s *= 2)
    svg += '<path class="grid" d="M' + LEFT + ' ' + up(s) + 'H' + RIGHT + '"/><text x="' + (LEFT - 6) + '" y="' + (up(s) + 5) + '" text-anchor="end">' + s + '</text>'
  return svg + '<text x="' + (LEFT + RIGHT) / 2 + '" y="' + (HIGH - 4) + '" text-anchor="middle">GPUs</text>'
}

const path = points => points.map((p, k) => (k ? 'L' : 'M') + p[0].toFixed(1) + ' ' + p[1].toFixed(1)).join('')

// Writes names at the ends of curves without overlap.
const names = ends => {
  ends.sort((a, b) => a.y - b.y)
  for (let k = 1; k < ends.length; k++) ends[k].y = Math.max(ends[k].y, ends[k - 1].y + 17)
  let floor = FOOT
  for (let k = ends.length - 1; k >= 0; k--, floor -= 17) ends[k].y = Math.min(ends[k].y, floor)
  return ends.map(e => '<text class="' + e.kind + '"' + (e.ink ? ' style="fill:' + e.ink + '"' : '') + ' x="' + (RIGHT + 6) + '" y="' + (e.y + 5).toFixed(1) + '">' + escaped(e.name) + '</text>').join('')
}

const curves = (list, all) => {
  let svg = ''
  const ends = []
  const shown = swept.ways.map((w, way) => ({ way, ...w }))
  const order = way => { const k = all.findIndex(a => a.way === way); return k < 0 ? -1 : k }
  for (const w of shown.sort((a, b) => order(b.way) - order(a.way))) {
    const k = order(w.way), points = [], high = [], low = []
    for (let j = 0; j < sizes; j++) {
      const a = answer(list, j, w.way), x = across(swept.gpus[j])
      if (!a) continue
      const wide = swept.gpus[j] === 1 ? 1 : a.upper / a.speedup || 1
      points.push([x, up(a.speedup)])
      high.push([x, up(a.speedup * wide)])
      low.unshift([x, up(a.speedup / wide)])
    }
    if (points.length === 0) continue
    const kind = w.ideal ? 'ideal' : k === 0 ? 'first' : k >= 0 && k < 5 ? 'near' : 'far'
    const own = kind === 'first' || kind === 'near' ? ink(w.way) : ''
    if (k === 0 && points.length > 1) svg += '<path class="band" style="fill:' + own + '" d="' + path(high.concat(low)) + 'Z"/>'
    svg += '<path class="curve ' + kind + '" stroke-dasharray="' + (w.ideal ? '3,3' : dashes[w.way % dashes.length]) + '"' + (own ? ' style="stroke:' + own + '"' : '') + ' d="' + path(points) + '"/>'
    if (w.ideal || k < NAMED) ends.push({ y: points[points.length - 1][1], name: w.ideal ? 'zero-cost' : w.name, kind, ink: own })
  }
  return svg + names(ends)
}

// ---- the page

const section = document.getElementById('moves')
const top_ = document.getElementById('answer')
const slider = (name, k, last, step) => '<label><span>' + escaped(name) + '</span><input type="range" id="move-' + k + '" min="0" max="' +
  last + '" step="' + step + '" value="' + (k === 'gpus' ? size : places[k]) + '"/><output id="at-' + k + '"></output></label>'

section.innerHTML = '<h2>Move it</h2><div class="sliders">' +
  swept.axes.map((a, k) => slider(a.name, k, a.values.length - 1, a.list ? 1 : 0.1)).join('') +
  slider('GPUs', 'gpus', sizes - 1, 1) + '</div><p id="how"></p>' +
  '<figure><svg viewBox="0 0 ' + WIDE + ' ' + HIGH + '" role="img" aria-label="speedup by the number of GPUs, each paradigm">' +
  ticks() + '<g id="curves"></g><path id="cursor" class="cursor"/></svg>' +
  '<figcaption>Speedup over one GPU by each paradigm; band: one standard error of the best; dotted: the chosen number of GPUs.</figcaption></figure>' +
  '<div class="scroll"><table><thead><tr><th></th><th>paradigm</th><th>time</th><th>one standard error</th><th>behind</th><th>lost to</th></tr></thead>' +
  '<tbody id="ranking"></tbody></table></div><p>All below is for the values that the page was asked for.</p>'
section.hidden = false

const put = (id, text) => { document.getElementById(id).textContent = text }

const follow = () => {
  const spots = swept.axes.map((axis, k) => between(axis, places[k]))
  const list = corners(spots), all = ranking(list, size), gpus = swept.gpus[size]
  spots.forEach((s, k) => put('at-' + k, s.text))
  put('at-gpus', String(gpus))
  const tied = list.length === 1 && all.length > 0 ? swept.words[also[list[0].point * sizes + size]] : ''
  top_.innerHTML = '<p id="said">' + escaped(sentence(all[0], gpus, spots)) + (tied ? ' It ties with others; also: ' + escaped(tied) + '.' : '') + '</p>'
  put('how', list.length === 1 ? 'These values were computed: what is shown is what `gpuscale predict` says.'
    : 'Interpolated between the ' + list.length + ' nearest points that were computed; no prediction was made here.')
  document.getElementById('curves').innerHTML = curves(list, all)
  document.getElementById('cursor').setAttribute('d', 'M' + across(gpus) + ' ' + TOP + 'V' + FOOT)
  document.getElementById('ranking').innerHTML = rows(all)
}

swept.axes.forEach((axis, k) => {
  document.getElementById('move-' + k).addEventListener('input', e => { places[k] = Number(e.target.value); follow() })
})
document.getElementById('move-gpus').addEventListener('input', e => { size = Number(e.target.value); follow() })
follow()
