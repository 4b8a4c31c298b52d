"use strict";
// Charts of the what-if part: the figures now against those with the sliders at rest.
function charts(doc, money, rounded) {
  const W = 420, H = 230, LEFT = 46, RIGHT = 12, TOP = 10, BOTTOM = 40, NS = "http://www.w3.org/2000/svg";

  function add(parent, tag, attributes, words) {
    const node = document.createElementNS(NS, tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (words !== undefined) node.textContent = words;
    parent.appendChild(node);
    return node;
  }

  function ticks(low, high, count) {
    const raw = (high - low) / count, size = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((m) => m * size).find((s) => s >= raw * 0.999);
    const found = [];
    for (let x = Math.ceil(low / step - 1e-9) * step; x <= high + step * 1e-6; x += step) found.push(Math.abs(x) < step * 1e-6 ? 0 : x);
    return found;
  }

  const label = (x) => Number(x.toPrecision(6)).toLocaleString("en-US").replace("-", "−");

  function frame(svg, xs, ys, xTitle, yTitle, height = H) {
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${W} ${height}`);
    const x = (v) => LEFT + ((v - xs[0]) / (xs[1] - xs[0])) * (W - LEFT - RIGHT);
    const y = (v) => height - BOTTOM - ((v - ys[0]) / (ys[1] - ys[0])) * (height - TOP - BOTTOM);
    for (const v of ticks(xs[0], xs[1], 5)) {
      add(svg, "line", { x1: x(v), x2: x(v), y1: TOP, y2: height - BOTTOM, class: v === 0 ? "zero" : "grid" });
      add(svg, "text", { x: x(v), y: height - BOTTOM + 15, "text-anchor": "middle" }, label(v));
    }
    add(svg, "text", { x: (LEFT + W - RIGHT) / 2, y: height - 6, "text-anchor": "middle" }, xTitle);
    if (yTitle) {
      for (const v of ticks(ys[0], ys[1], 4)) {
        add(svg, "line", { x1: LEFT, x2: W - RIGHT, y1: y(v), y2: y(v), class: "grid" });
        add(svg, "text", { x: LEFT - 5, y: y(v) + 4, "text-anchor": "end" }, label(v));
      }
      add(svg, "text", { x: 0, y: 0, "text-anchor": "middle", transform: `translate(12,${(TOP + height - BOTTOM) / 2}) rotate(-90)` }, yTitle);
    }
    return { x, y };
  }

  const rests = new WeakMap();  // spreads with the sliders at rest, by costs
  function atRest(base) {
    if (!rests.has(base)) rests.set(base, { money: model.spread(base, null, false), share: model.spread(base, null, true) });
    return rests.get(base);
  }

  function range(now, before) {
    const ends = [now, before].flatMap((points) => [model.quantile(points, 0.01), model.quantile(points, 0.99)]);
    const low = Math.min(...ends, 0), high = Math.max(...ends, 0);
    return high > low ? [low, high] : [low - 1, high + 1];
  }

  function exceedance(svg, f, base) {
    const now = f.points, before = atRest(base).money, [low, high] = range(now, before), unit = doc.chart_unit[0];
    const at = frame(svg, [low / unit, high / unit], [0, 100], doc.text.axis_saving, doc.text.axis_cases);
    for (const [points, kind] of [[before, "before"], [now, "now"]]) {
      const path = [];
      for (let k = 0; k <= 80; k++) {
        const x = low + ((high - low) * k) / 80;
        path.push(`${k ? "L" : "M"}${at.x(x / unit).toFixed(1)},${at.y(100 * (1 - model.below(points, x))).toFixed(1)}`);
      }
      add(svg, "path", { d: path.join(""), class: "line " + kind });
    }
    svg.setAttribute("aria-label", doc.text.chart_exceedance + " " + money(f.saving.value, f.saving.mcse));
  }

  function density(svg, f, base, hurdle) {
    const now = model.spread(f.costs, f.weights, true), before = atRest(base).share, bins = 40;
    const [low, high] = range(now, before);
    const from = Math.min(low, hurdle), to = Math.max(high, hurdle), step = (to - from) / bins;
    const count = (points) => {
      const upto = Array.from({ length: bins + 1 }, (_, k) => model.below(points, k ? from + k * step : from - 1e-12));
      return Float64Array.from({ length: bins }, (_, k) => 100 * (upto[k + 1] - upto[k]));
    };
    const shares = [count(before), count(now)], most = Math.max(...shares[0], ...shares[1], 1e-9);
    const at = frame(svg, [100 * from, 100 * to], [0, most * 1.08], doc.text.axis_share, doc.text.axis_cases);
    const outline = (values) => {
      let d = `M${at.x(100 * from)},${at.y(0)}`;
      values.forEach((v, k) => { d += `V${at.y(v).toFixed(1)}H${at.x(100 * (from + (k + 1) * step)).toFixed(1)}`; });
      return d + `V${at.y(0)}Z`;
    };
    add(svg, "path", { d: outline(shares[1]), class: "area now" });
    add(svg, "path", { d: outline(shares[0]), class: "line before" });
    add(svg, "line", { x1: at.x(100 * hurdle), x2: at.x(100 * hurdle), y1: TOP, y2: H - BOTTOM, class: "hurdle" });
    const right = at.x(100 * hurdle) > W - 90;
    add(svg, "text", { x: at.x(100 * hurdle) + (right ? -4 : 4), y: TOP + 10, "text-anchor": right ? "end" : "start" }, doc.text.hurdle);
  }

  // Mean components of both options, stacked; what lowers the bill lies left of zero.
  function parts(svg, f, doc) {
    const goes = f.costs.goes, gone = goes.map((g) => 1 - g), w = f.weights, unit = doc.chart_unit[0];
    const product = new Float64Array(goes.length);
    const weighted = (values, by) => {
      for (let i = 0; i < product.length; i++) product[i] = values[i] * by[i];
      return model.mean(product, w);
    };
    const stay = f.costs.stayParts.map((values) => model.mean(values, w)).concat([0]);
    const move = f.costs.moveParts.map((values) => weighted(values, goes)).concat([weighted(f.costs.blocked, gone)]);
    const sum = (list, sign) => list.reduce((a, b) => a + Math.max(0, sign * b), 0) / unit;
    const low = -Math.max(sum(stay, -1), sum(move, -1)), high = Math.max(sum(stay, 1), sum(move, 1));
    const keys = model.parts.concat(["blocked"]), names = [doc.baseline, f.name];
    const shown = keys.map((_, k) => k).filter((k) => Math.abs(stay[k]) + Math.abs(move[k]) > high * unit * 0.002);
    const rows = Math.ceil(shown.length / 2), height = 150 + 16 * rows;
    const at = frame(svg, [low * 1.02, high * 1.04], [0, 1], doc.text.axis_cost, "", 150);
    svg.setAttribute("viewBox", `0 0 ${W} ${height}`);
    [stay, move].forEach((list, row) => {
      let right = 0, left = 0;
      const top = 26 + row * 44;
      add(svg, "text", { x: LEFT, y: top - 4 }, doc.options[names[row]].label.slice(0, 52));
      list.forEach((value, k) => {
        const from = value >= 0 ? right : left + value / unit, width = Math.abs(value) / unit;
        if (value >= 0) right += value / unit; else left += value / unit;
        if (width > 0) add(svg, "rect", { x: at.x(from), y: top, width: Math.max(0, at.x(width) - at.x(0)), height: 20, class: "part-" + k });
      });
    });
    shown.forEach((k, i) => {
      const x = LEFT + (i % 2) * 190, y = 160 + Math.floor(i / 2) * 16;
      add(svg, "rect", { x, y: y - 9, width: 10, height: 10, class: "part-" + k });
      add(svg, "text", { x: x + 15, y }, doc.text["part_" + keys[k]]);
    });
  }

  return { exceedance, density, parts };
}
