"use strict";
// The sliders of the memo: they move the figures and the charts; the address keeps their state.
(() => {
  const $ = (id) => document.getElementById(id);
  const data = $("whatif-data");
  if (!data) return;
  const doc = JSON.parse(data.textContent), text = doc.text;
  const columns = model.unpack($("whatif-draws").textContent, doc.size);
  const sliders = doc.sliders.map((spec) => ({ spec, input: $("s-" + spec.id), shown: $("o-" + spec.id) }));
  const chooser = $("w-candidate"), known = $("w-known"), place = $("w-place"), error = $("w-error");
  const rest = new Map();  // per-draw values with the sliders at rest, by candidate

  const fill = (key, values) => text[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

  // The digits that an error supports, at most three; as simulator/report/numbers.py.
  function rounded(value, mcse, digits = 3) {
    if (value === 0 || !Number.isFinite(value)) return value;
    const wanted = Math.floor(Math.log10(Math.abs(value))) + 1 - digits;
    const place = mcse > 0 ? Math.max(wanted, Math.ceil(Math.log10(2 * mcse))) : wanted;
    const step = 10 ** place;
    return (Math.round(value / step) * step) || 0;
  }
  function money(value, mcse, digits = 3) {
    const x = Math.abs(rounded(value, mcse, digits));
    const unit = doc.units.find((each) => x >= each[0]);
    const number = unit[1] === 1 ? Math.round(x).toLocaleString("en-US") : Number((x / unit[1]).toPrecision(digits)).toLocaleString("en-US", { maximumFractionDigits: 6 });
    return number + unit[2] + " " + doc.currency;
  }
  function chance(value, mcse) {
    if (value < 0.001) return "< 0.1 %";
    if (value > 0.999) return "> 99.9 %";
    const decimals = mcse > 0 && 2 * mcse > 1e-3 ? 0 : 1;
    return (100 * value).toFixed(decimals) + " %";
  }
  const show = (spec, value) => {
    if (spec.kind === "volume") return Math.round(100 * value) + " %";
    if (spec.unit === "share") return Number((100 * value).toFixed(1)) + " %";
    return Number(value.toPrecision(spec.kind === "price" ? 4 : 3)).toLocaleString("en-US") + (spec.suffix ? " " + spec.suffix : "");
  };

  const moved = (s) => Math.abs(Number(s.input.value) - s.spec.base) > s.spec.step / 4;
  function moves() {
    const found = {};
    for (const s of sliders.filter(moved)) {
      const value = Number(s.input.value);
      for (const name of s.spec.inputs)
        found[name] = s.spec.base > 0 ? { scale: value / s.spec.base, cap: s.spec.cap } : { set: value };
    }
    return found;
  }
  const slider = (id) => sliders.find((s) => s.spec.id === id);
  const hurdle = () => (moved(slider("hurdle")) ? Number(slider("hurdle").input.value) : doc.hurdle);
  const candidate = () => (chooser ? chooser.value : doc.candidates[0]);

  function atRest(name) {
    if (!rest.has(name)) {
      const costs = model.costs(doc, columns, {}, name);
      rest.set(name, { costs, values: model.perDraw(costs, doc.hurdle) });
    }
    return rest.get(name);
  }

  // Weights for a supposed measurement, and what they are worth in draws; null without one.
  function weighing(at) {
    if (!known || !known.value) return null;
    const spec = doc.knowns[Number(known.value)], x = spec.low + (Number(place.value) / 100) * (spec.high - spec.low);
    const weights = model.measured(at[spec.input], x, Math.max(Number(error.value) * Math.abs(x), 1e-12));
    return { spec, x, weights, effective: model.effective(weights) };
  }

  function figures() {
    const name = candidate(), base = atRest(name), engine = doc.engine[name];
    const costs = model.costs(doc, columns, moves(), name), values = model.perDraw(costs, hurdle());
    const measured = weighing(costs.at), w = measured && measured.weights;
    const est = (key, engineValue) => model.estimate(values[key], base.values[key], engineValue, doc.replicates, w);
    const points = model.spread(costs, w, false);
    const p = est("beats", engine.p_beats);
    p.value = Math.min(1, Math.max(0, p.value));
    return {
      name, costs, points, measured, p, weights: w,
      saving: est("saving", engine.saving),
      stay: est("stay", doc.engine[doc.baseline].tco),
      move: est("move", engine.tco),
      tail: tailMean(points, base, engine, w),
    };
  }

  // The mean of the worst 5 %: a ratio to that of the unmoved draws, which is the run's; no control where signs differ.
  function tailMean(points, base, engine, weights) {
    const tail = model.tailMean(points, 0.05);
    if (!base.tail) base.tail = model.tailMean(model.spread(base.costs, null, false), 0.05);
    const control = engine.cvar05[0] / base.tail;
    return !weights && control > 0 && tail * base.tail > 0 ? tail * control : tail;
  }

  function say(f) {
    const option = doc.options[f.name].label, sign = f.saving.value >= 0 ? "saves" : "costs";
    const tail = f.tail >= 0 ? "saves" : "costs";
    const h = Number((100 * hurdle()).toFixed(1));
    return [
      fill(h > 0 ? "pays_hurdle" : h < 0 ? "pays_less" : "pays", { option, hurdle: Math.abs(h), p: chance(f.p.value, f.p.mcse) }),
      fill(sign, { money: money(f.saving.value, f.saving.mcse) }),
      fill("tail_" + tail, { money: money(f.tail, Math.abs(f.tail) * 0.01) }),
    ].join(text.join);
  }

  const set = (id, value) => { const node = $(id); if (node) node.textContent = value; };

  function update() {
    for (const s of sliders) {
      const shown = show(s.spec, Number(s.input.value));
      s.shown.textContent = shown;
      s.input.setAttribute("aria-valuetext", shown);
      s.input.classList.toggle("moved", moved(s));
    }
    const f = figures(), few = f.measured && f.measured.effective < doc.least_effective;
    if (f.measured) {
      const x = Number(f.measured.x.toPrecision(3)).toLocaleString("en-US");
      set("w-shown", x + (f.measured.spec.suffix ? " " + f.measured.spec.suffix : ""));
      place.setAttribute("aria-valuetext", x);
      const draws = Math.round(f.measured.effective);
      set("w-effective", fill(few ? "too_few" : "effective", { draws, size: doc.size }));
      $("w-effective").classList.toggle("caution", few);
    } else if (known) {
      set("w-shown", "");
      set("w-effective", "");
    }
    if (place) place.disabled = error.disabled = !f.measured;
    set("w-answer", say(f));
    const beside = (e, words) => words + " (± " + e + ")";
    set("w-p", beside(percentError(f.p.mcse), chance(f.p.value, f.p.mcse)));
    set("w-saving", (f.saving.value < 0 ? "−" : "") + beside(money(f.saving.mcse, 0, 2), money(f.saving.value, f.saving.mcse)));
    set("w-stay", money(f.stay.value, f.stay.mcse));
    set("w-move", money(f.move.value, f.move.mcse));
    const node = $("whatif");
    Object.assign(node.dataset, { p: f.p.value, pMcse: f.p.mcse, saving: f.saving.value, savingMcse: f.saving.mcse, tail: f.tail });
    drawing.exceedance($("w-exceedance"), f, atRest(f.name).costs);
    drawing.density($("w-density"), f, atRest(f.name).costs, hurdle());
    drawing.parts($("w-parts"), f, doc);
    keep();
  }
  const percentError = (e) => Number((100 * e).toPrecision(1)) + " %";

  // The address keeps what was moved: #trn2.price=30&candidate=trn2
  function keep() {
    const state = new URLSearchParams();
    for (const s of sliders.filter(moved)) state.set(s.spec.id, String(Number(Number(s.input.value).toPrecision(6))));
    if (chooser && chooser.value !== doc.candidates[0]) state.set("candidate", chooser.value);
    if (known && known.value) {
      state.set("known", doc.knowns[Number(known.value)].input);
      state.set("at", place.value);
      state.set("error", error.value);
    }
    const hash = state.toString();
    history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
  }
  function restore() {
    const state = new URLSearchParams(location.hash.slice(1));
    for (const s of sliders) {
      const value = state.has(s.spec.id) ? Number(state.get(s.spec.id)) : NaN;
      s.input.value = Number.isFinite(value) ? value : s.spec.base;
    }
    if (chooser) chooser.value = doc.candidates.includes(state.get("candidate")) ? state.get("candidate") : doc.candidates[0];
    if (known) {
      const i = doc.knowns.findIndex((each) => each.input === state.get("known"));
      known.value = i < 0 ? "" : String(i);
      place.value = state.get("at") || "50";
      error.value = [...error.options].some((each) => each.value === state.get("error")) ? state.get("error") : "0.1";
    }
  }

  const drawing = charts(doc, money, rounded);
  window.memo = { update, figures, moves, rounded, money };
  let waiting = 0;
  const later = () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(update); };
  $("whatif-form").addEventListener("input", later);
  $("whatif-form").addEventListener("submit", (event) => event.preventDefault());
  $("w-reset").addEventListener("click", () => {
    history.replaceState(null, "", location.pathname + location.search);
    restore();
    update();
  });
  window.addEventListener("hashchange", () => {
    if ([...new URLSearchParams(location.hash.slice(1)).keys()].some((key) => key === "candidate" || key === "known" || slider(key))) {
      restore();
      update();
    }
  });
  restore();
  $("whatif").hidden = false;
  update();
})();
